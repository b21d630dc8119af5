// draw(state) → SVG: one picture of all workers at share t of the way from step k to step k + 1.

import { cabinetPlan, deskPlan, drawCabinet, drawDesk, drawWalls } from "./draw_room.js";
import { drawCode } from "./draw_code.js";
import { drawLedger } from "./draw_ledger.js";
import { drawCaption, drawCard, drawTitle } from "./draw_panels.js";
import { drawTable, tableGrid } from "./draw_table.js";
import { makeHall } from "./hall.js";
import { layoutStage } from "./layout.js";
import { focusOf, prepare, stateAt, within } from "./model.js";
import { drawMotion, drawStill, landed, timeline } from "./motion.js";
import { el, group } from "./vdom.js";
import { caption, speaker } from "./words.js";

/** A scene ready to be drawn at one size: `frame(k, t)` gives the resting picture, `actors(k, t)` what moves on it. */
export function makePicture(scene, width, height) {
  if (scene.workers[0].shelf) return makeHall(scene, width, height);
  const say = speaker(scene.words, scene.lang);
  const workers = scene.workers.map(prepare);
  const layout = layoutStage(width, height, workers, scene.present);
  const casts = workers.map((model, index) => cast(scene, model, say, layout.pictures[index]));
  const steps = Math.max(...workers.map((model) => model.stepCount));
  return {
    layout,
    say,
    steps,
    workers,
    rows: Math.min(...workers.map((model) => model.n_q)),
    carded: workers.some((model) => model.carded),
    frame: (k, t, row) => casts.map((one) => one.frame(k, t, row)),
    frameKey: (k, t, row) => `${row} ${casts.map((one) => one.key(k, t)).join()}`,
    actors: (k, t, row) => casts.map((one) => one.actors(k, t, row)),
    ms: (k) => Math.max(...casts.map((one, index) => (k <= workers[index].stepCount ? one.time(k).ms : 0)), 60),
    shares: (k) => casts.flatMap((one) => one.time(k).lands),
    walks: (k) => casts.some((one) => one.time(k).walks.length > 0),
    words: (k) =>
      casts
        .map((one, index) => `${casts.length > 1 ? `${workers[index].title}: ` : ""}${one.words(k)}`)
        .join(say("joint")),
    rowAt: (x, y) => rowAt(layout, workers, x, y),
  };
}

/** One worker with its place in the picture; it remembers the last states so that playing forward costs one step. */
function cast(scene, model, say, picture) {
  const memo = {};
  const plans = { desk: deskPlan(picture), cabinet: cabinetPlan(model, picture) };
  const time = remembering((k) => timeline(model, k));
  let known = stateAt(model, 0);
  const at = remembering((k) => (known = stateAt(model, k, known)));
  const last = (k) => Math.min(k, model.stepCount);
  const moving = (k, t) => t > 0 && k < model.stepCount;
  const place = (node) => el("g", { transform: `translate(${picture.x} ${picture.y})` }, [node]);
  const between = (k, t) => {
    const step = time(k + 1);
    const walk = step.walks[Math.min(step.walks.length - 1, Math.floor(t * step.walks.length))];
    const done = step.events.slice(0, landed(step, t));
    const events = walk ? walk.tiles : focusOf(done) ? [focusOf(done)] : step.events;
    return {
      k: k + 1,
      state: within(model, at(k), k + 1, done.length),
      events,
      active: new Set(walk ? walk.tiles.map((event) => event.tensor) : []),
    };
  };
  const standing = (k) => ({ k, state: at(k), events: time(k).events, active: new Set() });
  const viewOf = (k, t, row) => {
    const shown = moving(k, t) ? between(k, t) : standing(last(k));
    return { model, say, memo, row, present: scene.present, focus: focusOf(shown.events), ...shown };
  };
  return {
    time,
    key: (k, t) =>
      moving(k, t) ? `${k}+${landed(time(k + 1), t)}/${Math.floor(t * time(k + 1).walks.length)}` : `${last(k)}`,
    frame: (k, t, row) => place(resting(viewOf(k, t, row), picture, plans)),
    actors: (k, t, row) =>
      place(
        moving(k, t)
          ? drawMotion({ model, row }, picture, plans, { time: time(k + 1), before: at(k), after: at(k + 1), t })
          : drawStill(plans, at(last(k))),
      ),
    words: (k) => caption(say, time(last(k)).events),
  };
}

/** A function that remembers its last few answers. */
function remembering(make) {
  const answers = new Map();
  return (k) => {
    if (!answers.has(k)) {
      if (answers.size > 5) answers.clear();
      answers.set(k, make(k));
    }
    return answers.get(k);
  };
}

function resting(view, picture, plans) {
  return group(
    {},
    drawTitle(view, picture.title),
    drawWalls(picture),
    drawTable(view, picture.table),
    drawDesk(view, picture, plans.desk),
    drawCabinet(view, picture, plans.cabinet),
    drawCaption(view, picture.caption),
    picture.code && drawCode(view, picture.code),
    picture.card && drawCard(view, picture.card),
    drawLedger(view, picture.ledger),
  );
}

/** The row of the table under a point of the picture, or null. */
function rowAt({ pictures }, workers, x, y) {
  for (let index = 0; index < workers.length; index++) {
    const model = workers[index];
    const grid = tableGrid(model, pictures[index].table);
    const [dx, dy] = [x - pictures[index].x - grid.x, y - pictures[index].y - grid.y];
    if (dx >= -26 && dx <= grid.w + 20 && dy >= 0 && dy < grid.h) return Math.floor(dy / grid.cell);
  }
  return null;
}

/** Patterns that mark a tile's state besides its colour. */
export function definitions() {
  const pattern = (id, size, angle, ...children) =>
    el(
      "pattern",
      { id, width: size, height: size, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${angle})` },
      children,
    );
  const ground = (fill, size) => el("rect", { width: size, height: size, fill });
  return el("defs", { key: "defs" }, [
    pattern(
      "dc-thrown",
      6,
      0,
      ground("var(--paper)", 6),
      el("circle", { cx: 3, cy: 3, r: 1.1, fill: "var(--dc-S-fill)", "fill-opacity": 0.5 }),
    ),
    pattern("dc-hatch", 7, 45, ground("var(--wall)", 7), el("rect", { width: 2, height: 7, fill: "var(--faint)" })),
    pattern(
      "dc-mask",
      6,
      45,
      el("rect", { width: 6, height: 6, fill: "var(--paper)", "fill-opacity": 0.72 }),
      el("rect", { width: 2, height: 6, fill: "var(--soft)", "fill-opacity": 0.7 }),
    ),
  ]);
}
