// The hallway: desks of the thread blocks on the floor, the shelf between, the cabinet, and the two lines that are counted.

import { chip, family } from "./draw_room.js";
import { crossed } from "./hall_model.js";
import { el, group } from "./vdom.js";
import { fitSize, wrap } from "./words.js";

const HEADING = 44;
const LANE = 150;
export const MIDDLE = { "text-anchor": "middle" };
export const RIGHT = { "text-anchor": "end" };

export const slab = (x, y, width, height, rx, fill, more) => el("rect", { x, y, width, height, rx, fill, ...more });
export const writing = (x, y, size, text, more) => el("text", { x, y, "font-size": size, ...more }, text);
const put = (key, { x, y }, children, more) => el("g", { key, transform: `translate(${x} ${y})`, ...more }, children);

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
  const board = floor - 8 - rows * cell.h;
  const book = { w: cell.w - 6, h: cell.h - 12 };
  return { floor, top, scale, tile, places, rows, cell, board, book, drawers: drawersOf(model, cabinet, top, floor) };
}

function drawersOf(model, { x, w }, top, floor) {
  const names = Object.keys(model.byName);
  const height = (floor - top - 10) / names.length;
  const at = (index) => ({ x: x + 6, y: top + 6 + index * height, w: w - 12, h: height - 5 });
  return Object.fromEntries(names.map((name, index) => [name, at(index)]));
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
  const ground = `M${hall.x} ${floor - 12}h${hall.w}v${bottom - floor - 2}q0 14 -14 14h${28 - hall.w}q-14 0 -14 -14z`;
  return group(
    { key: "hall" },
    slab(hall.x, hall.y, hall.w, hall.h, 14, "var(--wall)"),
    el("path", { d: ground, fill: "var(--floor)" }),
    heads("desks", desks, say("desks"), say("desks_real")),
    heads("shelf", shelf, say("shelf"), say("shelf_real")),
    heads("cabinet", cabinet, say("cabinet"), say("cabinet_short")),
  );
}

