// The panels around the room: title and launches, the event in words, the running program, the card, the ledger.

import { carriesOf, cardOf, rescaledBy } from "./model.js";
import { family } from "./draw_room.js";
import { el, group } from "./vdom.js";
import { caption, figure, fitSize, kernelName, widthOf, wrap } from "./words.js";

const panel = (box, extra = {}) => el("rect", { key: "panel", x: box.x, y: box.y, width: box.w, height: box.h, rx: 12, fill: "var(--panel)", stroke: "var(--line)", ...extra });

/** The worker's name, how its numbers were had, and its launches with the running one lit. */
export function drawTitle(view, box) {
  const { model, say, focus } = view;
  const size = fitSize(model.title, 21, box.w * 0.42);
  const tag = say.known(`tag_${model.tag}`) ? say(`tag_${model.tag}`) : model.tag;
  const start = box.x + 2 + widthOf(model.title) * size * 1.03 + 14;
  return group({ key: "title" },
    el("text", { x: box.x + 2, y: box.y + 25, class: "dc-title", "font-size": size }, model.title),
    pill(start, box.y + 8, tag, false),
    launches(view, box, start + widthOf(tag) * 12 + 40, focus ? focus.kernel : -1));
}

function pill(x, y, text, lit) {
  const w = widthOf(text) * 12.5 + 18;
  return group({ key: `pill ${text}` },
    el("rect", { x, y, width: w, height: 22, rx: 11, fill: lit ? "var(--accent)" : "var(--panel)", stroke: lit ? "var(--accent)" : "var(--line)" }),
    el("text", { x: x + w / 2, y: y + 15.5, "text-anchor": "middle", "font-size": 12.5, class: lit ? "dc-strong" : "dc-soft", fill: lit ? "var(--on-accent)" : null }, text));
}

function launches({ model, say }, box, from, running) {
  const names = model.kernels.map((name) => kernelName(say, name));
  const widths = names.map((name) => widthOf(name) * 12.5 + 18);
  const room = box.x + box.w - from;
  const total = widths.reduce((sum, width) => sum + width + 18, -18);
  const first = total <= room ? 0 : Math.max(0, Math.min(running, names.length - 1));
  const shown = total <= room ? names : names.slice(first, first + 1);
  if (widths[first] > room) return null;
  let x = box.x + box.w - (total <= room ? total : widths[first]);
  return group({ key: "launches" }, shown.map((name, index) => {
    const at = x;
    x += widths[first + index] + 18;
    const arrow = index > 0 && el("path", { d: `M${at - 13} ${box.y + 19}h8m-3.5 -3.5l3.5 3.5l-3.5 3.5`, fill: "none", stroke: "var(--soft)", "stroke-width": 1.4 });
    return group({ key: index }, arrow, pill(at, box.y + 8, name, first + index === running));
  }));
}

/** The current event in words. */
export function drawCaption(view, box) {
  const { say, events, focus } = view;
  const text = caption(say, events);
  const most = Math.max(1, Math.floor((box.h - 10) / 22));
  const size = box.w < 450 ? 17 : box.w > 900 || box.h > 80 ? 21 : 18;
  const scale = widthOf(text) * size < (box.w - 44) * (most - 0.4) ? size : size * 0.82;
  const lines = wrap(text, scale, box.w - 44, most);
  const leading = scale * 1.25;
  const top = box.y + box.h / 2 - ((lines.length - 1) * leading) / 2 + scale * 0.35;
  const colour = focus && focus.tensor ? `var(--dc-${family(focus.tensor)}-fill)` : "var(--line)";
  return group({ key: "caption" }, panel(box),
    el("rect", { key: "mark", x: box.x, y: box.y + 8, width: 6, height: box.h - 16, rx: 3, fill: colour }),
    lines.map((line, index) => el("text", { key: `line${index}`, x: box.x + 20, y: top + index * leading, class: "dc-caption", "font-size": scale }, line)));
}

