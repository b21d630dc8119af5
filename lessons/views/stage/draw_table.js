// The N×N table on the wall: every tile's state, the numbers in its cells where they are recorded, the chosen row.

import { family } from "./draw_room.js";
import { TILE } from "./model.js";
import { el, group } from "./vdom.js";
import { figure, fitSize, widthOf } from "./words.js";

const STATES = ["none", "desk", "thrown", "cabinet", "skipped"];

/** Where the table's grid lies in its panel: origin, size of a cell, sizes of the whole. */
export function tableGrid(model, box) {
  const head = { top: 48, left: 34, right: 22, bottom: 40 };
  const cell = Math.min((box.w - head.left - head.right) / model.n_k, (box.h - head.top - head.bottom) / model.n_q);
  const [w, h] = [cell * model.n_k, cell * model.n_q];
  return { x: box.x + head.left + (box.w - head.left - head.right - w) / 2, y: box.y + head.top, cell, w, h };
}

export function tileBox(model, grid, i, j) {
  const x = grid.x + j * model.bc * grid.cell;
  const y = grid.y + i * model.br * grid.cell;
  const w = Math.min(model.bc, model.n_k - j * model.bc) * grid.cell;
  const h = Math.min(model.br, model.n_q - i * model.br) * grid.cell;
  return { x, y, w, h };
}

/** The panel of the table: heading, block marks, tiles, masked cells, the row marker and the legend. */
export function drawTable(view, box) {
  const { model, say } = view;
  const grid = tableGrid(model, box);
  const size = `${model.n_q} × ${model.n_k}`;
  return group(
    { key: "table", class: "dc-table" },
    el(
      "text",
      { x: box.x + box.w / 2, y: box.y + 18, class: "dc-head", "font-size": 18, "text-anchor": "middle" },
      say("table", { size }),
    ),
    marks(view, grid),
    tiles(view, grid),
    cellLines(model, grid),
    maskedCells(model, grid),
    rowMarker(view, grid),
    legend(view, { ...box, y: grid.y + grid.h + 14 }),
  );
}

function tiles(view, grid) {
  const { model, state } = view;
  const memo = view.memo.tiles || (view.memo.tiles = new Map());
  const gap = Math.min(2, model.br * grid.cell * 0.08);
  const children = [];
  for (let index = 0; index < state.table.length; index++) {
    const numbers = showsNumbers(model, grid) && state.table[index] !== TILE.none ? state.numbers[index] : null;
    const kind = `${index} ${state.table[index]} ${state.letters[index]}`;
    const known = memo.get(index);
    if (!known || known.kind !== kind || known.numbers !== numbers) {
      const node = tile(view, grid, index, gap, numbers);
      memo.set(index, { kind, numbers, node });
    }
    children.push(memo.get(index).node);
  }
  return group({ key: "tiles" }, children);
}

const LOOKS = [
  () => ({ fill: "var(--paper)", stroke: "var(--line)", "stroke-dasharray": "3 3" }),
  (letter) => ({ fill: `var(--dc-${letter}-fill)`, stroke: "var(--text)", "stroke-width": 2 }),
  (letter) => ({ fill: "url(#dc-thrown)", stroke: `var(--dc-${letter}-line)`, "stroke-opacity": 0.45 }),
  (letter) => ({ fill: `var(--dc-${letter}-fill)`, stroke: `var(--dc-${letter}-line)` }),
  () => ({ fill: "url(#dc-hatch)", stroke: "var(--line)", "stroke-opacity": 0.5 }),
];

