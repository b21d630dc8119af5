// Draws one chart as SVG from a scene whose positions lie between 0 and 1 and whose texts are ready.
// The same element is called again with new data: what the reader chose lives in this map, by element.
const kept = new WeakMap();
const SVG = "http://www.w3.org/2000/svg";
const DASH = { solid: "", dashed: "7 5", dotted: "1.5 4.5", dashdot: "9 4 2 4" };
const TEXT = 13; // the text size in pixels that every distance below is meant for; larger type scales them all
const LINE = 15; // height of one line of text
const UNDER = 8; // pixels that a projected chart leaves free at the foot of the wall

export default function (component) {
  const { data, parentElement } = component;
  let view = kept.get(parentElement);
  if (!view) {
    view = { hidden: new Set(), index: null, ...frame(parentElement) };
    view.again = () => { fit(view); draw(view); };
    view.watch = new ResizeObserver(view.again);
    view.watch.observe(view.plot);
    addEventListener("resize", view.again);
    listen(view);
    kept.set(parentElement, view);
  }
  if (view.data?.open !== data.open) view.open = data.open;
  view.data = data;
  write(view);
  if (view.width) draw(view);
  return () => {
    view.watch.disconnect();
    removeEventListener("resize", view.again);
    kept.delete(parentElement);
    view.root.remove();
  };
}

// --- the frame: built once -------------------------------------------------------------------

function frame(parent) {
  const root = html("figure", { class: "chart" }, parent);
  html("style", {}, root).textContent = STYLE;
  const title = html("div", { class: "title" }, root);
  const legend = html("div", { class: "legend" }, root);
  const plot = html("div", { class: "plot" }, root);
  const svg = node("svg", { role: "img" }, plot);
  const reader = html("div", { class: "reader", role: "slider", tabindex: "0" }, plot);
  const tip = html("div", { class: "tip", "aria-hidden": "true" }, plot);
  const caption = html("figcaption", {}, root);
  const details = html("details", {}, root);
  return { root, title, legend, plot, svg, reader, tip, caption, details };
}

function write(view) {
  const { data } = view;
  view.root.lang = data.lang;
  view.title.textContent = data.title;
  view.svg.setAttribute("aria-label", data.summary);
  view.caption.replaceChildren(...data.caption.map((line) => text("span", line)));
  view.reader.setAttribute("aria-label", data.words.read);
  view.reader.setAttribute("aria-valuemin", "1");
  view.reader.setAttribute("aria-valuemax", String(data.x.texts.length));
  view.reader.setAttribute("aria-valuenow", "1");
  if (view.index !== null) view.index = Math.min(view.index, data.x.texts.length - 1);
  writeLegend(view);
  writeTable(view);
}

function writeLegend(view) {
  const items = view.data.series.map((series) => {
    const button = html("button", { type: "button", class: `role-${series.role}`, title: view.data.words.hide,
      "aria-pressed": String(!view.hidden.has(series.id)) });
    const swatch = node("svg", { width: 34, height: 12, "aria-hidden": "true" }, button);
    line(swatch, `M1 6H33`, series);
    marker(swatch, series, 17, 6);
    button.append(text("span", series.label));
    button.onclick = () => {
      view.hidden.has(series.id) ? view.hidden.delete(series.id) : view.hidden.add(series.id);
      button.setAttribute("aria-pressed", String(!view.hidden.has(series.id)));
      draw(view);
    };
    return button;
  });
  const focused = [...view.legend.children].indexOf(view.legend.getRootNode().activeElement);
  view.legend.replaceChildren(...items);
  if (focused >= 0 && items[focused]) items[focused].focus();
}

function writeTable(view) {
  const { data, details } = view;
  details.open = view.open;
  details.ontoggle = () => { view.open = details.open; };
  const table = html("table", {});
  const head = html("tr", {}, html("thead", {}, table));
  head.append(scoped(data.x.label, "col"), ...data.series.map((series) => {
    const cell = scoped(series.label, "col");
    if (series.note) cell.append(text("small", series.note));
    return cell;
  }));
  const body = html("tbody", {}, table);
  data.x.texts.forEach((x, k) => {
    const row = html("tr", {}, body);
    row.append(scoped(x, "row"), ...data.series.map((series) => text("td", series.texts[k])));
  });
  const scroller = html("div", { class: "scroller", tabindex: "0", role: "group", "aria-label": data.words.table });
  scroller.append(table);
  details.replaceChildren(text("summary", data.words.table), scroller);
}

