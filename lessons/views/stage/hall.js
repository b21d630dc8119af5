// The hallway as a picture: what picture.js is for a room, for a scene whose worker has a shelf.

import { drawCode } from "./draw_code.js";
import { drawCaption, drawTitle } from "./draw_panels.js";
import { drawTable } from "./draw_table.js";
import { drawDesks, drawFiles, drawHall, drawLines, drawShelf, hallPlan } from "./hall_draw.js";
import { drawBoth } from "./hall_ledger.js";
import { layoutHall } from "./hall_layout.js";
import { hallAt, hallWithin, prepareHall } from "./hall_model.js";
import { doneAt, drawRunning, drawWaiting, hallTimeline } from "./hall_motion.js";
import { group } from "./vdom.js";
import { indexOf, speaker } from "./words.js";

/** A scene with a shelf, ready to be drawn at one size. */
export function makeHall(scene, width, height) {
  const say = speaker(scene.words, scene.lang);
  const model = prepareHall(scene.workers[0]);
  const layout = layoutHall(width, height, scene.present);
  const plan = hallPlan(model, layout);
  const memo = {};
  let known = hallAt(model, 0);
  const at = (k) => (known = hallAt(model, k, known));
  const moving = (k, t) => t > 0 && k < model.stepCount;
  const time = (k) => hallTimeline(model, k);
  const state = (k, t) =>
    moving(k, t) ? hallWithin(model, at(k), k + 1, doneAt(time(k + 1), t)) : at(Math.min(k, model.stepCount));
  const words = (k) => told(say, time(Math.min(k, model.stepCount)));
  const view = (k, t) => {
    const step = moving(k, t) ? k + 1 : Math.min(k, model.stepCount);
    const { touches, missed, dirty, run } = time(step);
    const active = new Set(moving(k, t) && t < run ? [...missed, ...dirty].map(({ tensor }) => tensor) : []);
    return {
      model,
      say,
      memo,
      present: scene.present,
      k: step,
      state: state(k, t),
      said: words(step),
      focus: focusAt(touches),
      active,
    };
  };
  return {
    layout,
    say,
    steps: model.stepCount,
    workers: [model],
    rows: model.n_q,
    carded: false,
    frame: (k, t) => hallFrame(view(k, t), layout, plan),
    frameKey: (k, t) => (moving(k, t) ? `${k}+${doneAt(time(k + 1), t)}${t < time(k + 1).run}` : `${k}`),
    actors: (k, t) => [
      moving(k, t)
        ? drawRunning({ model }, layout, plan, {
            time: time(k + 1),
            before: at(k),
            after: hallAt(model, k + 1, at(k)),
            t,
          })
        : drawWaiting(layout, plan),
    ],
    ms: (k) => time(k).ms,
    shares: (k) => time(k).lands,
    walks: () => true,
    words,
    rowAt: () => null,
  };
}

function focusAt(touches) {
  const last = touches[touches.length - 1];
  return last ? { kernel: 0, i: null, j: last.j, line: last.line, tensor: last.tensor } : null;
}

function hallFrame(view, layout, plan) {
  return [
    drawTitle(view, layout.title),
    drawHall(view, layout),
    drawDesks(view, layout, plan),
    drawShelf(view, layout, plan),
    drawFiles(view, layout, plan),
    drawLines(view, layout),
    drawCaption(view, layout.caption),
    drawBoth(view, layout.ledger),
    layout.table && group({ key: "table" }, drawTable(view, layout.table)),
    drawCode(view, layout.code),
  ].filter(Boolean);
}

/** A step in words: what everyone wanted, where it was, and what had to leave the shelf. */
function told(say, { touches, missed, pushed, dirty }) {
  if (!touches.length) return say("hall_start");
  const names = (tiles) => [...new Set(tiles.map((tile) => `${tile.tensor}[${indexOf(tile)}]`))].join(say("and"));
  const tiles = names(touches.map(({ tile }) => tile));
  const what = touches[0].op === "store" ? "said_store" : missed.length ? "said_miss" : "said_hit";
  const clean = pushed.filter((tile) => !tile.dirty);
  return [
    say(what, { tiles }),
    clean.length ? say("said_pushed", { tiles: names(clean) }) : "",
    dirty.length ? say("said_filed", { tiles: names(dirty) }) : "",
  ].join("");
}
