// The ledger: bytes and numbers by tensor so far, and how often the whole table has crossed the room.

import { carriesOf } from "./model.js";
import { panel } from "./draw_panels.js";
import { family } from "./draw_room.js";
import { el, group } from "./vdom.js";
import { fitSize, widthOf } from "./words.js";

const COLUMNS = ["read", "written", "numbers"];
const BOLD = 1.1; // the sums are bold, and that much wider

/** Bytes read and written by tensor, the numbers they were, and how often the whole table crossed the room. */
export function drawLedger(view, box) {
  const { model, say } = view;
  const names = Object.keys(model.byName);
  const wide = box.h > Math.max(260, 34 * names.length);
  const carries = model.carries ? (wide ? 88 : 48) : 0;
  const head = wide ? 54 : 26;
  const parts = partsOf(box);
  const last = parts.at(-1);
  const lines = Math.ceil(names.length / parts.length);
  const w = last.w - 28;
  const step = Math.min(46, (box.h - head - 18 - carries) / (lines + 1));
  const size = Math.min(18, step * 0.6, (w * 0.225) / longestNumber(model));
  const y = (index) => box.y + head + 12 + (index + 0.5) * step;
  return group(
    { key: "ledger" },
    panel(box),
    el(
      "text",
      { x: box.x + 14, y: box.y + 26, class: "dc-head", "font-size": fitSize(say("ledger"), 16, wide ? w : w * 0.3) },
      say("ledger"),
    ),
    parts.map((part) => columnNames(say, part, box.y + head)),
    names.map((name, index) => ledgerRow(view, name, parts[Math.floor(index / lines)], y(index % lines), step, size)),
    el("path", { key: "sum", d: `M${last.x + 14} ${y(lines) - step / 2}h${w}`, stroke: "var(--soft)" }),
    sums(view, last, y(lines), size),
    carries ? crossings(view, { x: box.x + 14, y: box.y + box.h - carries, w: box.w - 28 }, wide) : null,
  );
}

/** The columns of tensors that a ledger has room for side by side; the sum stands at the foot of the last. */
function partsOf({ x, w, columns = 1 }) {
  return [...Array(columns).keys()].map((index) => ({ x: x + (index * w) / columns, w: w / columns }));
}

/** Where the numbers of a part end, which are set to the right. */
const ends = ({ x, w }) => [0.5, 0.76, 1].map((share) => x + 14 + (w - 28) * share);

function columnNames(say, part, y) {
  return COLUMNS.map((word, index) =>
    el(
      "text",
      {
        key: `${word} ${part.x}`,
        x: ends(part)[index],
        y,
        "text-anchor": "end",
        class: "dc-soft",
        "font-size": fitSize(say(word), 12.5, (part.w - 28) * 0.22),
      },
      say(word),
    ),
  );
}

/** The width in ems of the largest number the ledger will show, which is a sum. */
function longestNumber(model) {
  const sum = (of) => Object.entries(model.totals).reduce((all, [name, total]) => all + of(total, name), 0);
  const numbers = sum((total, name) => numbersOf(model, name, total));
  const largest = Math.max(sum(({ read }) => read), sum(({ write }) => write), numbers, 1);
  return Math.max(widthOf(largest.toLocaleString("en")) * BOLD, 3);
}

const numbersOf = (model, name, tally) =>
  (tally.read + tally.write) / (model.byName[name] ? model.byName[name].bytes : 4);

function ledgerRow({ model, state, say }, name, box, y, step, size) {
  const columns = ends(box);
  const tally = state.tallies[name] || { read: 0, write: 0 };
  const total = model.totals[name] || tally;
  const done = (tally.read + tally.write) / Math.max(total.read + total.write, 1);
  const colour = family(name);
  const values = [tally.read, tally.write, numbersOf(model, name, tally)];
  const w = box.w - 28;
  return [
    el("rect", {
      key: `${name} plate`,
      x: box.x + 14,
      y: y - size * 0.72,
      width: Math.max(26, widthOf(name) * size + 10),
      height: size * 1.44,
      rx: 4,
      fill: `var(--dc-${colour}-fill)`,
    }),
    el(
      "text",
      {
        key: `${name} name`,
        x: box.x + 14 + Math.max(26, widthOf(name) * size + 10) / 2,
        y: y + size * 0.36,
        "text-anchor": "middle",
        class: "dc-letter",
        "font-size": size,
        fill: `var(--dc-${colour}-ink)`,
      },
      name,
    ),
    values.map((value, index) =>
      el(
        "text",
        {
          key: `${name} ${index}`,
          x: columns[index],
          y: y + size * 0.36,
          "text-anchor": "end",
          class: value ? "dc-num" : "dc-num dc-faint",
          "font-size": size,
          "data-tally": `${name} ${COLUMNS[index]}`,
        },
        say.number(value),
      ),
    ),
    el("rect", {
      key: `${name} bar`,
      x: box.x + 14,
      y: y + step / 2 - 3,
      width: Math.max(w * Math.min(done, 1), 0.01),
      height: 2,
      fill: `var(--dc-${colour}-fill)`,
    }),
  ];
}

