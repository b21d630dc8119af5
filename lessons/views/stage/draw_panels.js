// The panels around the room: title and launches, the event in words, the running card.

import { cardOf, rescaledBy } from "./model.js";
import { family } from "./draw_room.js";
import { el, group } from "./vdom.js";
import { caption, figure, fitSize, kernelName, widthOf, wrap } from "./words.js";

const READABLE = 8; // the smallest type a number is written in

export const panel = (box, extra = {}) =>
  el("rect", {
    key: "panel",
    x: box.x,
    y: box.y,
    width: box.w,
    height: box.h,
    rx: 12,
    fill: "var(--panel)",
    stroke: "var(--line)",
    ...extra,
  });

/** The worker's name, how its numbers were had, and its launches with the running one lit. */
export function drawTitle(view, box) {
  const { model, say, focus } = view;
  const size = fitSize(model.title, 21, box.w * 0.42);
  const tag = say.known(`tag_${model.tag}`) ? say(`tag_${model.tag}`) : model.tag;
  const start = box.x + 2 + widthOf(model.title) * size * 1.03 + 14;
  return group(
    { key: "title" },
    el("text", { x: box.x + 2, y: box.y + 25, class: "dc-title", "font-size": size }, model.title),
    pill(start, box.y + 8, tag, false),
    launches(view, box, start + widthOf(tag) * 12 + 40, focus ? focus.kernel : -1),
  );
}

function pill(x, y, text, lit) {
  const w = widthOf(text) * 12.5 + 18;
  return group(
    { key: `pill ${text}` },
    el("rect", {
      x,
      y,
      width: w,
      height: 22,
      rx: 11,
      fill: lit ? "var(--accent)" : "var(--panel)",
      stroke: lit ? "var(--accent)" : "var(--line)",
    }),
    el(
      "text",
      {
        x: x + w / 2,
        y: y + 15.5,
        "text-anchor": "middle",
        "font-size": 12.5,
        class: lit ? "dc-strong" : "dc-soft",
        fill: lit ? "var(--on-accent)" : null,
      },
      text,
    ),
  );
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
  return group(
    { key: "launches" },
    shown.map((name, index) => {
      const at = x;
      x += widths[first + index] + 18;
      const arrow =
        index > 0 &&
        el("path", {
          d: `M${at - 13} ${box.y + 19}h8m-3.5 -3.5l3.5 3.5l-3.5 3.5`,
          fill: "none",
          stroke: "var(--soft)",
          "stroke-width": 1.4,
        });
      return group({ key: index }, arrow, pill(at, box.y + 8, name, first + index === running));
    }),
  );
}

/** The current event in words. */
export function drawCaption(view, box) {
  const { say, events, focus, present } = view;
  const text = view.said ?? caption(say, events);
  const most = Math.max(1, Math.floor((box.h - 10) / 22));
  const size = box.w < 450 ? 17 : box.w > 900 || present ? 22 : 18;
  const scale = widthOf(text) * size < (box.w - 44) * (most - 0.4) ? size : size * 0.82;
  const lines = wrap(text, scale, box.w - 44, most);
  const leading = scale * 1.25;
  const top = box.y + box.h / 2 - ((lines.length - 1) * leading) / 2 + scale * 0.35;
  const colour = focus && focus.tensor ? `var(--dc-${family(focus.tensor)}-fill)` : "var(--line)";
  return group(
    { key: "caption" },
    panel(box),
    el("rect", { key: "mark", x: box.x, y: box.y + 8, width: 6, height: box.h - 16, rx: 3, fill: colour }),
    lines.map((line, index) =>
      el(
        "text",
        { key: `line${index}`, x: box.x + 20, y: top + index * leading, class: "dc-caption", "font-size": scale },
        line,
      ),
    ),
  );
}

/** The running card of the chosen row: m, l, the vector a and the factor by which the card was last rescaled. */
export function drawCard(view, box) {
  const { model, say, state, row, events } = view;
  const card = cardOf(model, state, row);
  const inner = { x: box.x + 16, w: box.w - 32 };
  const parts = [
    panel(box),
    el("path", {
      key: "tab",
      d: `M${box.x + 1} ${box.y + 36}h${box.w - 2}`,
      stroke: "var(--dc-card-fill)",
      "stroke-width": 2,
    }),
    el(
      "text",
      { x: inner.x, y: box.y + 24, class: "dc-head", "font-size": 16 },
      say(model.carded ? "card" : "card_missing", { row }),
    ),
  ];
  if (!model.carded || !card)
    return group({ key: "card" }, parts, note(inner, box, say(model.carded ? "card_blank" : "card_none")));
  const half = (inner.w - 12) / 2;
  const top = box.y + 46;
  const tall = Math.min(58, (box.h - 58) * 0.46);
  return group(
    { key: "card" },
    parts,
    badge(say, card, box, rescaledBy(card, events)),
    slot("m", say("card_m"), figure(card.m), { x: inner.x, y: top, w: half, h: tall }),
    slot("l", say("card_l"), figure(card.l), { x: inner.x + half + 12, y: top, w: half, h: tall }),
    vector(say, card.a, { x: inner.x, y: top + tall + 10, w: inner.w, h: box.y + box.h - top - tall - 20 }),
  );
}

