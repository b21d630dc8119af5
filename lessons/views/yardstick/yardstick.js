// Draws one picture from positions between 0 and 1 and ready texts. The same element is called again with new data:
// what glides, plays or waits for an answer lives in this map, by element.

import { fitSigns, linesOf, writeCells } from "./cells.js";
import { html, node } from "./dom.js";
import { drawSquare, glide } from "./square.js";

const pictures = new WeakMap();
const BEAT_MS = 420;
const PATIENCE_MS = 300;
const ANNOUNCE_MS = 900;

export default function ({ parentElement, data, setTriggerValue }) {
  const scene = JSON.parse(new TextDecoder().decode(data));
  let picture = pictures.get(parentElement);
  if (!picture) {
    picture = build(parentElement);
    pictures.set(parentElement, picture);
  }
  picture.tell = (stop) => setTriggerValue("moved", stop);
  picture.scene = scene;
  write(picture);
  echoed(picture);
  return () => {
    end(picture);
    pictures.delete(parentElement);
  };
}

// --- the frame: built once -------------------------------------------------------------------

function build(parent) {
  const root = html("figure", { class: "yard", role: "group" });
  const square = html("div", { class: "square" });
  const side = html("div", { class: "side" });
  const knob = makeKnob();
  const board = html("div", { class: "board" });
  const keys = html("div", { class: "keys" });
  const caption = html("figcaption", {});
  const live = html("div", { class: "live", role: "status", "aria-live": "polite" });
  side.append(knob.root, board);
  root.append(square, side, keys, caption, live);
  const style = html("style", {}, STYLE);
  parent.append(style, root);
  const picture = { style, root, square, side, knob, board, keys, caption, live, rows: [], marks: [], n: null };
  listen(picture);
  return picture;
}

function makeKnob() {
  const root = html("div", { class: "knob" });
  const label = html("label", {});
  const output = html("output", {});
  const input = html("input", { type: "range", min: 0, step: 1 });
  const play = html("button", { type: "button" });
  const locked = html("p", { class: "locked" });
  const turn = html("div", { class: "turn" });
  input.id = `knob-${Math.random().toString(36).slice(2)}`;
  label.htmlFor = input.id;
  turn.append(play, input);
  root.append(label, output, turn, locked);
  return { root, label, output, input, play, locked, sent: null, waiting: null, timer: null, playing: null };
}

function listen(picture) {
  const { knob, root } = picture;
  knob.input.addEventListener("input", () => {
    stop(picture);
    turnTo(picture, Number(knob.input.value));
  });
  knob.play.addEventListener("click", () => (knob.playing ? stop(picture) : play(picture)));
  picture.onKey = (event) => fromAfar(picture, event);
  document.addEventListener("keydown", picture.onKey);
  picture.watch = new ResizeObserver(() => arrange(picture));
  picture.watch.observe(root);
}

function end(picture) {
  stop(picture);
  clearTimeout(picture.knob.timer);
  clearTimeout(picture.telling);
  cancelAnimationFrame(picture.frame);
  document.removeEventListener("keydown", picture.onKey);
  picture.watch.disconnect();
  picture.style.remove();
  picture.root.remove();
}

// --- the knob --------------------------------------------------------------------------------

/** On a projected page the arrow keys turn the knob while nothing else has the focus. */
function fromAfar(picture, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const held = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey;
  if (!step || held || event.target !== document.body || !picture.scene.present || !picture.scene.knob) return;
  event.preventDefault();
  stop(picture);
  turnTo(picture, Number(picture.knob.input.value) + step);
}

function turnTo(picture, stop) {
  const { knob, scene } = picture;
  const near = Math.max(0, Math.min(scene.knob.texts.length - 1, stop));
  showStop(picture, near);
  if (near === (knob.waiting ?? knob.sent ?? scene.knob.at)) return;
  knob.waiting = near;
  if (!knob.timer) post(picture);
}

/** The first news goes at once, the next when the answer is back; of what piles up only the last goes. */
function post(picture) {
  const { knob } = picture;
  knob.sent = knob.waiting;
  knob.waiting = null;
  knob.timer = setTimeout(() => echoed(picture), PATIENCE_MS);
  picture.tell(knob.sent);
}

function echoed(picture) {
  const { knob } = picture;
  clearTimeout(knob.timer);
  knob.timer = null;
  if (knob.waiting !== null) post(picture);
  else knob.sent = null;
}

