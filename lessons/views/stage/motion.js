// What moves while a step plays: the worker's walks, the tiles carried, a tile made or thrown away, a card that glows.

import { cardOf, listStep, rescaledBy, tileKey } from "./model.js";
import { badgeBox } from "./draw_panels.js";
import { chip, chipAt } from "./draw_room.js";
import { el, group } from "./vdom.js";

const WALK_MS = 1150;
const EVENT_MS = 380;
const CLEAR_MS = 380;
const LANDS = 0.96;

/** The walks of a step: what is carried together in one direction is one walk. */
function walksOf(events) {
  const walks = [];
  for (const event of events) {
    if (event.op !== "load" && event.op !== "store") continue;
    const last = walks[walks.length - 1];
    if (last && last.op === event.op && last.tiles.length < 4) last.tiles.push(event);
    else walks.push({ op: event.op, tiles: [event] });
  }
  return walks;
}

/** A step in time: its events, its walks, how long it lasts at speed 1, and the share of it at which each event lands. */
export function timeline(model, k) {
  const events = listStep(model, k);
  const walks = walksOf(events);
  const telling = events.filter((event) => event.op !== "free").length;
  const ms = walks.length ? walks.length * WALK_MS : telling ? Math.max(700, telling * EVENT_MS) : CLEAR_MS;
  return { events, walks, ms, lands: walks.length ? landsWalking(events, walks) : landsWorking(events, telling) };
}

/** Carried tiles land at the end of their walk; what comes before the first is done at once. */
function landsWalking(events, walks) {
  let done = 0;
  return events.map((event) => {
    const walk = walks.findIndex(({ tiles }) => tiles.includes(event));
    if (walk >= 0) done = (walk + LANDS) / walks.length;
    return done;
  });
}

/** Work at the desk goes event by event; what clears away takes no time of its own. */
function landsWorking(events, telling) {
  let told = 0;
  return events.map((event) => (event.op === "free" ? told : told++) / Math.max(telling, 1));
}

/** How many events of a step have landed at share t > 0. */
export const landed = ({ lands }, t) => lands.filter((at) => at <= t).length;

export const ease = (t) => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));
export const between = (a, b, t) => a + (b - a) * t;
export const part = (t, from, to) => ease((t - from) / (to - from));

/** Worker, carried tiles and glow at share t of a step; `before` and `after` are the states on either side. */
export function drawMotion(view, picture, plans, { time, before, after, t }) {
  const spots = { desk: plans.desk.feet, cabinet: plans.cabinet.feet };
  const pose = time.walks.length
    ? walking(time.walks, spots, before.at, t)
    : strolling(time.events, spots, before.at, t);
  return group(
    { key: "motion" },
    discarded(plans, before, time, t),
    worker(pose, plans.desk),
    pose.phase ? carriedTiles(pose, plans, before, after) : [],
    glow(view, picture, time, after, t),
  );
}

/** Standing still after step k. */
export function drawStill(plans, state) {
  return group(
    { key: "motion" },
    worker(
      {
        x: state.at === "desk" ? plans.desk.feet : plans.cabinet.feet,
        face: state.at === "desk" ? -1 : 1,
        stride: 0,
        lifts: false,
      },
      plans.desk,
    ),
  );
}

function walking(walks, spots, start, t) {
  const index = Math.min(walks.length - 1, Math.floor(t * walks.length));
  const walk = walks[index];
  const s = t * walks.length - index;
  const from = index ? (walks[index - 1].op === "load" ? "desk" : "cabinet") : start;
  const fetch = walk.op === "load";
  const [near, far] = fetch ? ["cabinet", "desk"] : ["desk", "cabinet"];
  const idle = from === near;
  const [arrive, lift, drop] = idle ? [0, 0.16, 0.84] : [0.34, 0.46, 0.88];
  if (s < arrive) return { ...leg(spots[from], spots[near], part(s, 0, arrive)), lifts: false, walk, hold: 0 };
  if (s < lift)
    return {
      x: spots[near],
      face: fetch ? 1 : -1,
      stride: 0,
      lifts: true,
      walk,
      hold: part(s, arrive, lift),
      phase: "lift",
    };
  if (s < drop)
    return { ...leg(spots[near], spots[far], part(s, lift, drop)), lifts: true, walk, hold: 1, phase: "carry" };
  return { x: spots[far], face: fetch ? -1 : 1, stride: 0, lifts: true, walk, hold: part(s, drop, 1), phase: "drop" };
}

function leg(from, to, share) {
  const x = between(from, to, share);
  return { x, face: Math.sign(to - from) || 1, stride: Math.sin((Math.abs(x - from) / 30) * Math.PI) };
}

/** A step without carrying is done at the desk; the worker comes back to it with empty hands. */
function strolling(events, spots, start, t) {
  const works = events.some((event) => event.op !== "free");
  if (start === "desk" || !works)
    return {
      x: spots[start],
      face: start === "desk" ? -1 : 1,
      stride: 0,
      lifts: false,
      works: works ? Math.sin(t * Math.PI) : 0,
    };
  return { ...leg(spots.cabinet, spots.desk, part(t, 0, 0.8)), lifts: false };
}