function note(inner, box, text) {
  return wrap(text, 14, inner.w, 4).map((line, index) =>
    el(
      "text",
      { key: `note${index}`, x: inner.x, y: box.y + 64 + index * 20, class: "dc-soft", "font-size": 14 },
      line,
    ),
  );
}

function slot(letter, word, value, { x, y, w, h }) {
  const tall = h >= 44;
  const base = y + (tall ? h - 11 : h / 2 + 8);
  return group(
    { key: letter },
    el("rect", { x, y, width: w, height: h, rx: 8, fill: "var(--paper)", stroke: "var(--line)" }),
    tall && el("text", { x: x + 12, y: y + 17, class: "dc-soft", "font-size": fitSize(word, 12.5, w - 20) }, word),
    el("text", { x: x + 12, y: base, class: "dc-letter", "font-size": 22, fill: "var(--dc-card-line)" }, letter),
    el(
      "text",
      {
        x: x + w - 12,
        y: base,
        "text-anchor": "end",
        class: "dc-num dc-strong",
        "font-size": fitSize(value, 24, w * 0.6),
        "data-card": letter,
      },
      value,
    ),
  );
}

/** The rescale factor at the card's upper right, glowing when a larger score has just arrived. */
function badge(say, card, box, lit) {
  if (!card.rescale) return null;
  const text = say("rescale", { factor: figure(card.rescale) });
  const w = widthOf(text) * 14 + 24;
  const x = box.x + box.w - w - 12;
  return group(
    { key: "badge" },
    el("rect", {
      x,
      y: box.y + 7,
      width: w,
      height: 25,
      rx: 12.5,
      fill: lit ? "var(--flash)" : "var(--paper)",
      stroke: lit ? "var(--flash)" : "var(--line)",
      "stroke-width": lit ? 2 : 1,
    }),
    el(
      "text",
      {
        x: x + w / 2,
        y: box.y + 24,
        "text-anchor": "middle",
        class: "dc-num dc-strong",
        "font-size": 14,
        fill: lit ? "var(--on-flash)" : "var(--soft)",
      },
      text,
    ),
  );
}

/** Where the badge of a rescale glows. */
export const badgeBox = (box) => ({ x: box.x + box.w - 12, y: box.y + 7, h: 25 });

function vector(say, a, { x, y, w, h }) {
  const word = w > 340 && h > 30;
  const left = word ? 118 : 36;
  const shown = a.slice(0, 16);
  const cell = Math.min((w - left - 8) / Math.max(shown.length, 1), 64);
  const most = Math.max(...shown.map((value) => Math.abs(value) || 0), 1e-9);
  const middle = y + h / 2;
  const reach = h / 2 - 4;
  const size = h > 34 ? Math.min(...shown.map((value) => fitSize(figure(value), 12.5, cell - 5))) : 0;
  return group(
    { key: "a" },
    el("rect", { x, y, width: w, height: h, rx: 8, fill: "var(--paper)", stroke: "var(--line)" }),
    el("text", { x: x + 12, y: middle + 8, class: "dc-letter", "font-size": 22, fill: "var(--dc-card-line)" }, "a"),
    word &&
      el(
        "text",
        { x: x + 36, y: middle + 5, class: "dc-soft", "font-size": fitSize(say("card_a"), 12.5, left - 42) },
        say("card_a"),
      ),
    el("path", { d: `M${x + left} ${middle}h${w - left - 8}`, stroke: "var(--line)" }),
    shown.map((value, index) => bar(value, index, { x: x + left + index * cell, middle, cell, reach, most, size })),
    a.length > shown.length &&
      el(
        "text",
        { x: x + w - 14, y: y + 14, "text-anchor": "end", class: "dc-soft dc-halo", "font-size": 12 },
        `16 / ${a.length}`,
      ),
  );
}

/** One number of the vector; written beside its bar where all of them can be read. */
function bar(value, index, { x, middle, cell, reach, most, size }) {
  const tall = (Math.abs(value || 0) / most) * reach;
  return group(
    { key: index },
    el("rect", {
      x: x + 2,
      y: value >= 0 ? middle - tall : middle,
      width: cell - 6,
      height: Math.max(tall, 0.5),
      rx: 2,
      fill: "var(--dc-card-fill)",
      "fill-opacity": 0.32,
    }),
    size >= READABLE &&
      el(
        "text",
        { x: x + cell / 2 - 1, y: middle + 4, "text-anchor": "middle", class: "dc-num", "font-size": size },
        figure(value),
      ),
  );
}
