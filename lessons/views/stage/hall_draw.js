// The hallway: desks of the thread blocks on the floor, the shelf between, the cabinet, and the two lines that are counted.

import { chip, family } from "./draw_room.js";
import { panel } from "./draw_panels.js";
import { crossed, timesOf, unfiled } from "./hall_model.js";
import { el, group } from "./vdom.js";
import { fitSize, widthOf, wrap } from "./words.js";

const HEADING = 44;
const LANE = 150;

/** Geometry: where every desk, slot and drawer is, where people stand, and how large a tile is in each place. */
export function hallPlan(model, picture) {
  const { desks, shelf, cabinet, floor } = picture;
  const top = desks.y + HEADING;
  const lane = Math.min((floor - top) / model.desks, LANE);
  const scale = Math.min(lane / 92, desks.w / 260, 1);
  const tile = { w: Math.min(48, (desks.w - 54 * scale - 16) / 3 - 4), h: Math.min(40, lane - 52 * scale) };
  const places = [...Array(model.desks).keys()].map((index) => {
    const feet = floor - (model.desks - 1 - index) * lane;
    return { feet, board: feet - 30 * scale, home: desks.x + 3 * (tile.w + 4) + 38 * scale };
  });
  const rows = Math.ceil(model.places / picture.columns);
  const cell = { w: (shelf.w - 14) / picture.columns, h: Math.min(52, (floor - top - 16) / Math.max(rows, 6)) };
  const names = Object.keys(model.byName);
  const height = (floor - top - 10) / names.length;
  const drawers = Object.fromEntries(
    names.map((name, index) => [name, { x: cabinet.x + 6, y: top + 6 + index * height, w: cabinet.w - 12, h: height - 5 }]),
  );
  const board = floor - 8 - rows * cell.h;
  return { floor, top, scale, tile, places, rows, cell, board, drawers, book: { w: cell.w - 6, h: cell.h - 12 } };
}

/** The top left corner of the chip at a desk: Q, K and V lie side by side. */
export function deskSpot({ desks }, plan, desk, index) {
  return { x: desks.x + 6 + index * (plan.tile.w + 4), y: plan.places[desk].board - plan.tile.h };
}

/** The top left corner of the chip in a slot of the shelf. */
export function slotSpot({ shelf, columns }, plan, slot) {
  const [row, column] = [Math.floor(slot / columns), slot % columns];
  return { x: shelf.x + 7 + column * plan.cell.w + 3, y: plan.board + row * plan.cell.h + 5 };
}

/** Wall and floor behind everything, and the headings. */
export function drawHall({ say }, { hall, desks, shelf, cabinet, floor }) {
  const bottom = hall.y + hall.h;
  return group(
    { key: "hall" },
    el("rect", { x: hall.x, y: hall.y, width: hall.w, height: hall.h, rx: 14, fill: "var(--wall)" }),
    el("path", {
      d: `M${hall.x} ${floor - 12}h${hall.w}v${bottom - floor - 2}q0 14 -14 14h${28 - hall.w}q-14 0 -14 -14z`,
      fill: "var(--floor)",
    }),
    heads("desks", desks, say("desks"), say("desks_real")),
    heads("shelf", shelf, say("shelf"), say("shelf_real")),
    heads("cabinet", cabinet, say("cabinet"), say("cabinet_short")),
  );
}

function heads(key, box, title, real) {
  const size = fitSize(real, 12, box.w);
  const lines = size < 9.5 ? wrap(real, 9.5, box.w, 2) : [real];
  return group(
    { key },
    el("text", { x: box.x, y: box.y + 15, class: "dc-head", "font-size": fitSize(title, 18, box.w) }, title),
    lines.map((line, index) =>
      el("text", { x: box.x, y: box.y + 31 + index * 11, class: "dc-soft", "font-size": Math.max(size, 9.5) }, line),
    ),
  );
}

/** The desks of the thread blocks on the floor, each with its Q and the K and V it has just taken. */
export function drawDesks(view, picture, plan) {
  return group(
    { key: "desks on the floor" },
    plan.places.map((place, index) => oneDesk(view, picture, plan, place, index)),
  );
}

