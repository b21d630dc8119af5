// The room: the desk with its two areas and their fill, the cabinet with its drawers, the floor between them.

import { el, group } from "./vdom.js";
import { fitSize, indexOf, widthOf, wrap } from "./words.js";

const LEAST_DRAWERS = 6;
const FAMILIES = ["Q", "K", "V", "O", "S", "P"];
/** The colour family of a tensor's name, as in the palette. */
export function family(name) {
  if (FAMILIES.includes(name)) return name;
  if (["m", "l", "L", "a", "D", "rescale", "L_partial"].includes(name)) return "card";
  if (name === "O_partial") return "O";
  return name[0] === "d" && name.length > 1 ? family(name.slice(1)) : "Z";
}

/** The letters on a tile's or a drawer's plate: a part of a result is the papers' O with an s. */
const signOf = (name) => name.replace(/_partial$/, "s");

const floorOf = (picture) => picture.room.y + picture.room.h - 14;

/** Wall and floor behind everything. */
export function drawWalls(picture) {
  const { room } = picture;
  const floor = floorOf(picture) - 16;
  return group(
    { key: "walls" },
    el("rect", { x: room.x, y: room.y, width: room.w, height: room.h, rx: 14, fill: "var(--wall)" }),
    el("path", {
      d: `M${room.x} ${floor}h${room.w}v${room.y + room.h - floor - 14}q0 14 -14 14h${28 - room.w}q-14 0 -14 -14z`,
      fill: "var(--floor)",
    }),
    el("path", { d: `M${room.x} ${floor}h${room.w}`, stroke: "var(--line)" }),
  );
}

/** Geometry of the desk: its two areas, board, basket, and where a tile lies in them. */
export function deskPlan(picture) {
  const { desk } = picture;
  const floor = floorOf(picture);
  const board = floor - picture.lane + 14;
  const top = desk.y + 44;
  const scale = picture.lane / 84;
  const zone = (board - top - 8) / 2;
  const chip = { w: Math.min(56, (desk.w - 20) / 4 - 5), h: Math.max(24, Math.min(44, zone - 56)) };
  const registers = { x: desk.x, y: top, w: desk.w, h: zone - 6 };
  const shared = { x: desk.x, y: top + zone, w: desk.w, h: zone };
  return {
    floor,
    board,
    chip,
    registers,
    shared,
    basket: { x: desk.x + desk.w * 0.36, y: floor - 46 },
    feet: desk.x + desk.w + 22 * scale,
    scale,
  };
}

/** The top left corner of the chip in a slot of an area; a second row begins when the first is full. */
export function chipAt(plan, tile) {
  const area = plan[tile.area];
  const perRow = Math.max(1, Math.floor((area.w - 16) / (plan.chip.w + 5)));
  const rows = Math.max(1, Math.floor((area.h - 46) / (plan.chip.h + 4)));
  const slot = tile.slot % (perRow * rows);
  return {
    x: area.x + 10 + (slot % perRow) * (plan.chip.w + 5),
    y: area.y + 21 + Math.floor(slot / perRow) * (plan.chip.h + 4),
  };
}

export function drawDesk(view, picture, plan) {
  const { say, state, model } = view;
  const { desk } = picture;
  const legs = [desk.x + 16, desk.x + desk.w - 28];
  return group(
    { key: "desk" },
    heading(desk, say("desk"), say("desk_real")),
    legs.map((x, side) =>
      el("rect", {
        key: `leg${side}`,
        x,
        y: plan.board + 10,
        width: 12,
        height: plan.floor - plan.board - 10,
        fill: "var(--wood-dark)",
      }),
    ),
    area(view, plan.registers, "registers", say("registers"), state.registers, model.capacity.registers),
    area(view, plan.shared, "shared", say("shared"), state.shared, model.capacity.shared),
    el("rect", {
      key: "board",
      x: desk.x - 8,
      y: plan.board,
      width: desk.w + 16,
      height: 14,
      rx: 4,
      fill: "var(--wood)",
    }),
    state.desk.map((tile) => restingChip(plan, tile)),
    basket(view, plan),
  );
}

function heading(box, title, real) {
  return group(
    { key: "heading" },
    el("text", { x: box.x, y: box.y + 16, class: "dc-head", "font-size": fitSize(title, 18, box.w) }, title),
    el("text", { x: box.x, y: box.y + 34, class: "dc-soft", "font-size": fitSize(real, 12, box.w) }, real),
  );
}