function heads(key, { x, y, w }, title, real) {
  const size = Math.max(fitSize(real, 12, w), 9.5);
  const lines = wrap(real, size, w + 1, 2);
  return group(
    { key },
    writing(x, y + 15, fitSize(title, 18, w), title, { class: "dc-head" }),
    lines.map((line, index) => writing(x, y + 31 + index * 11, size, line, { class: "dc-soft" })),
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
  const { x } = picture.desks;
  const held = state.desks[index];
  const w = 3 * (plan.tile.w + 4) + 8;
  const name = held ? say("thread_block", { i: held.i }) : say("nobody");
  const leg = (at) => slab(at, board + 8, 7 * plan.scale, feet - board - 8, 0, "var(--wood-dark)");
  const tiles = held ? held.tiles : [];
  return group(
    { key: index },
    leg(x + 8),
    leg(x + w - 8 - 7 * plan.scale),
    slab(x, board, w, 9, 3, "var(--wood)", { key: "board" }),
    writing(x + w / 2, board + 9 + (feet - board - 9) * 0.66, fitSize(name, 12.5, w - 40 * plan.scale), name, {
      class: held ? "dc-num" : "dc-num dc-faint",
      ...MIDDLE,
    }),
    tiles.map((tile, place) => put(tile.key, deskSpot(picture, plan, index, place), chip(tile, plan.tile))),
  );
}

/** The shelf: every tile in its place, the one that leaves next marked, results not yet filed with a turned corner. */
export function drawShelf({ model, state, say }, picture, plan) {
  const { shelf, columns } = picture;
  const next = state.slots.every(Boolean) ? state.order[0] : null;
  const y = plan.board;
  const frame = { key: "case", stroke: "var(--wood-dark)", "stroke-width": 3 };
  const boards = [...Array(plan.rows + 1).keys()].map((row) => `M${shelf.x} ${y + row * plan.cell.h - 2}h${shelf.w}`);
  const blanks = [...Array(plan.rows * columns - model.places).keys()].map((index) => model.places + index);
  return group(
    { key: "shelf" },
    slab(shelf.x, y - 6, shelf.w, plan.floor - y + 2, 5, "var(--paper)", frame),
    el("path", { key: "boards", d: boards.join(""), stroke: "var(--wood)", "stroke-width": 4, fill: "none" }),
    blanks.map((slot) => closed(slotSpot(picture, plan, slot), plan.book, slot)),
    state.slots.map((tile, slot) => tile && onShelf(tile, slotSpot(picture, plan, slot), plan.book, tile.key === next)),
    el("title", { key: "words" }, say("shelf_holds", { places: model.places })),
  );
}

/** Where the shelf has no more room. */
const closed = ({ x, y }, { w, h }, slot) =>
  slab(x - 2, y, w + 4, h + 5, 0, "var(--wood-dark)", { key: `closed${slot}`, "fill-opacity": 0.35 });

function onShelf(tile, spot, { w, h }, next) {
  const turn = Math.min(w, h) * 0.34;
  const corner = { key: "dirty", d: `M${w} ${turn}v${-turn}h${-turn}z`, fill: "var(--paper)" };
  const parts = [
    ...chip(tile, { w, h }),
    next && slab(-2.5, -2.5, w + 5, h + 5, 8, "none", { key: "next", ...NEXT }),
    tile.dirty && el("path", { ...corner, stroke: `var(--dc-${family(tile.tensor)}-line)` }),
  ];
  return put(tile.key, spot, parts, { "data-shelf": `${tile.tensor}${tile.r}` });
}

/** The frame around the tile that leaves the shelf next. */
export const NEXT = { stroke: "var(--text)", "stroke-width": 2, "stroke-dasharray": "4 3" };

/** The cabinet's drawers; on every block stands how often it has crossed to or from the shelf. */
export function drawFiles(view, { cabinet }, plan) {
  const frame = { key: "body", stroke: "var(--metal-dark)" };
  return group(
    { key: "cabinet" },
    slab(cabinet.x, plan.top, cabinet.w, plan.floor - plan.top - 4, 6, "var(--metal)", frame),
    Object.values(view.model.byName).map((tensor) => file(view, tensor, plan.drawers[tensor.name])),
  );
}

function file({ state, say, active }, { name, blocks }, box) {
  const colour = family(name);
  const open = active.has(name);
  const word = say.known(`drawer_${name}`) ? say(`drawer_${name}`) : name;
  const plate = { w: Math.min(30, box.w * 0.42), h: Math.min(24, box.h * 0.4) };
  const size = fitSize(word, 14, Math.max(box.w - plate.w - 20, 1));
  const inner = { x: box.x + 6, w: box.w - 12, y: box.y + plate.h + 12 };
  const cell = { w: inner.w / blocks, h: box.y + box.h - 6 - inner.y };
  const front = { stroke: open ? `var(--dc-${colour}-line)` : "var(--metal-dark)", "stroke-width": open ? 3 : 1 };
  const letter = { class: "dc-letter", fill: `var(--dc-${colour}-ink)`, ...MIDDLE };
  return group(
    { key: name, class: "dc-drawer", transform: `translate(${open ? -7 : 0} 0)` },
    slab(box.x, box.y, box.w, box.h, 5, "var(--paper)", front),
    slab(box.x + 6, box.y + 6, plate.w, plate.h, 4, `var(--dc-${colour}-fill)`),
    writing(box.x + 6 + plate.w / 2, box.y + 6 + plate.h * 0.74, plate.h * 0.7, name, letter),
    size > 8 && writing(box.x + plate.w + 13, box.y + 6 + plate.h * 0.7, size, word),
    [...Array(blocks).keys()].map((block) =>
      filed(state, name, block, { x: inner.x + block * cell.w, y: inner.y, ...cell }),
    ),
  );
}

/** One block in a drawer: coloured while the cabinet has it, with the number of its crossings. */
function filed(state, name, block, { x, y, w, h }) {
  const colour = family(name);
  const times = state.crossings[`${name}:${block}`] || 0;
  const there = name !== "O" || times > 0;
  const size = Math.min(w * 0.86, h * 0.7, 15);
  const look = { "fill-opacity": times || name === "O" ? 1 : 0.3, stroke: "var(--line)" };
  const number = { class: "dc-num dc-strong", fill: `var(--dc-${colour}-ink)`, ...MIDDLE };
  return group(
    { key: block },
    slab(x + 0.8, y, w - 1.6, h, 2.5, there ? `var(--dc-${colour}-fill)` : "var(--wall)", look),
    times > 0 && size >= 7 && writing(x + w / 2, y + h / 2 + size * 0.36, size, times, number),
  );
}

/** The two lines at which bytes are counted, each ending in its ruler and what has crossed so far. */
export function drawLines({ say, state }, picture) {
  const line = (name) => countedLine(say, name, crossed(state, name), picture);
  return group({ key: "lines" }, ["desk", "cabinet"].map(line));
}

function countedLine(say, name, bytes, { hall, floor, strip, lines }) {
  const x = lines[name];
  const half = Math.min((lines.cabinet - lines.desk) / 2 - 4, 112);
  const y = floor + 8;
  const [title, number] = [say(`${name}_ruler`), say("bytes", { bytes: say.number(bytes) })];
  const stroke = { stroke: "var(--accent)", "stroke-width": 2, "stroke-dasharray": "2 5", fill: "none" };
  return group(
    { key: name },
    el("path", { d: `M${x} ${hall.y + 12}V${y}`, ...stroke }),
    slab(x - half, y, 2 * half, strip - 4, 8, "var(--panel)", { stroke: "var(--accent)", "stroke-width": 1.5 }),
    writing(x, y + 16, fitSize(title, 12.5, 2 * half - 12), title, { class: "dc-soft", ...MIDDLE }),
    writing(x, y + 35, fitSize(number, 18, 2 * half - 12), number, {
      class: "dc-num dc-strong",
      "data-hall": name,
      ...MIDDLE,
    }),
  );
}