function sums({ model, state, say, k }, box, y, size) {
  const columns = ends(box);
  const tallies = Object.entries(state.tallies);
  const values = [
    tallies.reduce((sum, [, tally]) => sum + tally.read, 0),
    tallies.reduce((sum, [, tally]) => sum + tally.write, 0),
    tallies.reduce((sum, [name, tally]) => sum + numbersOf(model, name, tally), 0),
  ];
  const done = k === model.stepCount;
  return group(
    { key: "sums" },
    el(
      "text",
      { x: box.x + 14, y: y + size * 0.36, class: "dc-strong", "font-size": fitSize(say("sum"), size, box.w * 0.2) },
      say("sum"),
    ),
    done &&
      el("path", {
        key: "done",
        d: `M${box.x + 18 + widthOf(say("sum")) * size} ${y}l4 4l7 -9`,
        fill: "none",
        stroke: "var(--done)",
        "stroke-width": 2.5,
      }),
    values.map((value, index) =>
      el(
        "text",
        {
          key: `sum${index}`,
          x: columns[index],
          y: y + size * 0.36,
          "text-anchor": "end",
          class: "dc-num dc-strong",
          "font-size": size,
        },
        say.number(value),
      ),
    ),
  );
}

/** One small table for each crossing of the whole N×N table, filling as it is carried. */
function crossings({ model, state, say }, { x, y, w }, wide) {
  const now = carriesOf(model, state.tallies);
  const { names } = carriesOf(model, model.totals);
  const count = names.length;
  const room = wide ? w : w * 0.36;
  const size = Math.min(wide ? 24 : 20, (room + 6) / Math.max(count, 1) - 6);
  const text = say("carries", { count: Number(now.tables.toFixed(2)) });
  const numbers = say("carried_numbers", { numbers: say.number(now.numbers) });
  const [left, top] = wide ? [x, y + 50] : [x + w - count * (size + 6) + 6, y + 15];
  const words = wide ? w : w - count * (size + 6) - 4;
  return group(
    { key: "carries" },
    el("path", { d: `M${x} ${y + 3}h${w}`, stroke: "var(--line)" }),
    el("text", { x, y: y + 22, class: "dc-strong", "font-size": fitSize(text, wide ? 15 : 13, words) }, text),
    el("text", { x, y: y + 40, class: "dc-soft", "font-size": fitSize(numbers, wide ? 13 : 12, words) }, numbers),
    names.map((name, index) =>
      crossing(left + index * (size + 6), top, size, Math.max(0, Math.min(1, now.tables - index)), { name, index }),
    ),
  );
}

function crossing(x, y, size, share, { name, index }) {
  const third = size / 3;
  return group(
    { key: index },
    el("rect", {
      x,
      y,
      width: size,
      height: size,
      rx: 3,
      fill: "var(--paper)",
      stroke: "var(--dc-S-line)",
      "stroke-opacity": 0.6,
    }),
    el("rect", {
      x,
      y: y + size * (1 - share),
      width: size,
      height: Math.max(size * share, 0.01),
      rx: 3,
      fill: `var(--dc-${family(name)}-fill)`,
    }),
    el("path", {
      d: `M${x + third} ${y}v${size}M${x + 2 * third} ${y}v${size}M${x} ${y + third}h${size}M${x} ${y + 2 * third}h${size}`,
      stroke: "var(--panel)",
      "stroke-width": 0.8,
    }),
  );
}