/** One area of the desk: its name, its bytes against its capacity, and a gauge filled by tile. */
function area(view, box, name, label, filled, capacity) {
  const { say, state } = view;
  const numbers = say("of", { part: say.number(filled), whole: say.bytes(capacity) });
  const y = box.y + box.h - 13;
  const w = box.w;
  return group(
    { key: name },
    el("rect", { x: box.x, y: box.y, width: w, height: box.h, rx: 9, fill: "var(--paper)", stroke: "var(--line)" }),
    el("text", { x: box.x + 9, y: box.y + 16, class: "dc-soft", "font-size": fitSize(label, 12.5, w - 16) }, label),
    el(
      "text",
      {
        x: box.x + w - 9,
        y: y - 6,
        class: "dc-num dc-strong",
        "font-size": fitSize(numbers, 13, w - 18),
        "text-anchor": "end",
      },
      numbers,
    ),
    el("rect", { key: "gauge", x: box.x + 9, y, width: w - 18, height: 7, rx: 3.5, fill: "var(--line)" }),
    segments(
      state.desk.filter((tile) => tile.area === name),
      box.x + 9,
      y,
      w - 18,
      filled,
      capacity,
    ),
  );
}

function segments(tiles, x, y, w, filled, capacity) {
  const sum = tiles.reduce((total, tile) => total + (tile.streams ? 0 : tile.bytes), 0) || 1;
  let at = x;
  return tiles
    .filter((tile) => !tile.streams)
    .map((tile) => {
      const width = (tile.bytes / sum) * (filled / capacity) * w;
      const node = el("rect", {
        key: tile.key,
        x: at,
        y,
        width: Math.max(width, 1.5),
        height: 7,
        fill: `var(--dc-${family(tile.tensor)}-fill)`,
      });
      at += width;
      return node;
    });
}

function restingChip(plan, tile) {
  const { x, y } = chipAt(plan, tile);
  return el("g", { key: tile.key, transform: `translate(${x} ${y})` }, chip(tile, plan.chip, tile.streams));
}

/** A tile of a tensor: its colour, its letter, its index. */
export function chip(tile, { w, h }, dashed = false) {
  const colour = family(tile.tensor);
  const ink = `var(--dc-${colour}-ink)`;
  const index = indexOf(tile);
  const sign = signOf(tile.tensor);
  const size = Math.min(fitSize(sign, h * 0.56, w * 0.55), 22);
  const small = Math.min(size * 0.62, (w * 0.94 - widthOf(sign) * size) / Math.max(widthOf(index), 0.6));
  return [
    el("rect", {
      width: w,
      height: h,
      rx: 6,
      fill: `var(--dc-${colour}-fill)`,
      stroke: `var(--dc-${colour}-line)`,
      "stroke-width": dashed ? 2 : 1,
      "stroke-dasharray": dashed ? "4 3" : null,
    }),
    el("text", { x: w / 2, y: h / 2 + size * 0.34, "text-anchor": "middle", fill: ink, class: "dc-letter" }, [
      el("tspan", { "font-size": size.toFixed(1) }, sign),
      el("tspan", { "font-size": Math.max(small, 5).toFixed(1), dy: size * 0.16 }, index),
    ]),
  ];
}

function basket({ say, state }, plan) {
  const { x, y } = plan.basket;
  return group(
    { key: "basket" },
    el("path", {
      d: `M${x} ${y + 12}h34l-5 34h-24z`,
      fill: "var(--paper)",
      stroke: "var(--metal-dark)",
      "stroke-width": 1.5,
    }),
    el("path", {
      d: `M${x + 10} ${y + 14}l3 30M${x + 24} ${y + 14}l-3 30M${x + 17} ${y + 14}v30M${x + 2} ${y + 24}h30M${x + 3} ${y + 34}h28`,
      stroke: "var(--metal-dark)",
      "stroke-width": 0.9,
      fill: "none",
    }),
    state.thrown > 0 && el("path", { d: `M${x + 5} ${y + 12}l4 -7l7 4l5 -6l8 9z`, fill: "var(--metal)" }),
    el(
      "text",
      { x: x + 42, y: y + 34, class: "dc-num", "font-size": 13, fill: "var(--soft)" },
      say.number(state.thrown),
    ),
    el("title", {}, say("basket")),
  );
}

/** Geometry of the cabinet: one drawer for each tensor, and the place where a worker stands before it. */
export function cabinetPlan(model, picture) {
  const { cabinet } = picture;
  const floor = floorOf(picture);
  const top = cabinet.y + 42;
  const names = Object.keys(model.byName);
  const { columns = 1 } = cabinet;
  const lines = Math.ceil(Math.max(names.length, LEAST_DRAWERS) / columns);
  const height = (floor - top - 14) / lines;
  const width = (cabinet.w - 9) / columns;
  const at = (index) => ({
    x: cabinet.x + 7 + Math.floor(index / lines) * width,
    y: top + 7 + (index % lines) * height,
    w: width - 5,
    h: height - 5,
  });
  const drawers = {};
  names.forEach((name, index) => {
    drawers[name] = at(index);
  });
  const blanks = [...Array(lines * columns).keys()].slice(names.length).map(at);
  return { floor, top, drawers, blanks, feet: cabinet.x - 24 * (picture.lane / 84) };
}