/** A tile's face in one of the five states; what is filed has a frame within, like a drawer's front. */
function face(state, letter, x, y, w, h) {
  const outer = el("rect", { x, y, width: w, height: h, rx: Math.min(5, w * 0.12), ...LOOKS[state](letter) });
  if (state !== TILE.cabinet) return [outer];
  const by = Math.max(0.8, Math.min(3, w * 0.12));
  return [
    outer,
    el("rect", {
      x: x + by,
      y: y + by,
      width: Math.max(w - 2 * by, 0.1),
      height: Math.max(h - 2 * by, 0.1),
      rx: Math.min(3, w * 0.08),
      fill: "none",
      stroke: "var(--paper)",
      "stroke-width": Math.min(1.6, w * 0.09),
    }),
  ];
}

function tile(view, grid, index, gap, numbers) {
  const { model, state } = view;
  const [i, j] = [Math.floor(index / model.t_c), index % model.t_c];
  const { x, y, w, h } = tileBox(model, grid, i, j);
  const letter = state.letters[index];
  const colour = family(letter);
  const mark = { key: index, "data-tile": `${i},${j}`, "data-state": STATES[state.table[index]] };
  const front = face(state.table[index], colour, x + gap / 2, y + gap / 2, w - gap, h - gap);
  if (numbers) return group(mark, front, cellNumbers(view, grid, numbers, x, y, state.table[index]));
  const size = Math.min(h * 0.42, w * 0.42, 30);
  const named = size >= 7 && (state.table[index] === TILE.desk || state.table[index] === TILE.cabinet);
  if (!named) return group(mark, front);
  const ink = `var(--dc-${colour}-ink)`;
  return group(
    mark,
    front,
    el(
      "text",
      {
        x: x + w / 2,
        y: y + h / 2 + size * 0.36,
        "font-size": size,
        "text-anchor": "middle",
        class: "dc-letter",
        fill: ink,
      },
      letter,
    ),
  );
}

const showsNumbers = (model, grid) => model.n_q <= 16 && model.n_k <= 16 && grid.cell >= 13;

function cellNumbers(view, grid, { cells, name }, x, y, state) {
  const ink = state === TILE.thrown ? "var(--faint)" : `var(--dc-${family(name)}-ink)`;
  const texts = cells.flatMap((line, r) =>
    line.map((value, c) => ({ text: figure(value, grid.cell < 26 ? 1 : 2), r, c })),
  );
  const widest = Math.max(...texts.map(({ text }) => widthOf(text)), 2);
  const size = Math.min(grid.cell * 0.42, (grid.cell * 0.78) / widest);
  return texts.map(({ text, r, c }) =>
    el(
      "text",
      {
        x: x + (c + 0.5) * grid.cell,
        y: y + (r + 0.5) * grid.cell + size * 0.36,
        "font-size": size.toFixed(1),
        "text-anchor": "middle",
        class: state === TILE.thrown ? "dc-num dc-halo" : "dc-num",
        fill: ink,
      },
      text,
    ),
  );
}

function cellLines(model, grid) {
  if (model.n_q > 64 || model.n_k > 64 || grid.cell < 4) return null;
  let d = "";
  for (let c = 1; c < model.n_k; c++) if (c % model.bc) d += `M${grid.x + c * grid.cell} ${grid.y}v${grid.h}`;
  for (let r = 1; r < model.n_q; r++) if (r % model.br) d += `M${grid.x} ${grid.y + r * grid.cell}h${grid.w}`;
  return el("path", {
    key: "cells",
    d,
    stroke: "var(--text)",
    "stroke-opacity": 0.16,
    "stroke-width": 1,
    fill: "none",
  });
}

/** Cells that a mask hides, hatched; `masked` has one string of 0 and 1 a row, 1 for a visible cell. */
function maskedCells(model, grid) {
  if (!model.masked) return null;
  let d = "";
  model.masked.forEach((line, r) => {
    for (const run of String(line).matchAll(/0+/g)) {
      d += `M${grid.x + run.index * grid.cell} ${grid.y + r * grid.cell}h${run[0].length * grid.cell}v${grid.cell}h${-run[0].length * grid.cell}z`;
    }
  });
  return el("path", { key: "masked", d, fill: "url(#dc-mask)" });
}

