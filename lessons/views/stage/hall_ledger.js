// The hallway's ledger: bytes by tensor on both rulers, and how often K and V crossed each line.

import { family } from "./draw_room.js";
import { panel } from "./draw_panels.js";
import { MIDDLE, NEXT, RIGHT, slab, writing } from "./hall_draw.js";
import { crossed, timesOf, unfiled } from "./hall_model.js";
import { el, group } from "./vdom.js";
import { fitSize, widthOf } from "./words.js";

const TENSORS = ["Q", "K", "V", "O"];
const BOTH = ["desk", "cabinet"];

/** Bytes by tensor at both lines, what is still unfiled, and how often K and V crossed each line. */
export function drawBoth(view, box) {
  const { say, state } = view;
  const [x, w] = [box.x + 14, box.w - 28];
  const step = Math.min(34, (box.h - 232) / (TENSORS.length + 2));
  const columns = [x + w * 0.58, x + w];
  const y = (index) => box.y + 58 + (index + 0.5) * step;
  const line = { x, columns, size: Math.min(17, step * 0.58), say };
  const sums = BOTH.map((one) => crossed(state, one));
  return group(
    { key: "both" },
    panel(box),
    BOTH.map((one, index) => head(say(`${one}_ruler`), columns[index], box.y + 30, w * 0.37)),
    writing(columns[1], box.y + 47, 11.5, say("in_bytes"), { key: "unit", class: "dc-soft", ...RIGHT }),
    TENSORS.map((name, index) => tensorLine(state, name, { ...line, y: y(index) })),
    el("path", { key: "line", d: `M${x} ${y(TENSORS.length) - step / 2}h${w}`, stroke: "var(--soft)" }),
    bothNumbers("sum", say("sum"), sums, { ...line, y: y(TENSORS.length), look: "dc-num dc-strong" }),
    bothNumbers("left", say("left"), [null, unfiled(view.model, state)], {
      ...line,
      y: y(TENSORS.length + 1),
      look: "dc-num dc-soft",
    }),
    shelfMarks(say, { x, y: box.y + box.h - 160, w }),
    howOften(view, { x, y: box.y + box.h - 108, w }),
  );
}

const head = (words, x, y, w) => writing(x, y, fitSize(words, 14, w), words, { class: "dc-head", ...RIGHT });

function tensorLine(state, name, line) {
  const { x, y, size } = line;
  const colour = family(name);
  const plate = Math.max(26, widthOf(name) * size + 10);
  const letter = { class: "dc-letter", fill: `var(--dc-${colour}-ink)`, ...MIDDLE };
  const moved = BOTH.map((one) => state.tallies[name][one].read + state.tallies[name][one].write);
  return group(
    { key: name },
    slab(x, y - size * 0.72, plate, size * 1.44, 4, `var(--dc-${colour}-fill)`),
    writing(x + plate / 2, y + size * 0.36, size, name, letter),
    bothNumbers(name, "", moved, { ...line, look: "dc-num" }),
  );
}

/** Words on the left and a number under each ruler; null leaves a place empty. */
function bothNumbers(name, words, numbers, { x, y, columns, size, say, look }) {
  const room = numbers[0] === null ? columns[1] - x - 60 : columns[0] - x - 70;
  return group(
    { key: `numbers ${name}` },
    words && writing(x, y + size * 0.36, fitSize(words, size, room), words, { class: look }),
    numbers.map((number, index) => {
      const mark = { key: index, class: look, "data-hall": `${name} ${BOTH[index]}`, ...RIGHT };
      return number !== null && writing(columns[index], y + size * 0.36, size, say.number(number), mark);
    }),
  );
}

/** What the two marks on the shelf's tiles mean. */
function shelfMarks(say, { x, y, w }) {
  const corner = el("path", { d: `M${x + 14} ${y + 29}v-5h-5z`, fill: "var(--paper)", stroke: "var(--dc-O-line)" });
  const words = (word, at) =>
    writing(x + 23, y + at, fitSize(say(word), 12.5, w - 24), say(word), { class: "dc-soft" });
  return group(
    { key: "marks of the shelf" },
    slab(x, y, 14, 14, 4, "none", NEXT),
    words("leaves_next", 11.5),
    slab(x, y + 24, 14, 14, 3, "var(--dc-O-fill)"),
    corner,
    words("not_filed", 35.5),
  );
}

/** How often all of K and V crossed each line so far, and which wave of thread blocks is on the floor. */
function howOften({ model, say, state }, { x, y, w }) {
  const figure = (line) => `×${Number(timesOf(model, state, line).toFixed(2))}`;
  const rows = [
    ["asked", figure("desk"), 22],
    ["served", figure("cabinet"), 22],
    ["wave", say("of", { part: state.wave, whole: model.waves }), 17],
  ];
  return group(
    { key: "times" },
    el("path", { d: `M${x} ${y}h${w}`, stroke: "var(--line)" }),
    rows.map(([word, number, size], index) =>
      group(
        { key: word },
        writing(x, y + 27 + index * 32, fitSize(say(word), 14, w * 0.68), say(word), { class: "dc-soft" }),
        writing(x + w, y + 29 + index * 32, size, number, { class: "dc-num dc-strong", "data-hall": word, ...RIGHT }),
      ),
    ),
  );
}
