// The card in the worker's hand: m, l and a, with l and a as bars of what each person put in, so that they shrink in sight.

import { el, group } from "../stage/vdom.js";
import { fitSize, widthOf } from "../stage/words.js";

export function drawPaper(view, box) {
  const { say, scene, at } = view;
  const head = 40;
  const foot = 54;
  const rows = scene.plain ? ["l", "a"] : ["m", "l", "a"];
  const tall = { m: 54 };
  const free = (box.h - head - foot - (scene.plain ? 0 : tall.m)) / 2;
  let y = box.y + head;
  const slots = rows.map((letter) => {
    const h = tall[letter] ?? free;
    const slot = letter === "m" ? single(view, letter, { x: box.x, y, w: box.w, h }) : stacked(view, letter, { x: box.x, y, w: box.w, h });
    y += h;
    return slot;
  });
  return group({ key: "paper" },
    el("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 12, fill: "var(--panel)", stroke: "var(--dc-card-fill)", "stroke-width": 1.5 }),
    el("path", { d: `M${box.x + 1} ${box.y + head - 6}h${box.w - 2}`, stroke: "var(--dc-card-fill)", "stroke-width": 2 }),
    el("text", { x: box.x + 16, y: box.y + 23, class: "dc-head", "font-size": 16 }, say("card")),
    scene.plain ? null : badge(view, box),
    slots,
    answer(view, { x: box.x, y, w: box.w, h: foot }));
}

/** The factor of the last rescale; it glows when a larger score has just arrived. */
function badge({ say, at }, box) {
  if (!at.text.rescale) return null;
  const text = say(at.grown || at.text.rescale !== "1" ? "shrinks" : "stays", { factor: at.text.rescale });
  const w = widthOf(text) * 14 + 26;
  const x = box.x + box.w - w - 12;
  return group({ key: "badge" },
    at.glow > 0 && at.glow < 1 && el("rect", { x: x - at.glow * 12, y: box.y + 5 - at.glow * 12, width: w + at.glow * 24, height: 25 + at.glow * 24, rx: 14 + at.glow * 12, fill: "none", stroke: "var(--flash)", "stroke-width": 4, opacity: (1 - at.glow).toFixed(3) }),
    el("rect", { x, y: box.y + 5, width: w, height: 25, rx: 12.5, fill: at.grown ? "var(--flash)" : "var(--paper)", stroke: at.grown ? "var(--flash)" : "var(--line)" }),
    el("text", { x: x + w / 2, y: box.y + 22.5, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": 14, fill: at.grown ? "var(--on-flash)" : "var(--soft)" }, text));
}

function heading({ say, at, scene }, letter, { x, y, w }) {
  const word = say(`${scene.plain ? "plain" : "card"}_${letter}`);
  const value = at.text[letter];
  const size = fitSize(value, 24, w * 0.4);
  return [
    el("text", { key: "letter", x: x + 16, y: y + 30, class: "dc-letter", "font-size": 25, fill: "var(--dc-card-line)" }, letter),
    el("text", { key: "word", x: x + 48, y: y + 28, class: "dc-soft", "font-size": fitSize(word, 14, w * 0.58 - 48) }, word),
    el("text", { key: "value", x: x + w - 16, y: y + 30, "text-anchor": "end", class: "dc-num dc-strong", "font-size": size }, value),
  ];
}

const single = (view, letter, slot) => group({ key: letter }, heading(view, letter, slot), rule(slot));

const rule = ({ x, y, w, h }) => el("path", { key: "rule", d: `M${x + 12} ${y + h - 1}h${w - 24}`, stroke: "var(--line)" });

const PAINT = { l: "P", a: "V" };

/** A sum as a bar of its parts; a dashed outline keeps what stood there before everything shrank. */
function stacked(view, letter, slot) {
  const { scene, at } = view;
  const { x, y, w, h } = slot;
  const top = y + 42;
  const tall = Math.max(16, Math.min(60, h - 70));
  const unit = (w - 32) / scene.axis[letter];
  let start = x + 16;
  const parts = at[`in_${letter}`].map((part, person) => {
    const from = start;
    start += part * unit;
    return segment(PAINT[letter], person, { x: from, y: top, w: part * unit, h: tall });
  });
  const before = at.before && at.before[letter];
  return group({ key: letter }, heading(view, letter, slot),
    el("rect", { key: "ground", x: x + 16, y: top, width: w - 32, height: tall, rx: 4, fill: "var(--paper)", stroke: "var(--line)" }),
    before ? ghost(view, before, unit, { x: x + 16, y: top, h: tall, w: w - 32 }) : null,
    parts, axis(scene.axis[letter], slot, top + tall), rule(slot));
}

function segment(paint, person, { x, y, w, h }) {
  const text = String(person + 1);
  return group({ key: `part${person}` },
    el("rect", { x: x.toFixed(2), y, width: Math.max(w, 0.01).toFixed(2), height: h, fill: `var(--dc-${paint}-fill)`, "fill-opacity": person % 2 ? 0.72 : 1, stroke: "var(--panel)", "stroke-width": w > 6 ? 1 : 0.4 }),
    w > 15 ? el("text", { x: (x + w / 2).toFixed(2), y: y + h / 2 + 5, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": 14, fill: `var(--dc-${paint}-ink)` }, text) : null);
}

function ghost({ say }, { total, text }, unit, { x, y, w, h }) {
  const end = x + total * unit;
  return group({ key: "ghost" },
    el("rect", { x, y: y - 3, width: Math.max(total * unit, 1), height: h + 6, rx: 4, fill: "none", stroke: "var(--flash)", "stroke-width": 1.5, "stroke-dasharray": "5 4" }),
    el("text", { x: Math.min(end, x + w), y: y + h + 19, "text-anchor": end > x + 90 ? "end" : "start", class: "dc-num", "font-size": 12, fill: "var(--flash)" }, say("before", { number: text })));
}

function axis(top, { x, w }, y) {
  return group({ key: "axis" },
    el("text", { x: x + 16, y: y + 17, class: "dc-faint dc-num", "font-size": 11 }, "0"),
    el("text", { x: x + w - 16, y: y + 17, "text-anchor": "end", class: "dc-faint dc-num", "font-size": 11 }, String(top)));
}

/** a ÷ l: what the card would say if nobody else came, and at the end the answer. */
function answer({ say, at, scene }, { x, y, w, h }) {
  if (!at.text.mean) return null;
  const word = say(at.done ? (scene.plain ? "plain_mean" : "answer") : scene.plain ? "plain_mean" : "so_far");
  return group({ key: "answer" },
    at.done && el("rect", { x: x + 6, y: y + 6, width: w - 12, height: h - 12, rx: 8, fill: "var(--dc-O-fill)" }),
    el("text", { x: x + 16, y: y + h / 2 + 6, class: at.done ? "dc-strong" : "dc-soft", "font-size": fitSize(word, 15, w * 0.62), fill: at.done ? "var(--dc-O-ink)" : null }, word),
    el("text", { x: x + w - 16, y: y + h / 2 + 7, "text-anchor": "end", class: "dc-num dc-strong", "font-size": at.done ? 22 : 19, fill: at.done ? "var(--dc-O-ink)" : "var(--dc-O-line)" }, at.text.mean));
}