function scoped(words, scope) {
  const cell = text("th", words);
  cell.scope = scope;
  return cell;
}

// --- the picture: drawn again at every change of data, width or choice -------------------------

function draw(view) {
  if (!view.width) return;
  const box = measure(view, view.width);
  view.box = box;
  view.svg.setAttribute("viewBox", `0 0 ${view.width} ${box.height}`);
  view.svg.setAttribute("height", box.height);
  view.reader.style.height = `${box.height}px`;
  view.svg.replaceChildren();
  grid(view, box);
  marks(view, box);
  const shown = view.data.series.filter((series) => !view.hidden.has(series.id));
  shown.forEach((series) => curve(view, box, series));
  view.data.rises.filter((rise) => !view.hidden.has(rise.series)).forEach((rise) => stair(view, box, rise));
  if (box.named) endLabels(view, box, shown);
  view.cross = node("g", { class: "cross" }, view.svg);
  point(view, view.index);
}

// What only the page's layout knows is read when the layout changes, not at every drawing.
function fit(view) {
  const { fontSize, fontFamily } = getComputedStyle(view.svg);
  view.width = view.plot.clientWidth;
  view.size = parseFloat(fontSize);
  view.pen = document.createElement("canvas").getContext("2d");
  view.pen.font = `${fontSize} ${fontFamily}`;
  view.widths = new Map();
  view.room = room(view);
}

// The height that a projected chart may fill, what is written above and below it and the page's foot of one rem taken
// off; no end to it on a page. The table below, once opened, is scrolled to.
function room({ root, plot, caption, details }) {
  if (!getComputedStyle(root).getPropertyValue("--dc-projected")) return Infinity;
  const above = Math.max(plot.getBoundingClientRect().top, 0);
  const foot = details.getBoundingClientRect().top - caption.getBoundingClientRect().top
    + (details.firstElementChild?.offsetHeight ?? 0) + parseFloat(getComputedStyle(document.documentElement).fontSize);
  return innerHeight - above - foot - UNDER;
}

// Margins follow the texts they hold; a narrow chart leaves names to the legend.
function measure(view, width) {
  const { data } = view;
  const unit = view.size / TEXT;
  const named = width >= 560 * unit;
  const left = 12 * unit + Math.max(...data.y.ticks.map(([, words]) => wide(view, words)));
  const half = wide(view, data.x.ticks.at(-1)?.[1] ?? "") / 2;
  const right = named ? 22 * unit + Math.max(...data.series.map((series) => wide(view, series.label) * 1.06))
    : Math.max(18 * unit, half + 2);
  const box = { left, right: width - right, width, named, unit };
  box.marks = rows(view, box);
  box.top = (28 + LINE * box.marks.rows) * unit;
  const under = 48 * unit;
  const most = Math.min(420 * unit, width * 0.5, view.room - box.top - under);
  box.bottom = box.top + Math.round(Math.max(250, most));
  box.height = box.bottom + under;
  box.x = (at) => box.left + at * (box.right - box.left);
  box.y = (at) => box.bottom - at * (box.bottom - box.top);
  return box;
}

function wide(view, words) {
  if (!view.widths.has(words)) view.widths.set(words, view.pen.measureText(words).width);
  return view.widths.get(words);
}

// Labels of vertical lines stand above the plot, in as many rows as they need to stay apart.
function rows(view, box) {
  const ends = [];
  const placed = view.data.marks.filter((mark) => mark.axis === "x").sort((a, b) => a.at - b.at).map((mark) => {
    const half = wide(view, mark.label) / 2;
    const x = box.left + mark.at * (box.right - box.left);
    const middle = Math.max(box.left + half, Math.min(box.width - half - 2, x));
    let row = ends.findIndex((end) => end < middle - half - 8);
    if (row < 0) row = ends.length;
    ends[row] = middle + half;
    return { ...mark, x, middle, row };
  });
  return { placed, rows: ends.length };
}

