// The table as a square of true proportion, growing in sight, among the squares that could hold it.

import { html, node } from "./dom.js";

const GLIDE_MS = 380;
const FINEST_CELL = 4; // CSS pixels; smaller cells are not drawn one by one
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How many cells the frame spans when a table of n is shown: the table grows in sight while the frame backs away. */
const spanOf = (n) => 2.8 * n ** 0.935;

/** Glide from the table shown to the one asked, by equal ratios in equal times. */
export function glide(picture) {
  cancelAnimationFrame(picture.frame);
  const to = picture.scene.square.n;
  const from = picture.n ?? to;
  const begun = performance.now();
  const step = (now) => {
    const t = still() ? 1 : Math.min((now - begun) / GLIDE_MS, 1);
    const eased = t * (2 - t);
    picture.n = t === 1 ? to : from * (to / from) ** eased;
    drawSquare(picture, picture.n);
    if (t < 1) picture.frame = requestAnimationFrame(step);
  };
  step(begun);
}

export function drawSquare(picture, n) {
  const { square, scene } = picture;
  if (!picture.svg) {
    picture.svg = node("svg", { role: "img" });
    picture.said = html("p", {});
    square.append(picture.svg, picture.said);
  }
  const size = square.clientWidth;
  if (!size) return;
  const scale = size / spanOf(n);
  picture.svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.svg.setAttribute("aria-label", scene.square.words);
  picture.said.textContent = scene.square.words;
  const smaller = scene.square.holders.filter(({ side }) => side < n);
  const larger = scene.square.holders.filter(({ side }) => side >= n);
  picture.svg.replaceChildren(
    ...holders(larger, scale, size, "around"),
    ...table(scene.square, n, scale),
    ...holders(smaller, scale, size, "within"),
    ...names(picture, n, scale, size),
  );
}

/** The squares that hold tables, the widest first; what reaches beyond the frame is cut off. */
function holders(all, scale, size, where) {
  return [...all].sort((a, b) => b.side - a.side).map(({ id, side }) => {
    const edge = Math.min(side * scale, 2 * size);
    return node("rect", { class: `hold ${id} ${where}`, x: 0, y: 0, width: edge, height: edge });
  });
}

function table({ role }, n, scale) {
  const edge = n * scale;
  const cells = node("rect", { class: `cells role-${role}`, x: 0, y: 0, width: edge, height: edge });
  if (scale < FINEST_CELL) return [cells];
  const far = edge.toFixed(2);
  let d = "";
  for (let k = 1; k < n; k++) {
    const at = (k * scale).toFixed(2);
    d += `M${at} 0V${far}M0 ${at}H${far}`;
  }
  return [cells, node("path", { class: "grid", d, "stroke-width": scale > 12 ? 1.5 : 0.8 })];
}

/** Each square's name on its lower edge, the table's below it; a square beyond the frame is named at its foot. */
function names(picture, n, scale, size) {
  const { square } = picture.scene;
  const edge = n * scale;
  const em = parseFloat(getComputedStyle(picture.svg).fontSize) || 13;
  const words = [{ id: `role-${square.role}`, text: square.text, y: edge + em * 1.25, x: 6 }];
  let foot = size - 8;
  for (const { id, side, text } of [...square.holders].sort((a, b) => b.side - a.side)) {
    const at = side * scale;
    const beyond = at > size;
    words.push({ id, text, x: 6, y: beyond ? foot : at - 6 });
    if (beyond) foot -= em * 1.4;
  }
  return spread(words, em).map(({ id, text, x, y }) => {
    const word = node("text", { class: `word ${id}`, x, y });
    word.textContent = text;
    return word;
  });
}

/** Names that would lie on each other move down to the next free line. */
function spread(words, em) {
  const taken = [];
  for (const word of words) {
    word.y = Math.max(word.y, em * 1.1);
    while (taken.some((y) => Math.abs(y - word.y) < em * 1.15)) word.y += em * 0.4;
    taken.push(word.y);
  }
  return words;
}
