// The people: each with a score and a value on a rail of its own, by hand or by key, and the share each holds so far.

import { el, group } from "../stage/vdom.js";
import { fitSize } from "../stage/words.js";

const ROW = { title: 30, figure: 44, gap: 14, label: 18, share: 78 };
const MARGIN = 12;
const LEVEL = 46;                        // room at the right for the name of the line of the maximum

/** Where everything stands in a box: columns, rails and the row of shares. */
export function peoplePlan(scene, box) {
  const n = scene.scores.length;
  const left = box.x + MARGIN;
  const wide = Math.min((box.w - 2 * MARGIN - (scene.plain ? 0 : LEVEL)) / n, 112);
  const rails = scene.plain ? ["values"] : ["scores", "values"];
  const free = box.h - ROW.title - ROW.figure - (scene.plain ? 0 : ROW.share + ROW.label) - rails.length * (ROW.label + ROW.gap);
  const parts = scene.plain ? { values: 1 } : { scores: 0.6, values: 0.4 };
  const plan = { box, left, wide, n, rails: {}, figure: box.y + ROW.title + 30, x: (person) => left + (person + 0.5) * wide };
  let y = box.y + ROW.title + ROW.figure;
  for (const name of rails) {
    const h = free * parts[name];
    plan.rails[name] = { label: y + 13, top: y + ROW.label + 13, bottom: y + ROW.label + h - 2, ...range(scene, name) };
    y += ROW.label + ROW.gap + h;
  }
  plan.shares = scene.plain ? null : { label: y + 10, top: y + ROW.label + 30, bottom: box.y + box.h - 10 };
  return plan;
}

const range = (scene, name) => ({ low: scene.ranges[name][0], high: scene.ranges[name][1] });

/** The height of a number on a rail, and the number at a height. */
export const heightOf = (rail, number) => rail.bottom - ((number - rail.low) / (rail.high - rail.low)) * (rail.bottom - rail.top);
export const numberAt = (rail, y) => rail.low + ((rail.bottom - y) / (rail.bottom - rail.top)) * (rail.high - rail.low);

