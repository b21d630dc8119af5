// What moves in the hallway while a step plays: the runner between shelf and cabinet first, then everyone at the desks.

import { chip } from "./draw_room.js";
import { deskSpot, slotSpot } from "./hall_draw.js";
import { DONE } from "./hall_model.js";
import { between, ease, mix, part, worker } from "./motion.js";
import { el, group } from "./vdom.js";

const RUN_MS = 1300;
const TAKE_MS = 1150;

/** A step in time: who has to run, how long it lasts, and the shares of it at which the shelf and the desks change. */
export function hallTimeline(model, k) {
  const touches = model.steps[k - 1] || [];
  const missed = unique(touches.filter((touch) => touch.op === "load" && !touch.hit).map(({ tile }) => tile));
  const pushed = touches.flatMap((touch) => touch.pushed);
  const dirty = pushed.filter((tile) => tile.dirty);
  const runs = missed.length + dirty.length > 0;
  const ms = (runs ? RUN_MS : 0) + TAKE_MS;
  const run = runs ? RUN_MS / ms : 0;
  return { touches, missed, pushed, dirty, runs, ms, run, lands: [run * 0.1, run * 0.995, run + (1 - run) * 0.96] };
}

const unique = (tiles) => [...new Map(tiles.map((tile) => [tile.key, tile])).values()];

/** How far the step has come at share t (of DONE). */
export const doneAt = ({ lands }, t) =>
  t < lands[0] ? DONE.none : t < lands[1] ? DONE.cleared : t < lands[2] ? DONE.shelved : DONE.taken;

/** Everyone at share t of a step; `before` and `after` are the states on either side. */
export function drawRunning(view, picture, plan, { time, before, after, t }) {
  const running = time.runs && t < time.run;
  const share = running ? t / time.run : (t - time.run) / (1 - time.run);
  const still = plan.places.map((_, index) => atHome(plan, index));
  return group(
    { key: "motion" },
    running ? still : taking(picture, plan, time, after, share),
    running ? runner(picture, plan, time, before, after, share) : standing(picture, plan),
  );
}

/** Everyone at rest. */
export function drawWaiting(picture, plan) {
  return group(
    { key: "motion" },
    plan.places.map((_, index) => atHome(plan, index)),
    standing(picture, plan),
  );
}

const person = (key, pose, floor, scale) =>
  group({ key }, worker({ stride: 0, lifts: false, face: 1, ...pose }, { floor, scale }));
const atHome = (plan, index) =>
  person(`desk ${index}`, { x: plan.places[index].home, face: -1 }, plan.places[index].feet, plan.scale);
const posts = ({ shelf, cabinet }, scale) => ({
  shelf: shelf.x + shelf.w + 16 * scale,
  cabinet: cabinet.x - 14 * scale,
});
const standing = (picture, plan) =>
  person("runner", { x: posts(picture, plan.scale).shelf, face: -1 }, plan.floor, plan.scale);

/** The runner takes along what must be filed, and brings what is missing. */
function runner(picture, plan, { missed, dirty }, before, after, s) {
  const spots = posts(picture, plan.scale);
  const out = s < 0.5;
  const x = out
    ? between(spots.shelf, spots.cabinet, part(s, 0.1, 0.45))
    : between(spots.cabinet, spots.shelf, part(s, 0.55, 0.9));
  const carried = out ? dirty : missed;
  const walks = (s > 0.1 && s < 0.45) || (s > 0.55 && s < 0.9);
  const stride = walks ? Math.sin((x / 30) * Math.PI) : 0;
  const stack = stacked(plan, plan.book, x, plan.floor);
  return [
    carried.map((tile, index) => {
      const slot = slotOf(picture, plan, out ? before : after, tile);
      const drawer = drawerSpot(plan, tile);
      const [from, to] = out ? [slot, drawer] : [drawer, slot];
      const at = lifted(from, stack(index), to, out ? s * 2 : s * 2 - 1);
      return el(
        "g",
        { key: `run ${tile.key}`, transform: `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)})` },
        chip(tile, plan.book),
      );
    }),
    person("runner", { x, face: out ? 1 : -1, stride, lifts: carried.length > 0 }, plan.floor, plan.scale),
  ];
}

/** From a place into the hands, along with them, and down to the other place. */
function lifted(from, hand, to, u) {
  if (u < 0.22) return mix(from, hand, ease(u / 0.22));
  return u < 0.86 ? hand : mix(hand, to, ease((u - 0.86) / 0.14));
}

/** Everyone whose turn it is walks to the shelf and back: with a copy of each tile, or with the result there. */
function taking(picture, plan, { touches }, after, s) {
  return plan.places.map((place, index) => {
    const mine = touches.filter((touch) => touch.desk === index);
    if (!mine.length) return atHome(plan, index);
    const stores = mine[0].op === "store";
    const [home, far] = [place.home, picture.shelf.x - 14 * plan.scale];
    const there = s < 0.5;
    const x = there ? between(home, far, part(s, 0.02, 0.42)) : between(far, home, part(s, 0.56, 0.94));
    const lifts = stores ? there : !there;
    const walks = Math.abs(x - home) > 1 && Math.abs(x - far) > 1;
    const stack = stacked(plan, plan.tile, x, place.feet);
    return group(
      { key: `taking ${index}` },
      lifts || s > 0.4
        ? mine.map((touch, at) => copyOf(picture, plan, touch, index, at, after, stack(at), stores ? s * 2 : s * 2 - 1))
        : null,
      person(
        `desk ${index}`,
        { x, face: there ? 1 : -1, stride: walks ? Math.sin((x / 26) * Math.PI) : 0, lifts },
        place.feet,
        plan.scale,
      ),
    );
  });
}

/** A tile on its way between a desk and the shelf. */
function copyOf(picture, plan, { tile, op, j }, desk, order, after, hand, u) {
  if (u < 0 || u > 1) return null;
  const spot = deskSpot(picture, plan, desk, op === "store" ? 0 : j === null ? 0 : order + 1);
  const slot = slotOf(picture, plan, after, tile);
  const at = op === "store" ? lifted(spot, hand, slot, u) : lifted(slot, hand, spot, u);
  return el(
    "g",
    { key: tile.key, transform: `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)})` },
    chip(tile, plan.tile),
  );
}

const stacked = (plan, size, x, feet) => (index) => ({
  x: x - size.w / 2,
  y: feet - 78 * plan.scale - size.h - index * size.h * 0.82,
});

function slotOf(picture, plan, state, tile) {
  const slot = state.slots.findIndex((one) => one && one.key === tile.key);
  return slotSpot(picture, plan, Math.max(slot, 0));
}

function drawerSpot(plan, { tensor }) {
  const drawer = plan.drawers[tensor];
  return { x: drawer.x + 2, y: drawer.y + drawer.h / 2 - plan.book.h / 2 };
}