function oneDesk({ say, state }, picture, plan, { feet, board }, index) {
  const { desks } = picture;
  const held = state.desks[index];
  const w = 3 * (plan.tile.w + 4) + 8;
  const name = held ? say("thread_block", { i: held.i }) : say("nobody");
  const leg = (x) =>
    el("rect", { x, y: board + 8, width: 7 * plan.scale, height: feet - board - 8, fill: "var(--wood-dark)" });
  return group(
    { key: index },
    leg(desks.x + 8),
    leg(desks.x + w - 8 - 7 * plan.scale),
    el("rect", { key: "board", x: desks.x, y: board, width: w, height: 9, rx: 3, fill: "var(--wood)" }),
    el(
      "text",
      {
        x: desks.x + w / 2,
        y: board + 9 + (feet - board - 9) * 0.66,
        "text-anchor": "middle",
        class: held ? "dc-num" : "dc-num dc-faint",
        "font-size": fitSize(name, 12.5, w - 40 * plan.scale),
      },
      name,
    ),
    held &&
      held.tiles.map((tile, place) => {
        const { x, y } = deskSpot(picture, plan, index, place);
        return el("g", { key: tile.key, transform: `translate(${x} ${y})` }, chip(tile, plan.tile));
      }),
  );
}

/** The shelf: every tile in its place, the one that leaves next marked, results not yet filed with a turned corner. */
export function drawShelf({ model, state, say }, picture, plan) {
  const { shelf } = picture;
  const full = state.slots.every(Boolean);
  const y = plan.board;
  const boards = [...Array(plan.rows + 1).keys()].map((row) => `M${shelf.x} ${y + row * plan.cell.h - 2}h${shelf.w}`);
  return group(
    { key: "shelf" },
    el("rect", {
      key: "case",
      x: shelf.x,
      y: y - 6,
      width: shelf.w,
      height: plan.floor - y + 2,
      rx: 5,
      fill: "var(--paper)",
      stroke: "var(--wood-dark)",
      "stroke-width": 3,
    }),
    el("path", { key: "boards", d: boards.join(""), stroke: "var(--wood)", "stroke-width": 4, fill: "none" }),
    [...Array(plan.rows * picture.columns - model.places).keys()].map((blank) =>
      closed(slotSpot(picture, plan, model.places + blank), plan.book, blank),
    ),
    state.slots.map((tile, slot) => tile && onShelf(tile, slotSpot(picture, plan, slot), plan.book, full && tile.key === state.order[0])),
    el("title", { key: "words" }, say("shelf_holds", { places: model.places })),
  );
}

const closed = ({ x, y }, { w, h }, key) =>
  el("rect", { key: `closed${key}`, x: x - 2, y, width: w + 4, height: h + 5, fill: "var(--wood-dark)", "fill-opacity": 0.35 });

function onShelf(tile, { x, y }, { w, h }, next) {
  const turn = Math.min(w, h) * 0.34;
  return el("g", { key: tile.key, transform: `translate(${x} ${y})`, "data-shelf": `${tile.tensor}${tile.r}` }, [
    ...chip(tile, { w, h }, next),
    next && el("rect", { key: "next", x: -2.5, y: -2.5, width: w + 5, height: h + 5, rx: 8, fill: "none", stroke: "var(--text)", "stroke-width": 2, "stroke-dasharray": "4 3" }),
    tile.dirty && el("path", { key: "dirty", d: `M${w} ${turn}v${-turn}h${-turn}z`, fill: "var(--paper)", stroke: `var(--dc-${family(tile.tensor)}-line)` }),
  ]);
}

/** The cabinet's drawers; above every block stands how often it has crossed to or from the shelf. */
export function drawFiles({ model, state, say, active }, picture, plan) {
  const { cabinet } = picture;
  return group(
    { key: "cabinet" },
    el("rect", { key: "body", x: cabinet.x, y: plan.top, width: cabinet.w, height: plan.floor - plan.top - 4, rx: 6, fill: "var(--metal)", stroke: "var(--metal-dark)" }),
    Object.values(model.byName).map((tensor) => file({ state, say }, tensor, plan.drawers[tensor.name], active.has(tensor.name))),
  );
}