export function drawCabinet(view, picture, plan) {
  const { say, model } = view;
  const { cabinet } = picture;
  return group(
    { key: "cabinet" },
    heading(cabinet, say("cabinet"), say("cabinet_real")),
    el("rect", {
      key: "body",
      x: cabinet.x,
      y: plan.top,
      width: cabinet.w,
      height: plan.floor - plan.top - 4,
      rx: 6,
      fill: "var(--metal)",
      stroke: "var(--metal-dark)",
    }),
    el("path", {
      key: "feet",
      d: `M${cabinet.x + 8} ${plan.floor - 4}v5h18v-5M${cabinet.x + cabinet.w - 26} ${plan.floor - 4}v5h18v-5`,
      fill: "var(--metal-dark)",
    }),
    plan.blanks.map((box, index) => blank(box, index)),
    Object.values(model.byName).map((tensor) => drawer(view, tensor, plan.drawers[tensor.name])),
  );
}

/** A drawer nobody uses. */
function blank(box, index) {
  return group(
    { key: `blank${index}` },
    el("rect", {
      x: box.x,
      y: box.y,
      width: box.w,
      height: box.h,
      rx: 5,
      fill: "var(--metal)",
      stroke: "var(--metal-dark)",
    }),
    el("rect", {
      x: box.x + box.w / 2 - 16,
      y: box.y + box.h / 2 - 3,
      width: 32,
      height: 6,
      rx: 3,
      fill: "var(--metal-dark)",
    }),
  );
}

function drawer(view, tensor, box) {
  const { name } = tensor;
  const colour = family(name);
  const open = view.active.has(name);
  const tight = box.w < 160;
  const plate = { w: Math.min(tight ? 28 : 34, box.h), h: Math.min(26, box.h - 8) };
  const map = { w: Math.min(box.h - 10, tight ? 30 : 46), h: box.h - 10 };
  const middle = box.y + box.h / 2;
  return group(
    { key: name, class: "dc-drawer", transform: `translate(${open ? -9 : 0} 0)` },
    el("rect", {
      x: box.x,
      y: box.y,
      width: box.w,
      height: box.h,
      rx: 5,
      fill: "var(--paper)",
      stroke: open ? `var(--dc-${colour}-line)` : "var(--metal-dark)",
      "stroke-width": open ? 3 : 1,
    }),
    el("rect", {
      x: box.x + 6,
      y: middle - plate.h / 2,
      width: plate.w,
      height: plate.h,
      rx: 4,
      fill: `var(--dc-${colour}-fill)`,
    }),
    el(
      "text",
      {
        x: box.x + 6 + plate.w / 2,
        y: middle + 6,
        "text-anchor": "middle",
        class: "dc-letter",
        "font-size": fitSize(signOf(name), 17, plate.w - 4),
        fill: `var(--dc-${colour}-ink)`,
      },
      signOf(name),
    ),
    label(view.say, tensor, { x: box.x + plate.w + 12, middle, w: box.w - plate.w - map.w - 24, h: box.h }),
    minimap(view, tensor, { x: box.x + box.w - map.w - 6, y: box.y + 5, ...map }),
  );
}

/** The story's word for a tensor and its shape; a long word takes the shape's line. */
function label(say, { name, rows, cols }, { x, middle, w, h }) {
  const word = say.known(`drawer_${name}`) ? say(`drawer_${name}`) : name;
  const size = Math.min(14, w * 0.2);
  const lines = wrap(word, size, w, 2);
  const shape = `${rows} × ${cols}`;
  if (lines.length < 2 && h >= 34) lines.push(shape);
  const top = middle - (lines.length - 1) * 7.5 + 4.5;
  return lines.map((line, index) =>
    el(
      "text",
      {
        key: `line${index}`,
        x,
        y: top + index * 15,
        class: line === shape ? "dc-num dc-soft" : null,
        "font-size": fitSize(line, line === shape ? 11.5 : size, w),
      },
      line,
    ),
  );
}

/** Which blocks of a tensor the cabinet holds, to its proportions; runs of blocks are one stroke of the path. */
function minimap({ state }, { name, rowBlocks, colBlocks, rows, cols }, box) {
  const aspect = Math.max(0.34, Math.min(1, cols / rows));
  const w = Math.min(box.w, box.h * aspect);
  const [cw, ch] = [w / colBlocks, box.h / rowBlocks];
  const gap = Math.min(1.5, ch * 0.2, cw * 0.2);
  const filled = state.drawers[name];
  const x = box.x + box.w - w;
  let d = "";
  for (let r = 0; r < rowBlocks; r++) {
    for (let c = 0; c < colBlocks; c++) {
      if (filled[r * colBlocks + c])
        d += `M${(x + c * cw).toFixed(1)} ${(box.y + r * ch).toFixed(1)}h${(cw - gap).toFixed(2)}v${(ch - gap).toFixed(2)}h${(gap - cw).toFixed(2)}z`;
    }
  }
  return group(
    { key: "map" },
    el("rect", {
      x: x - 1.5,
      y: box.y - 1.5,
      width: w + 3 - gap,
      height: box.h + 3 - gap,
      rx: 2,
      fill: "var(--wall)",
      stroke: "var(--line)",
    }),
    d && el("path", { d, fill: `var(--dc-${family(name)}-fill)` }),
  );
}