function grid(view, box) {
  const { data, svg } = view;
  const { unit } = box;
  const group = node("g", { class: "grid" }, svg);
  say(group, data.y.label, { x: box.left, y: 14 * unit, class: "axis", "text-anchor": "start" });
  for (const [at, words] of data.y.ticks) {
    if (!words) { node("path", { d: `M${box.left - 4} ${box.y(at)}h4`, class: "minor" }, group); continue; }
    node("path", { d: `M${box.left} ${box.y(at)}H${box.right}` }, group);
    say(group, words, { x: box.left - 8 * unit, y: box.y(at) + 4 * unit, "text-anchor": "end" });
  }
  let clear = -Infinity;
  for (const [at, words] of data.x.ticks) {
    const half = wide(view, words) / 2;
    const fits = words && box.x(at) - half > clear + 10;
    node("path", { d: `M${box.x(at)} ${box.bottom}v${fits ? box.top - box.bottom : 4}`, class: fits ? "" : "minor" }, group);
    if (!fits) continue;
    say(group, words, { x: box.x(at), y: box.bottom + 18 * unit, "text-anchor": "middle" });
    clear = box.x(at) + half;
  }
  node("path", { d: `M${box.left} ${box.bottom}H${box.right}`, class: "base" }, group);
  say(group, data.x.label, { x: (box.left + box.right) / 2, y: box.bottom + 39 * unit, class: "axis", "text-anchor": "middle" });
}

function marks(view, box) {
  const group = node("g", { class: "marks" }, view.svg);
  for (const mark of box.marks.placed) {
    const y = box.top - (6 + LINE * (box.marks.rows - 1 - mark.row)) * box.unit;
    node("path", { d: `M${mark.x} ${y + 3}V${box.bottom}` }, group);
    say(group, mark.label, { x: mark.middle, y, "text-anchor": "middle" });
  }
  for (const mark of view.data.marks.filter((one) => one.axis === "y" && one.at !== null)) {
    node("path", { d: `M${box.left} ${box.y(mark.at)}H${box.right}` }, group);
    say(group, mark.label, { x: box.left + 8, y: box.y(mark.at) - 6, "text-anchor": "start" });
  }
}

function curve(view, box, series) {
  const group = node("g", { class: `curve role-${series.role}`, "data-series": series.id }, view.svg);
  let path = "";
  series.at.forEach((at, k) => {
    if (at === null) return;
    const joined = k > 0 && series.at[k - 1] !== null;
    path += `${joined ? "L" : "M"}${box.x(view.data.x.at[k])} ${box.y(at)}`;
  });
  line(group, path, series);
  series.at.forEach((at, k) => at !== null && marker(group, series, box.x(view.data.x.at[k]), box.y(at)));
}

function line(parent, path, series) {
  node("path", { d: path, class: "line", "stroke-dasharray": DASH[series.dash] }, parent);
}

const SHAPES = {
  circle: "M-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0",
  square: "M-3.3 -3.3h6.6v6.6h-6.6z",
  triangle: "M0 -4.4L4.2 3.2H-4.2z",
  diamond: "M0 -4.8L4.4 0L0 4.8L-4.4 0z",
};

function marker(parent, series, x, y) {
  if (series.marker === "none") return;
  node("path", { d: SHAPES[series.marker], class: "marker", transform: `translate(${x} ${y})` }, parent);
}

// A step on the curve: along by one factor, then up (or down) by the other.
function stair(view, box, rise) {
  const series = view.data.series.find((one) => one.id === rise.series);
  const [x0, x1] = [rise.start, rise.stop].map((k) => box.x(view.data.x.at[k]));
  const [y0, y1] = [rise.start, rise.stop].map((k) => box.y(series.at[k]));
  const group = node("g", { class: `rise role-${series.role}` }, view.svg);
  node("path", { d: `M${x0} ${y0}H${x1}V${y1}` }, group);
  const under = y1 <= y0;
  say(group, rise.run, { x: (x0 + x1) / 2, y: y0 + (under ? 16 : -7) * box.unit, "text-anchor": "middle" });
  say(group, rise.rise, { x: x1 + 7, y: (y0 + y1) / 2 + 5 * box.unit, "text-anchor": "start" });
}