/** Along the edges: Q's blocks on the left, K's on top, the ones at work filled. */
function marks(view, grid) {
  const { model, focus } = view;
  const rows = edge(model.edge ?? "Q", model.t_r, focus && focus.i, model.br, model.n_q, grid, true);
  const columns = edge("K", model.t_c, focus && focus.j, model.bc, model.n_k, grid, false);
  return group({ key: "marks" }, rows, columns);
}

function edge(tensor, count, current, step, n, grid, down) {
  const many = count > 64;
  const shown = many ? (current === null || current === undefined ? [] : [current]) : [...Array(count).keys()];
  const colour = tensor === "K" ? "K" : "Q";
  return shown.map((index) => {
    const [from, length] = [index * step * grid.cell, Math.min(step, n - index * step) * grid.cell];
    const lit = index === current;
    const box = down
      ? { x: grid.x - 24, y: grid.y + from + 1, width: 18, height: length - 2 }
      : { x: grid.x + from + 1, y: grid.y - 20, width: length - 2, height: 16 };
    const paint = {
      rx: 4,
      fill: lit ? `var(--dc-${colour}-fill)` : "var(--paper)",
      stroke: `var(--dc-${colour}-line)`,
      "stroke-opacity": lit ? 1 : 0.45,
    };
    const text = `${tensor}${index}`;
    const fits = length >= 22;
    return group(
      { key: `${tensor}${index}` },
      el("rect", { ...box, ...paint }),
      fits &&
        el(
          "text",
          {
            x: box.x + box.width / 2,
            y: box.y + box.height / 2 + 4,
            "font-size": fitSize(text, 11.5, down ? 17 : length - 4),
            "text-anchor": "middle",
            class: "dc-letter",
            fill: lit ? `var(--dc-${colour}-ink)` : `var(--dc-${colour}-line)`,
          },
          text,
        ),
    );
  });
}

/** The row whose card is shown, framed across the table, with a pointer at its right. */
function rowMarker({ model, row }, grid) {
  if (!model.carded) return null;
  const y = grid.y + row * grid.cell;
  const tall = Math.max(grid.cell, 3);
  const [tip, mid] = [grid.x + grid.w + 4, y + tall / 2];
  return group(
    { key: "row" },
    el("rect", {
      x: grid.x - 2,
      y: y - 1,
      width: grid.w + 4,
      height: tall + 2,
      rx: 3,
      fill: "none",
      stroke: "var(--dc-card-line)",
      "stroke-width": 2.5,
    }),
    el("path", { d: `M${tip} ${mid}l12 -8v16z`, fill: "var(--dc-card-fill)" }),
  );
}

/** What the looks mean: pattern, colour and word. Only states that this worker's tiles can have. */
function legend(view, box) {
  const { model, say } = view;
  const states = [TILE.none, TILE.desk, model.stored ? TILE.cabinet : TILE.thrown];
  if ((model.skipped || []).length) states.push(TILE.skipped);
  const labels = states.map((state) => ({ state, text: say(`tile_${STATES[state]}`) }));
  const size = 12;
  const widths = labels.map(({ text }) => 20 + widthOf(text) * size + 12);
  const total = widths.reduce((sum, width) => sum + width, 0);
  const lines =
    total <= box.w
      ? [[0, labels.length]]
      : [
          [0, 2],
          [2, labels.length],
        ];
  return group(
    { key: "legend" },
    lines.map(([from, to], line) => {
      let x = box.x + (box.w - widths.slice(from, to).reduce((sum, width) => sum + width, 0) + 12) / 2;
      return labels.slice(from, to).map(({ state, text }, index) => {
        const at = x;
        x += widths[from + index];
        return group(
          { key: state },
          face(state, "S", at, box.y + line * 18, 14, 14),
          el("text", { x: at + 19, y: box.y + line * 18 + 11.5, "font-size": size, class: "dc-soft" }, text),
        );
      });
    }),
  );
}