function play(picture) {
  const { knob } = picture;
  const last = () => picture.scene.knob.texts.length - 1;
  if (Number(knob.input.value) >= last()) turnTo(picture, 0);
  knob.playing = setInterval(() => {
    turnTo(picture, Number(knob.input.value) + 1);
    if (Number(knob.input.value) >= last()) stop(picture);
  }, BEAT_MS);
  face(picture);
}

function stop(picture) {
  clearInterval(picture.knob.playing);
  picture.knob.playing = null;
  if (picture.scene) face(picture);
}

const FACES = { play: "M6 4l14 8l-14 8z", pause: "M6 4h4v16h-4zM14 4h4v16h-4z" };

function face({ knob, scene }) {
  const word = knob.playing ? "pause" : "play";
  knob.play.setAttribute("aria-label", scene.words[word]);
  knob.play.title = scene.words[word];
  const icon = node("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  icon.append(node("path", { d: FACES[word] }));
  knob.play.replaceChildren(icon);
}

function showStop({ knob, scene }, at) {
  const last = Math.max(scene.knob.texts.length - 1, 1);
  knob.input.value = at;
  knob.output.textContent = scene.knob.texts[at];
  knob.input.setAttribute("aria-valuetext", scene.knob.texts[at]);
  knob.input.style.setProperty("--done", `${(100 * at) / last}%`);
}

// --- what is written -------------------------------------------------------------------------

function write(picture) {
  const { root, knob, scene, keys, caption, live, square } = picture;
  root.lang = scene.lang;
  root.setAttribute("aria-label", scene.summary);
  root.classList.toggle("squared", Boolean(scene.square));
  root.classList.toggle("celled", scene.rows.some((row) => row.cells));
  root.style.setProperty("--lines", linesOf(scene.rows));
  root.style.setProperty("--rows", scene.rows.length + scene.beside);
  root.classList.toggle("present", scene.present);
  keys.hidden = !scene.keys.length;
  keys.replaceChildren(...scene.keys.map(keyOf));
  caption.textContent = scene.caption;
  clearTimeout(picture.telling);
  picture.telling = setTimeout(() => (live.textContent = picture.scene.summary), ANNOUNCE_MS);
  knob.root.hidden = !scene.knob;
  if (scene.knob) {
    knob.label.textContent = scene.knob.label;
    knob.input.max = scene.knob.texts.length - 1;
    knob.locked.textContent = scene.knob.locked;
    knob.locked.hidden = !scene.knob.locked;
    if (knob.waiting === null) showStop(picture, scene.knob.at);
    face(picture);
  }
  square.hidden = !scene.square;
  writeRows(picture);
  if (scene.square) glide(picture);
  arrange(picture);
}

function keyOf({ role, sign, text }) {
  const key = html("span", {});
  key.append(html("b", { class: `part role-${role} full` }, sign), text);
  return key;
}

/** Rows, marks and ticks keep their elements from scene to scene, so that they move instead of jumping. */
function writeRows(picture) {
  const { board, scene } = picture;
  const same = picture.rows.length === scene.rows.length && picture.marks.length === scene.marks.length;
  if (!same) {
    picture.head = html("div", { class: "marks", "aria-hidden": "true" });
    picture.lines = html("div", { class: "lines", "aria-hidden": "true" });
    picture.ticks = html("div", { class: "ticks", "aria-hidden": "true" });
    picture.rows = scene.rows.map(() => makeRow());
    picture.marks = scene.marks.map(() => ({ word: html("span", {}), line: html("i", {}) }));
    picture.head.append(...picture.marks.map((mark) => mark.word));
    picture.lines.append(...picture.marks.map((mark) => mark.line));
    const rows = picture.rows.flatMap((row) => [row.name, row.number, row.track]);
    board.replaceChildren(picture.lines, picture.head, ...rows, picture.ticks);
  }
  scene.rows.forEach((row, index) => writeRow(picture.rows[index], row));
  scene.marks.forEach(({ at, text }, index) => {
    const { word, line } = picture.marks[index];
    word.textContent = text;
    word.style.left = line.style.left = percent(at);
  });
  const ticks = scene.ticks.map(([at, text]) => html("span", { style: `left:${percent(at)}` }, text));
  picture.ticks.replaceChildren(...ticks);
}

function makeRow() {
  const [name, number] = ["name", "number"].map((part) => html("div", { class: part }));
  return { name, number, track: html("div", { class: "track", "aria-hidden": "true" }), parts: [], dot: null };
}

function writeRow(made, row) {
  made.name.replaceChildren(row.name, ...(row.note ? [html("small", {}, row.note)] : []));
  made.number.textContent = row.number;
  made.number.classList.toggle("alarm", row.alarm);
  while (made.parts.length > row.parts.length) made.parts.pop().remove();
  row.parts.forEach((part, index) => {
    if (!made.parts[index]) {
      made.parts[index] = html("span", { style: `left:${percent(part.start)};width:0` });
      made.track.append(made.parts[index]);
      made.parts[index].getBoundingClientRect();
    }
    writePart(made.parts[index], part);
  });
  writeDot(made, row);
  writeCells(made, row.cells);
}

function writePart(element, { start, stop, role, text, look }) {
  element.className = `part role-${role} ${look}${stop > 1 ? " over" : ""}`;
  element.style.left = percent(start);
  element.style.width = percent(Math.max(Math.min(stop, 1) - start, 0));
  element.replaceChildren(...(text ? [html("b", {}, text)] : []));
}

function writeDot(made, { dot, alarm }) {
  if (dot === null) {
    if (made.dot) made.dot.remove();
    made.dot = null;
    return;
  }
  if (!made.dot) made.track.append((made.dot = html("i", { class: "dot" })));
  made.dot.classList.toggle("alarm", alarm);
  made.dot.style.left = percent(Math.max(0, Math.min(1, dot)));
}

const percent = (share) => `${(100 * share).toFixed(3)}%`;

// --- what depends on the width ---------------------------------------------------------------

function arrange(picture) {
  if (!picture.scene || !picture.root.clientWidth) return;
  place(picture);
  lanes(picture);
  thin(picture.ticks);
  for (const row of picture.rows) for (const part of row.parts) fitWord(part, row.track.clientWidth);
  picture.scene.rows.forEach(({ cells }, index) => cells && fitSigns(picture.rows[index], cells.columns));
  if (picture.scene.square) drawSquare(picture, picture.n ?? picture.scene.square.n);
}

/** Each bar's name and number stand beside it, or above it where the column is narrow; the lines cross them all. */
function place({ board, head, rows, ticks, lines }) {
  const stacked = getComputedStyle(board).gridTemplateColumns.split(" ").length < 3;
  head.style.gridRow = 1;
  rows.forEach(({ name, number, track }, index) => {
    const row = stacked ? 2 + 2 * index : 2 + index;
    name.style.gridRow = number.style.gridRow = row;
    track.style.gridRow = stacked ? row + 1 : row;
  });
  const last = 2 + rows.length * (stacked ? 2 : 1);
  ticks.style.gridRow = last;
  lines.style.gridRow = `1 / ${last}`;
}

/** A mark's name stands right of its line, left of it near the end, and one line lower where it would touch another. */
function lanes({ head, marks, scene }) {
  const width = head.clientWidth;
  const ends = [];
  const high = marks.length ? parseFloat(getComputedStyle(head).fontSize) * 1.35 : 0;
  marks.forEach(({ word, line }, index) => {
    const x = scene.marks[index].at * width;
    const wide = word.offsetWidth;
    const back = x + wide > width;
    const [from, to] = back ? [x - wide, x] : [x, x + wide];
    let lane = ends.findIndex((taken) => taken.every(([a, b]) => to + 8 < a || from > b + 8));
    if (lane < 0) lane = ends.push([]) - 1;
    ends[lane].push([from, to]);
    word.classList.toggle("back", back);
    word.style.top = line.style.top = `${lane * high}px`;
  });
  head.style.height = `${ends.length * high}px`;
}

/** Ticks that would touch the one before are left out; those at the ends stay within. */
function thin(ticks) {
  const width = ticks.clientWidth;
  let end = -Infinity;
  for (const tick of ticks.children) {
    const x = (parseFloat(tick.style.left) / 100) * width;
    const half = tick.offsetWidth / 2;
    tick.hidden = false;
    tick.style.visibility = x - half < end + 6 ? "hidden" : "";
    if (!tick.style.visibility) end = x + half;
  }
}

/** A word that its part has no room for is left out. */
function fitWord(part, whole) {
  const word = part.firstChild;
  const room = (parseFloat(part.style.width) / 100) * whole - 4;
  if (word) word.style.visibility = word.offsetWidth > room ? "hidden" : "";
}