function file({ state, say }, tensor, box, open) {
  const { name, blocks } = tensor;
  const colour = family(name);
  const word = say.known(`drawer_${name}`) ? say(`drawer_${name}`) : name;
  const plate = { w: Math.min(30, box.w * 0.34), h: Math.min(24, box.h * 0.4) };
  const inner = { x: box.x + 6, w: box.w - 12, y: box.y + plate.h + 12 };
  const cell = { w: inner.w / blocks, h: box.y + box.h - 6 - inner.y };
  return group(
    { key: name, class: "dc-drawer", transform: `translate(${open ? -7 : 0} 0)` },
    el("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 5, fill: "var(--paper)", stroke: open ? `var(--dc-${colour}-line)` : "var(--metal-dark)", "stroke-width": open ? 3 : 1 }),
    el("rect", { x: box.x + 6, y: box.y + 6, width: plate.w, height: plate.h, rx: 4, fill: `var(--dc-${colour}-fill)` }),
    el("text", { x: box.x + 6 + plate.w / 2, y: box.y + 6 + plate.h * 0.74, "text-anchor": "middle", class: "dc-letter", "font-size": plate.h * 0.7, fill: `var(--dc-${colour}-ink)` }, name),
    el("text", { x: box.x + plate.w + 13, y: box.y + 6 + plate.h * 0.7, "font-size": fitSize(word, 14, Math.max(box.w - plate.w - 20, 8)) }, word),
    [...Array(blocks).keys()].map((block) => filed(state, name, colour, block, { x: inner.x + block * cell.w, y: inner.y, ...cell })),
  );
}

/** One block in a drawer: coloured while the cabinet has it, with the number of its crossings. */
function filed(state, name, colour, block, { x, y, w, h }) {
  const times = state.crossings[`${name}:${block}`] || 0;
  const there = name !== "O" || times > 0;
  const size = Math.min(w * 0.86, h * 0.7, 15);
  return group(
    { key: block },
    el("rect", { x: x + 0.8, y, width: w - 1.6, height: h, rx: 2.5, fill: there ? `var(--dc-${colour}-fill)` : "var(--wall)", "fill-opacity": times || name === "O" ? 1 : 0.3, stroke: "var(--line)" }),
    times > 0 && size >= 7 && el("text", { x: x + w / 2, y: y + h / 2 + size * 0.36, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": size, fill: `var(--dc-${colour}-ink)` }, times),
  );
}

/** The two lines at which bytes are counted, each ending in its ruler and what has crossed so far. */
export function drawLines({ say, state }, picture) {
  return group({ key: "lines" }, ["desk", "cabinet"].map((name) => countedLine(say, name, crossed(state, name), picture)));
}

function countedLine(say, name, bytes, { hall, floor, strip, lines }) {
  const x = lines[name];
  const half = Math.min(hall.w * 0.25, 112);
  const middle = Math.max(hall.x + half + 4, Math.min(hall.x + hall.w - half - 4, x));
  const y = floor + 8;
  const title = say(`${name}_ruler`);
  const number = say("bytes", { bytes: say.number(bytes) });
  return group(
    { key: name },
    el("path", { d: `M${x} ${hall.y + 12}V${y}`, stroke: "var(--accent)", "stroke-width": 2, "stroke-dasharray": "2 5", fill: "none" }),
    el("rect", { x: middle - half, y, width: 2 * half, height: strip - 4, rx: 8, fill: "var(--panel)", stroke: "var(--accent)", "stroke-width": 1.5 }),
    el("text", { x: middle, y: y + 16, "text-anchor": "middle", class: "dc-soft", "font-size": fitSize(title, 12.5, 2 * half - 12) }, title),
    el("text", { x: middle, y: y + 35, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": fitSize(number, 18, 2 * half - 12), "data-hall": name }, number),
  );
}

const ROWS = ["Q", "K", "V", "O"];

/** Bytes by tensor at both lines, what is still unfiled, and how often K and V crossed each line. */
export function drawBoth(view, box) {
  const { say, state } = view;
  const w = box.w - 28;
  const step = Math.min(34, (box.h - 178) / (ROWS.length + 2));
  const columns = [0.62, 1].map((share) => box.x + 14 + w * share);
  const size = Math.min(17, step * 0.58);
  const y = (index) => box.y + 58 + (index + 0.5) * step;
  const total = (line) => crossed(state, line);
  return group(
    { key: "both" },
    panel(box),
    ["desk", "cabinet"].map((line, index) => {
      const words = say(`${line}_ruler`);
      return el("text", { key: line, x: columns[index], y: box.y + 30, "text-anchor": "end", class: "dc-head", "font-size": fitSize(words, 14, w * 0.37) }, words);
    }),
    el("text", { key: "unit", x: columns[1], y: box.y + 47, "text-anchor": "end", class: "dc-soft", "font-size": 11.5 }, say("in_bytes")),
    ROWS.map((name, index) => bothRow(view, name, box.x + 14, columns, y(index), size)),
    el("path", { key: "line", d: `M${box.x + 14} ${y(ROWS.length) - step / 2}h${w}`, stroke: "var(--soft)" }),
    figures("sum", say("sum"), [total("desk"), total("cabinet")], box.x + 14, columns, y(ROWS.length), size, say, "dc-num dc-strong"),
    figures("left", say("left"), [null, unfiled(view.model, state)], box.x + 14, columns, y(ROWS.length + 1), size * 0.92, say, "dc-num dc-soft"),
    times(view, { x: box.x + 14, y: box.y + box.h - 108, w }),
  );
}

function bothRow({ say, state }, name, x, columns, y, size) {
  const colour = family(name);
  const plate = Math.max(26, widthOf(name) * size + 10);
  const { desk, cabinet } = state.tallies[name];
  return group(
    { key: name },
    el("rect", { x, y: y - size * 0.72, width: plate, height: size * 1.44, rx: 4, fill: `var(--dc-${colour}-fill)` }),
    el("text", { x: x + plate / 2, y: y + size * 0.36, "text-anchor": "middle", class: "dc-letter", "font-size": size, fill: `var(--dc-${colour}-ink)` }, name),
    figures("numbers", "", [desk.read + desk.write, cabinet.read + cabinet.write], x, columns, y, size, say, "dc-num", name),
  );
}

function figures(key, words, numbers, x, columns, y, size, say, look, mark = key) {
  return group(
    { key },
    words && el("text", { x, y: y + size * 0.36, class: look, "font-size": fitSize(words, size, columns[0] - x - (numbers[0] === null ? -20 : 70)) }, words),
    numbers.map(
      (number, index) =>
        number !== null &&
        el("text", { key: index, x: columns[index], y: y + size * 0.36, "text-anchor": "end", class: look, "font-size": size, "data-hall": `${mark} ${["desk", "cabinet"][index]}` }, say.number(number)),
    ),
  );
}

/** How often all of K and V crossed each line so far, and which wave of thread blocks is on the floor. */
function times({ model, say, state }, { x, y, w }) {
  const figure = (line) => `${Number(timesOf(model, state, line).toFixed(2))}×`;
  const rows = [
    [say("asked"), figure("desk"), "asked"],
    [say("served"), figure("cabinet"), "served"],
    [say("wave"), say("of", { part: state.wave, whole: model.waves }), "wave"],
  ];
  return group(
    { key: "times" },
    el("path", { d: `M${x} ${y}h${w}`, stroke: "var(--line)" }),
    rows.map(([words, number, mark], index) =>
      group(
        { key: mark },
        el("text", { x, y: y + 27 + index * 32, class: "dc-soft", "font-size": fitSize(words, 14, w * 0.68) }, words),
        el("text", { x: x + w, y: y + 29 + index * 32, "text-anchor": "end", class: "dc-num dc-strong", "font-size": index < 2 ? 22 : 17, "data-hall": mark }, number),
      ),
    ),
  );
}