function carriedTiles(pose, plans, before, after) {
  const { w, h } = plans.desk.chip;
  return pose.walk.tiles.map((event, index) => {
    const tile = { tensor: event.tensor, r: event.r, c: event.c };
    const drawer = plans.cabinet.drawers[event.tensor] || Object.values(plans.cabinet.drawers)[0];
    const home = { x: drawer.x + 4, y: drawer.y + drawer.h / 2 - h / 2 };
    const desk = deskPlace(plans.desk, event, before, after, pose.x);
    const hand = { x: pose.x - w / 2, y: plans.desk.floor - 78 * plans.desk.scale - h - index * (h * 0.82) };
    const [source, target] = pose.walk.op === "load" ? [home, desk] : [desk, home];
    const at =
      pose.phase === "lift"
        ? mix(source, hand, pose.hold)
        : pose.phase === "drop"
          ? mix(hand, target, pose.hold)
          : hand;
    return el(
      "g",
      { key: tileKey(event) + index, transform: `translate(${at.x.toFixed(2)} ${at.y.toFixed(2)})` },
      chip(tile, plans.desk.chip),
    );
  });
}

export const mix = (a, b, t) => ({ x: between(a.x, b.x, t), y: between(a.y, b.y, t) });

/** Where a tile lies on the desk, before it is taken away or after it was brought. */
function deskPlace(plan, event, before, after, x) {
  const key = tileKey(event);
  const held = (state) =>
    state.desk.find((tile) => tile.key === key) || state.desk.find((tile) => tile.tensor === event.tensor);
  const tile = event.op === "load" ? held(after) || held(before) : held(before) || held(after);
  return tile
    ? chipAt(plan, tile)
    : { x: Math.min(x, plan.registers.x + plan.registers.w - plan.chip.w), y: plan.registers.y + 24 };
}

/** Tiles that a step throws away before anything else fall into the basket. */
function discarded(plans, before, { events, lands, ms }, t) {
  const gone = events.filter((event, index) => event.op === "free" && lands[index] === 0).map(tileKey);
  const share = ease((t * ms) / 480);
  if (share >= 1) return [];
  return before.desk
    .filter((tile) => gone.includes(tile.key))
    .map((tile) => {
      const at = mix(chipAt(plans.desk, tile), plans.desk.basket, share);
      const lift = Math.sin(share * Math.PI) * -14;
      return el(
        "g",
        { key: `gone ${tile.key}`, transform: `translate(${at.x.toFixed(2)} ${(at.y + lift).toFixed(2)})` },
        [
          el("g", { transform: `scale(${(1 - share * 0.55).toFixed(3)})` }, [
            el("g", { opacity: (1 - share * 0.9).toFixed(3) }, chip(tile, plans.desk.chip)),
          ]),
        ],
      );
    });
}

/** A ring around the rescale factor that spreads and fades when a larger score has arrived. */
function glow(view, picture, { events, lands, ms }, after, t) {
  const card = cardOf(view.model, after, view.row);
  if (!rescaledBy(card, events)) return null;
  const since = (t - lands[events.findIndex((event) => event.index === card.at)]) * ms;
  const share = since / 900;
  if (share <= 0 || share >= 1) return null;
  const { x, y, h } = badgeBox(picture.card);
  const spread = 4 + share * 16;
  return el("rect", {
    key: "glow",
    x: x - 84 - spread,
    y: y - spread,
    width: 84 + 2 * spread,
    height: h + 2 * spread,
    rx: h / 2 + spread,
    fill: "none",
    stroke: "var(--flash)",
    "stroke-width": 4,
    opacity: (1 - share).toFixed(3),
  });
}

/** The worker as a plain figure, feet on the floor; arms go up when something is carried. */
export function worker({ x, face, stride, lifts, works = 0 }, { floor, scale }) {
  const swing = (angle) => `rotate(${(angle * 26 * (stride || 0)).toFixed(2)})`;
  const reach = lifts ? "M-7 -52L-13 -76M7 -52L13 -76" : `M-5 -51L-9 -31M5 -51L${12 + works * 4} ${-34 - works * 6}`;
  return el(
    "g",
    { key: "worker", transform: `translate(${x.toFixed(2)} ${(floor - Math.abs(stride || 0) * 2).toFixed(2)})` },
    [
      el("g", { transform: `scale(${(face * scale).toFixed(3)} ${scale.toFixed(3)})` }, [
        el("ellipse", { cx: 0, cy: 1, rx: 15, ry: 3, fill: "var(--text)", "fill-opacity": 0.13 }),
        el("g", { transform: "translate(0 -28)" }, [
          el("g", { transform: swing(1) }, [el("path", { d: "M-2 0V26h6", class: "dc-limb" })]),
          el("g", { transform: swing(-1) }, [el("path", { d: "M2 0V26h6", class: "dc-limb" })]),
        ]),
        el("rect", { x: -9, y: -56, width: 18, height: 31, rx: 8, fill: "var(--worker)" }),
        el("path", { d: reach, class: "dc-limb dc-arm" }),
        el("circle", { cx: 1, cy: -66, r: 9.5, fill: "var(--skin)", stroke: "var(--worker)", "stroke-width": 1.5 }),
        el("path", { d: "M-9 -68a10 10 0 0 1 19 -3l5 1.5v2h-24z", fill: "var(--worker)" }),
        el("circle", { cx: 6, cy: -65, r: 1.3, fill: "var(--worker)" }),
      ]),
    ],
  );
}