export function drawPeople(view, plan) {
  const { box } = plan;
  const { say, scene } = view;
  return group({ key: "people" },
    el("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 12, fill: "var(--panel)", stroke: "var(--line)" }),
    el("text", { x: box.x + 14, y: box.y + 21, class: "dc-head", "font-size": 16 }, say("people")),
    pieces(view, plan),
    scene.scores.map((_, person) => figure(view, plan, person)),
    scene.plain ? null : level(view, plan),
    Object.entries(plan.rails).map(([name, rail]) => railOf(view, plan, name, rail)),
    plan.shares ? shares(view, plan) : null);
}

/** Which people come together; the piece at hand lies on the desk. */
function pieces({ say, scene, at }, { box, left, wide }) {
  return scene.steps.slice(1).map(({ people: [first, end] }, index) => {
    const lit = at.piece === index + 1;
    const x = left + first * wide + 2;
    const w = (end - first) * wide - 4;
    return group({ key: `piece${index}` },
      el("rect", { x, y: box.y + 30, width: w, height: box.h - 36, rx: 10, fill: lit ? "var(--lit)" : "var(--paper)", "fill-opacity": lit ? 0.42 : 0.6,
        stroke: lit ? "var(--accent)" : "var(--line)", "stroke-width": lit ? 2 : 1 }),
      lit && el("text", { x: x + w / 2, y: box.y + 24, "text-anchor": "middle", class: "dc-strong", fill: "var(--accent)", "font-size": fitSize(say("at_desk"), 12.5, Math.max(w, 64)) }, say("at_desk")));
  });
}

function figure({ at }, plan, person) {
  const x = plan.x(person);
  const y = plan.figure;
  const past = person >= at.seen;
  return group({ key: `figure${person}`, opacity: past ? 0.55 : 1 },
    el("path", { d: `M${x - 15} ${y + 14}a15 14 0 0 1 30 0z`, fill: "var(--worker)" }),
    el("circle", { cx: x, cy: y - 9, r: 8.5, fill: "var(--skin)", stroke: "var(--worker)", "stroke-width": 1.5 }),
    el("text", { x, y: y + 12, "text-anchor": "middle", class: "dc-letter dc-num", "font-size": 13, fill: "var(--paper)" }, person + 1));
}

const INK = { scores: "S", values: "V" };

function railOf(view, plan, name, rail) {
  const { scene, say } = view;
  const first = plan.x(0) - plan.wide / 2;
  return group({ key: name },
    el("text", { x: first + 8, y: rail.label, class: "dc-soft dc-halo", "font-size": 12.5 }, say(name)),
    scene[name].map((number, person) => handle(view, plan, name, rail, number, person)));
}

/** One rail with its handle: a slider to eye, hand, key and screen reader. */
function handle({ scene, say }, plan, name, rail, number, person) {
  const x = plan.x(person);
  const y = heightOf(rail, number);
  const w = Math.min(plan.wide - 8, 46);
  const text = String(Math.round(number * 10) / 10);
  const colour = INK[name];
  return group({
    key: person, class: scene.fixed ? null : "dc-handle", role: "slider", tabindex: scene.fixed ? null : 0, "data-rail": name, "data-person": person,
    "aria-label": say(`${name}_of`, { person: person + 1 }), "aria-orientation": "vertical", "aria-valuemin": rail.low, "aria-valuemax": rail.high,
    "aria-valuenow": number, "aria-valuetext": text,
  },
  el("rect", { x: x - w / 2, y: rail.top - 12, width: w, height: rail.bottom - rail.top + 24, fill: "transparent", class: "dc-rail" }),
  el("path", { d: `M${x} ${rail.top}V${rail.bottom}`, stroke: "var(--line)", "stroke-width": 4, "stroke-linecap": "round" }),
  el("path", { d: `M${x} ${y}V${rail.bottom}`, stroke: `var(--dc-${colour}-fill)`, "stroke-width": 6, "stroke-linecap": "round", "stroke-opacity": 0.55 }),
  el("rect", { x: x - Math.max(w, 40) / 2, y: y - 20, width: Math.max(w, 40), height: 40, fill: "transparent", class: "dc-grip" }),
  el("rect", { x: x - w / 2, y: y - 12, width: w, height: 24, rx: 7, fill: `var(--dc-${colour}-fill)`, class: "dc-knob" }),
  el("text", { x, y: y + 5, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": fitSize(text, 15, w - 8), fill: `var(--dc-${colour}-ink)` }, text));
}

/** The maximum on the card, as a line across the scores that have been seen. */
function level({ scene, say, at }, { rails, left, wide, n }) {
  if (at.level === null) return null;
  const y = heightOf(rails.scores, at.level);
  const text = say("level", { m: at.text.m });
  const end = left + wide * n;
  return group({ key: "level" },
    el("path", { d: `M${left + 4} ${y.toFixed(2)}H${end + 4}`, stroke: "var(--dc-card-line)", "stroke-width": 2, "stroke-dasharray": "6 4" }),
    el("text", { x: end + 7, y: y + 4.5, class: "dc-num dc-strong dc-halo", "font-size": fitSize(text, 13, LEVEL), fill: "var(--dc-card-line)" }, text));
}

/** The share of each person seen so far; where it changed, a faint outline shows what it was. */
function shares({ scene, say, at }, plan) {
  const { label, top, bottom } = plan.shares;
  const reach = bottom - top;
  return group({ key: "shares" },
    el("text", { x: plan.left + 8, y: label, class: "dc-soft dc-halo", "font-size": 12.5 }, say("shares")),
    scene.scores.map((_, person) => {
      const share = at.shares[person];
      if (share === undefined) return null;
      const x = plan.x(person);
      const w = Math.min(plan.wide - 12, 46);
      const was = at.was[person];
      const size = fitSize(at.shareTexts[person], 13, plan.wide - 6);
      const up = (bottom - Math.max(share, was || 0) * reach - 5).toFixed(2);
      return group({ key: person },
        was === undefined || !at.wasTexts[person] ? null : el("text", { x, y: (up - 14).toFixed(2), "text-anchor": "middle", class: "dc-num dc-halo", "font-size": size * 0.92, fill: "var(--flash)" }, at.wasTexts[person]),
        was === undefined ? null : el("rect", { x: x - w / 2, y: bottom - was * reach, width: w, height: Math.max(was * reach, 0.5), rx: 3, fill: "none", stroke: "var(--flash)", "stroke-dasharray": "3 3" }),
        el("rect", { x: x - w / 2, y: (bottom - share * reach).toFixed(2), width: w, height: Math.max(share * reach, 1).toFixed(2), rx: 3, fill: "var(--dc-P-fill)" }),
        el("text", { x, y: up, "text-anchor": "middle", class: "dc-num dc-strong dc-halo", "font-size": size }, at.shareTexts[person]));
    }));
}
