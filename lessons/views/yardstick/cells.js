// A field of cells: workers of a floor, slots of a memory, slots through time. Cells keep their elements and change looks.

import { html } from "./dom.js";

const LOOKS = { "#": "full", "/": "striped", "-": "outline", ".": "empty" };
const LEAST_SIGN = 15; // pixels of a cell below which its sign is left out

/** The field within a row's track, made or changed to what the row says now; none where the row has none. */
export function writeCells(made, cells) {
  made.track.classList.toggle("field", Boolean(cells));
  if (!cells) {
    if (made.field) made.field.remove();
    made.field = null;
    return;
  }
  if (!made.field) made.track.append((made.field = html("div", { class: "cells" })));
  const { field } = made;
  field.className = `cells role-${cells.role}`;
  field.style.setProperty("--columns", cells.columns);
  while (field.children.length > cells.looks.length) field.lastChild.remove();
  while (field.children.length < cells.looks.length) field.append(html("i", {}));
  const signs = cells.signs.split(",");
  [...cells.looks].forEach((look, index) => writeCell(field.children[index], look, signs[index], cells, index));
}

function writeCell(element, look, sign, { columns, gap }, index) {
  const last = gap > 0 && index % columns % gap === gap - 1;
  const face = `${LOOKS[look]}${last ? " last" : ""}`;
  if (element.className !== face) element.className = face;
  if (element.textContent !== sign) element.textContent = sign;
}

/** Lines of cells in all rows together; a projected page shares its height among them. */
export const linesOf = (rows) =>
  rows.reduce((sum, { cells }) => sum + (cells ? Math.ceil(cells.looks.length / cells.columns) : 0), 0);

/** Signs are written where there is room for them. */
export function fitSigns({ field }, columns) {
  if (field) field.classList.toggle("unsigned", field.clientWidth / columns < LEAST_SIGN);
}