// Names stand at the ends of their lines; those that would touch are pushed apart and tied back.
function endLabels(view, box, shown) {
  const names = shown.map((series) => {
    const last = series.at.findLastIndex((at) => at !== null);
    return last < 0 ? null : { series, x: box.x(view.data.x.at[last]), from: box.y(series.at[last]) };
  }).filter(Boolean).sort((a, b) => a.from - b.from);
  spread(names, (LINE + 2) * box.unit, box.top, box.bottom - 8);
  for (const name of names) {
    const group = node("g", { class: `end role-${name.series.role}` }, view.svg);
    if (Math.abs(name.y - name.from) > 5) node("path", { d: `M${name.x + 6} ${name.from}L${name.x + 12} ${name.y}` }, group);
    say(group, name.series.label, { x: name.x + 15, y: name.y + 4.5 * box.unit, "text-anchor": "start" });
  }
}

function spread(names, gap, top, bottom) {
  names.forEach((name, k) => { name.y = Math.max(name.from, k ? names[k - 1].y + gap : top); });
  for (let k = names.length - 1; k >= 0; k -= 1) {
    const limit = k === names.length - 1 ? bottom : names[k + 1].y - gap;
    names[k].y = Math.min(names[k].y, limit);
  }
}

// --- reading values: by pointer, finger or keys ------------------------------------------------

function listen(view) {
  const { reader, plot } = view;
  const seek = (event) => {
    const { left } = plot.getBoundingClientRect();
    const at = (event.clientX - left - view.box.left) / (view.box.right - view.box.left);
    const away = view.data.x.at.map((x) => Math.abs(x - at));
    point(view, away.indexOf(Math.min(...away)));
  };
  reader.onpointermove = seek;
  reader.onpointerdown = seek;
  reader.onpointerleave = (event) => { if (event.pointerType === "mouse" && !focused(view)) point(view, null); };
  reader.onblur = () => point(view, null);
  reader.onfocus = () => { if (view.index === null) point(view, 0); };
  reader.onkeydown = (event) => {
    const last = view.data.x.at.length - 1;
    const here = view.index ?? 0;
    const to = { ArrowLeft: here - 1, ArrowDown: here - 1, ArrowRight: here + 1, ArrowUp: here + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape") point(view, null);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    point(view, Math.max(0, Math.min(last, to)));
  };
}

function focused(view) {
  return view.reader.getRootNode().activeElement === view.reader;
}

function point(view, index) {
  view.index = index;
  const { data, box, cross, tip, reader } = view;
  cross.replaceChildren();
  tip.hidden = index === null;
  if (index === null) return;
  const shown = data.series.filter((series) => !view.hidden.has(series.id));
  const x = box.x(data.x.at[index]);
  node("path", { d: `M${x} ${box.top}V${box.bottom}` }, cross);
  for (const series of shown) {
    if (series.at[index] !== null) marker(node("g", { class: `role-${series.role}` }, cross), { marker: "circle" }, x, box.y(series.at[index]));
  }
  reader.setAttribute("aria-valuenow", String(index + 1));
  reader.setAttribute("aria-valuetext", `${data.x.label} ${data.x.texts[index]}: `
    + shown.map((series) => `${series.label} ${spoken(series, index, data)}`).join("; "));
  fillTip(view, shown, index, x);
}

function spoken(series, index, data) {
  return series.at[index] === null ? data.words.missing : series.texts[index];
}

// The values stand beside the line that is read; on a narrow chart, which they would cover, below it.
function fillTip(view, shown, index, x) {
  const { data, tip, box } = view;
  const order = [...shown].sort((a, b) => (b.at[index] ?? -1) - (a.at[index] ?? -1));
  tip.replaceChildren(text("b", `${data.x.label} = ${data.x.texts[index]}`), ...order.map((series) => {
    const row = html("div", { class: `row role-${series.role}` });
    const swatch = node("svg", { width: 26, height: 10, "aria-hidden": "true" }, row);
    line(swatch, "M1 5H25", series);
    marker(swatch, series, 13, 5);
    row.append(text("span", series.label), text("i", spoken(series, index, data)));
    return row;
  }));
  tip.classList.toggle("under", !box.named);
  if (!box.named) return;
  const room = tip.offsetWidth + 14;
  const left = x + room < box.width ? x + 14 : x - room;
  tip.style.left = `${Math.max(0, Math.min(left, box.width - tip.offsetWidth))}px`;
  tip.style.top = `${box.top + 6}px`;
}

// --- making elements: text always as text, never as markup --------------------------------------

function html(tag, attributes, parent) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent?.append(element);
  return element;
}

function text(tag, words) {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}

function node(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent?.append(element);
  return element;
}

function say(parent, words, attributes) {
  node("text", attributes, parent).textContent = words;
}