const TOKEN = /(#.*$)|("""|"[^"]*"|'[^']*')|\b(def|with|for|in|if|return|else|while|not|and|or|True|False|None|import|from)\b|\b([QKVOSPmlaL](?:_(?:i|j|ij|new))?)\b|([\s\S])/g;

/** A line of the program in pieces: comments, strings, words of Python, and tensors in their own colour. */
function tokens(line) {
  const pieces = [];
  for (const [text, comment, string, keyword, tensor] of line.matchAll(TOKEN)) {
    const look = comment ? "dc-comment" : string ? "dc-string" : keyword ? "dc-keyword" : tensor ? family(tensor[0]) : "";
    const last = pieces[pieces.length - 1];
    if (last && last.look === look && !tensor) last.text += text;
    else pieces.push({ text, look, tensor: Boolean(tensor) });
  }
  return pieces.map(({ text, look, tensor }) => el("tspan", tensor ? { fill: `var(--dc-${look}-line)`, class: "dc-letter" } : look ? { class: look } : {}, text));
}

/** The program that ran, a window of it around the lit line. */
export function drawCode(view, box) {
  const { model, focus, say, present } = view;
  const { first, lines } = model.code;
  const longest = Math.max(...lines.map((line) => line.replace(/ {3,}#.*/, "").trim().length), 1);
  const size = Math.min(present ? 15 : 12.5, Math.max(11, (box.w - 70) / (longest * 0.61)));
  const leading = size * 1.5;
  const head = box.h < 100 ? 4 : 30;
  const fits = Math.max(1, Math.floor((box.h - head - 4) / leading));
  const lit = focus ? focus.line - first : -1;
  const from = Math.max(0, Math.min(lines.length - fits, lit < 0 ? firstStatement(lines) : lit - Math.floor(fits / 2)));
  const y = (index) => box.y + head + (index - from + 0.5) * leading;
  const shown = lines.slice(from, from + fits).map((text, offset) => [text, from + offset]);
  const margin = indent(shown.map(([text]) => text));
  return group({ key: "code", class: "dc-code" }, panel(box),
    head > 20 && el("text", { x: box.x + 14, y: box.y + 20, class: "dc-soft", "font-size": 12 }, say("code")),
    lit >= from && lit < from + fits && el("rect", { key: "lit", x: box.x + 5, y: y(lit) - leading / 2, width: box.w - 10, height: leading, rx: 5, fill: "var(--lit)" }),
    el("svg", { key: "lines", x: box.x, y: box.y, width: box.w - 8, height: box.h, viewBox: `${box.x} ${box.y} ${box.w - 8} ${box.h}` }, shown.map(([text, index]) => codeLine(view, text.slice(margin).replace(/ {3,}#/, "   #"), index, box.x, y(index) + size * 0.33, size, index === lit))));
}

const firstStatement = (lines) => Math.max(0, lines.findIndex((line) => /^\s*(with|for) /.test(line)) - 1);
const indent = (lines) => Math.min(...lines.filter((line) => line.trim()).map((line) => line.match(/^ */)[0].length), 99);

function codeLine({ model, memo }, text, index, x, y, size, lit) {
  const known = memo.code || (memo.code = new Map());
  const key = `${index} ${y} ${lit} ${text}`;
  if (!known.has(key)) {
    known.set(key, group({ key: index },
      el("text", { x: x + 32, y, "font-size": size - 1.5, "text-anchor": "end", class: "dc-mono dc-number" }, model.code.first + index),
      el("text", { x: x + 42, y, "font-size": size, class: lit ? "dc-mono dc-strong dc-lit" : "dc-mono", "xml:space": "preserve" }, tokens(text))));
  }
  return known.get(key);
}

/** The running card of the chosen row: m, l, the vector a and the factor by which the card was last rescaled. */
export function drawCard(view, box) {
  const { model, say, state, row, events } = view;
  const card = cardOf(model, state, row);
  const inner = { x: box.x + 16, w: box.w - 32 };
  const parts = [panel(box), el("path", { key: "tab", d: `M${box.x + 1} ${box.y + 36}h${box.w - 2}`, stroke: "var(--dc-card-fill)", "stroke-width": 2 }),
    el("text", { x: inner.x, y: box.y + 24, class: "dc-head", "font-size": 16 }, say(model.carded ? "card" : "card_missing", { row }))];
  if (!model.carded || !card) return group({ key: "card" }, parts, note(inner, box, say(model.carded ? "card_blank" : "card_none")));
  const half = (inner.w - 12) / 2;
  const top = box.y + 46;
  const tall = Math.min(58, (box.h - 58) * 0.46);
  return group({ key: "card" }, parts, badge(say, card, box, rescaledBy(card, events)),
    slot("m", say("card_m"), figure(card.m), { x: inner.x, y: top, w: half, h: tall }),
    slot("l", say("card_l"), figure(card.l), { x: inner.x + half + 12, y: top, w: half, h: tall }),
    vector(say, card.a, { x: inner.x, y: top + tall + 10, w: inner.w, h: box.y + box.h - top - tall - 20 }));
}

function note(inner, box, text) {
  return wrap(text, 14, inner.w, 4).map((line, index) => el("text", { key: `note${index}`, x: inner.x, y: box.y + 64 + index * 20, class: "dc-soft", "font-size": 14 }, line));
}

function slot(letter, word, value, { x, y, w, h }) {
  const tall = h >= 44;
  const base = y + (tall ? h - 11 : h / 2 + 8);
  return group({ key: letter },
    el("rect", { x, y, width: w, height: h, rx: 8, fill: "var(--paper)", stroke: "var(--line)" }),
    tall && el("text", { x: x + 12, y: y + 17, class: "dc-soft", "font-size": fitSize(word, 12.5, w - 20) }, word),
    el("text", { x: x + 12, y: base, class: "dc-letter", "font-size": 22, fill: "var(--dc-card-line)" }, letter),
    el("text", { x: x + w - 12, y: base, "text-anchor": "end", class: "dc-num dc-strong", "font-size": fitSize(value, 24, w * 0.6), "data-card": letter }, value));
}

/** The rescale factor at the card's upper right, glowing when a larger score has just arrived. */
function badge(say, card, box, lit) {
  if (!card.rescale) return null;
  const text = say("rescale", { factor: figure(card.rescale) });
  const w = widthOf(text) * 14 + 24;
  const x = box.x + box.w - w - 12;
  return group({ key: "badge" },
    el("rect", { x, y: box.y + 7, width: w, height: 25, rx: 12.5, fill: lit ? "var(--flash)" : "var(--paper)", stroke: lit ? "var(--flash)" : "var(--line)", "stroke-width": lit ? 2 : 1 }),
    el("text", { x: x + w / 2, y: box.y + 24, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": 14, fill: lit ? "var(--on-flash)" : "var(--soft)" }, text));
}

/** Where the badge of a rescale glows. */
export const badgeBox = (box) => ({ x: box.x + box.w - 12, y: box.y + 7, h: 25 });

function vector(say, a, { x, y, w, h }) {
  const word = w > 340 && h > 30;
  const left = word ? 118 : 36;
  const shown = a.slice(0, 16);
  const cell = Math.min((w - left) / Math.max(shown.length, 1), 64);
  const most = Math.max(...shown.map((value) => Math.abs(value) || 0), 1e-9);
  const middle = y + h / 2;
  const reach = h / 2 - 4;
  return group({ key: "a" },
    el("rect", { x, y, width: w, height: h, rx: 8, fill: "var(--paper)", stroke: "var(--line)" }),
    el("text", { x: x + 12, y: middle + 8, class: "dc-letter", "font-size": 22, fill: "var(--dc-card-line)" }, "a"),
    word && el("text", { x: x + 36, y: middle + 5, class: "dc-soft", "font-size": fitSize(say("card_a"), 12.5, left - 42) }, say("card_a")),
    el("path", { d: `M${x + left} ${middle}h${w - left - 8}`, stroke: "var(--line)" }),
    a.length > shown.length && el("text", { x: x + w - 14, y: y + 14, "text-anchor": "end", class: "dc-soft", "font-size": 12 }, `16 / ${a.length}`),
    shown.map((value, index) => bar(value, index, { x: x + left + index * cell, middle, cell, reach, most, h })));
}

function bar(value, index, { x, middle, cell, reach, most, h }) {
  const tall = (Math.abs(value || 0) / most) * reach;
  const text = figure(value);
  const size = fitSize(text, 12.5, cell - 5);
  return group({ key: index },
    el("rect", { x: x + 2, y: value >= 0 ? middle - tall : middle, width: cell - 6, height: Math.max(tall, 0.5), rx: 2, fill: "var(--dc-card-fill)", "fill-opacity": 0.32 }),
    h > 34 && size > 6.5 && el("text", { x: x + cell / 2 - 1, y: middle + 4, "text-anchor": "middle", class: "dc-num", "font-size": size }, text));
}

const COLUMNS = ["read", "written", "numbers"];

/** Bytes read and written by tensor, the numbers they were, and how often the whole table crossed the room. */
export function drawLedger(view, box) {
  const { model, say } = view;
  const names = Object.keys(model.byName);
  const wide = box.h > 260;
  const carries = model.carries ? (wide ? 88 : 48) : 0;
  const head = wide ? 54 : 26;
  const w = box.w - 28;
  const step = Math.min(46, (box.h - head - 18 - carries) / (names.length + 1));
  const columns = [0.5, 0.76, 1].map((share) => box.x + 14 + w * share);
  const size = Math.min(18, step * 0.6, (w * 0.24) / longestNumber(model));
  const y = (index) => box.y + head + 12 + (index + 0.5) * step;
  return group({ key: "ledger" }, panel(box),
    el("text", { x: box.x + 14, y: box.y + 26, class: "dc-head", "font-size": fitSize(say("ledger"), 16, wide ? w : w * 0.3) }, say("ledger")),
    COLUMNS.map((word, index) => el("text", { key: word, x: columns[index], y: box.y + head, "text-anchor": "end", class: "dc-soft", "font-size": fitSize(say(word), 12.5, w * 0.22) }, say(word))),
    names.map((name, index) => ledgerRow(view, name, box, columns, y(index), step, size)),
    el("path", { key: "sum", d: `M${box.x + 14} ${y(names.length) - step / 2}h${w}`, stroke: "var(--soft)" }),
    sums(view, columns, box, y(names.length), size),
    carries ? crossings(view, { x: box.x + 14, y: box.y + box.h - carries, w }, wide) : null);
}

/** The width in ems of the largest number the ledger will show. */
function longestNumber({ totals }) {
  const sum = (way) => Object.values(totals).reduce((all, total) => all + total[way], 0);
  return Math.max(widthOf(Math.max(sum("read"), sum("write"), 1).toLocaleString("en")), 3);
}

const numbersOf = (model, name, tally) => (tally.read + tally.write) / (model.byName[name] ? model.byName[name].bytes : 4);

function ledgerRow({ model, state, say }, name, box, columns, y, step, size) {
  const tally = state.tallies[name] || { read: 0, write: 0 };
  const total = model.totals[name] || tally;
  const done = (tally.read + tally.write) / Math.max(total.read + total.write, 1);
  const colour = family(name);
  const values = [tally.read, tally.write, numbersOf(model, name, tally)];
  const w = box.w - 28;
  return [
    el("rect", { key: `${name} plate`, x: box.x + 14, y: y - size * 0.72, width: Math.max(26, widthOf(name) * size + 10), height: size * 1.44, rx: 4, fill: `var(--dc-${colour}-fill)` }),
    el("text", { key: `${name} name`, x: box.x + 14 + Math.max(26, widthOf(name) * size + 10) / 2, y: y + size * 0.36, "text-anchor": "middle", class: "dc-letter", "font-size": size, fill: `var(--dc-${colour}-ink)` }, name),
    values.map((value, index) => el("text", { key: `${name} ${index}`, x: columns[index], y: y + size * 0.36, "text-anchor": "end", class: value ? "dc-num" : "dc-num dc-faint", "font-size": size, "data-tally": `${name} ${COLUMNS[index]}` }, say.number(value))),
    el("rect", { key: `${name} bar`, x: box.x + 14, y: y + step / 2 - 3, width: Math.max(w * Math.min(done, 1), 0.01), height: 2, fill: `var(--dc-${colour}-fill)` }),
  ];
}

function sums({ model, state, say, k }, columns, box, y, size) {
  const tallies = Object.entries(state.tallies);
  const values = [tallies.reduce((sum, [, tally]) => sum + tally.read, 0), tallies.reduce((sum, [, tally]) => sum + tally.write, 0),
    tallies.reduce((sum, [name, tally]) => sum + numbersOf(model, name, tally), 0)];
  const done = k === model.stepCount;
  return group({ key: "sums" },
    el("text", { x: box.x + 14, y: y + size * 0.36, class: "dc-strong", "font-size": fitSize(say("sum"), size, box.w * 0.2) }, say("sum")),
    done && el("path", { key: "done", d: `M${box.x + 18 + widthOf(say("sum")) * size} ${y}l4 4l7 -9`, fill: "none", stroke: "var(--done)", "stroke-width": 2.5 }),
    values.map((value, index) => el("text", { key: `sum${index}`, x: columns[index], y: y + size * 0.36, "text-anchor": "end", class: "dc-num dc-strong", "font-size": size }, say.number(value))));
}

/** One small table for each crossing of the whole N×N table, filling as it is carried. */
function crossings({ model, state, say }, { x, y, w }, wide) {
  const now = carriesOf(model, state.tallies);
  const count = Math.round(carriesOf(model, model.totals).tables);
  const room = wide ? w : w * 0.36;
  const size = Math.min(wide ? 24 : 20, (room + 6) / Math.max(count, 1) - 6);
  const text = say("carries", { count: Number(now.tables.toFixed(2)) });
  const numbers = say("carried_numbers", { numbers: say.number(now.numbers) });
  const [left, top] = wide ? [x, y + 50] : [x + w - count * (size + 6) + 6, y + 15];
  const words = wide ? w : w - count * (size + 6) - 4;
  return group({ key: "carries" },
    el("path", { d: `M${x} ${y + 3}h${w}`, stroke: "var(--line)" }),
    el("text", { x, y: y + 22, class: "dc-strong", "font-size": fitSize(text, wide ? 15 : 13, words) }, text),
    el("text", { x, y: y + 40, class: "dc-soft", "font-size": fitSize(numbers, wide ? 13 : 12, words) }, numbers),
    [...Array(count).keys()].map((index) => crossing(left + index * (size + 6), top, size, Math.max(0, Math.min(1, now.tables - index)), index)));
}

function crossing(x, y, size, share, index) {
  const third = size / 3;
  return group({ key: index },
    el("rect", { x, y, width: size, height: size, rx: 3, fill: "var(--paper)", stroke: "var(--dc-S-line)", "stroke-opacity": 0.6 }),
    el("rect", { x, y: y + size * (1 - share), width: size, height: Math.max(size * share, 0.01), rx: 3, fill: `var(--dc-${index % 4 < 2 ? "S" : "P"}-fill)` }),
    el("path", { d: `M${x + third} ${y}v${size}M${x + 2 * third} ${y}v${size}M${x} ${y + third}h${size}M${x} ${y + 2 * third}h${size}`, stroke: "var(--panel)", "stroke-width": 0.8 }));
}
