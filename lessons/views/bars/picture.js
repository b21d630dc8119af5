// The whole picture: people, card, what just happened, the lines that ran, the two answers; at rest or between two steps.

import { el, group } from "../stage/vdom.js";
import { fitSize, speaker, wrap } from "../stage/words.js";
import { drawPaper } from "./paper.js";
import { drawPeople, peoplePlan } from "./people.js";

const GAP = 10;
const STEP_MS = { same: 900, grown: 2000, done: 700 };

/** A scene ready to be drawn at one size, as the stage wants it: `frame(k, t)` is the whole picture. */
export function makePicture(scene, width, height) {
  const say = speaker(scene.words, scene.lang);
  const layout = layoutOf(scene, width, height);
  const plan = peoplePlan(scene, layout.people);
  const steps = scene.until ?? scene.steps.length - 1 + (scene.end ? 1 : 0);
  const draw = (k, t) => {
    const at = { ...momentOf(scene, Math.min(k, steps), k < steps ? t : 0), locked: scene.until !== null && k >= steps };
    const view = { scene, say, at };
    return [drawPeople(view, plan), drawPaper(view, layout.paper), said(view, layout.said),
      layout.lines && lines(view, layout.lines), layout.answers && answers(view, layout.answers)].filter(Boolean);
  };
  return {
    layout, plan, say, steps, rows: 1, carded: false, workers: [],
    frame: (k, t) => draw(k, t),
    frameKey: (k, t) => `${k}+${t.toFixed(4)}`,
    actors: () => [],
    ms: (k) => (k > scene.steps.length - 1 ? STEP_MS.done : scene.steps[k] && scene.steps[k].grown ? STEP_MS.grown : STEP_MS.same),
    shares: () => [], walks: () => true,
    words: (k) => wordsOf(scene, k),
    rowAt: () => null,
  };
}

export function definitions() {
  return el("defs", { key: "defs" });
}

const wordsOf = (scene, k) => (k < scene.steps.length ? scene.steps[k].words : scene.end.words);
const ease = (t) => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));
const part = (t, from, to) => ease((t - from) / (to - from));
const mix = (a, b, t) => a + (b - a) * t;

/** What is to be seen at share t of the way from step k to the next: every number is one of the two steps' own. */
function momentOf(scene, k, t) {
  const last = scene.steps.length - 1;
  if (k > last || (k === last && t > 0)) return { ...resting(scene, last), piece: 0, grown: false, before: null, was: [], wasTexts: [], done: k > last || t > 0.5, step: scene.steps[last], ends: true };
  if (t <= 0) return { ...resting(scene, k), step: scene.steps[k] };
  const [from, to] = [scene.steps[k], scene.steps[k + 1]];
  const shrink = to.grown ? part(t, 0.22, 0.58) : 1;
  const join = to.grown ? part(t, 0.6, 0.92) : part(t, 0.2, 0.85);
  const parts = (name) => to[name].map((value, person) => (person < from[name].length ? mix(from[name][person], value, shrink) : value * join));
  const landed = join > 0.98;
  const rises = from.m === null ? 1 : part(t, 0, 0.22);
  return {
    ...resting(scene, landed ? k + 1 : k), step: to, piece: k + 1, seen: to.in_l.length,
    in_l: parts("in_l"), in_a: parts("in_a"), level: from.m === null ? to.m : mix(from.m, to.m, rises),
    shares: to.shares.slice(0, join > 0 ? undefined : from.shares.length).map((share, person) => mix(from.shares[person] ?? 0, share, join)),
    shareTexts: landed ? to.texts.shares : [...from.texts.shares, ...to.texts.shares.slice(from.shares.length).map(() => "")],
    text: { ...(landed ? to : from).texts, rescale: t > 0.12 ? to.texts.rescale : "", m: rises > 0.5 ? to.texts.m : from.texts.m },
    grown: to.grown, glow: to.grown ? part(t, 0.12, 0.7) : 0,
    before: to.grown ? beforeOf(from) : null, was: to.grown && join > 0 ? from.shares : [], wasTexts: landed ? from.texts.shares : [],
  };
}

function resting(scene, k) {
  const step = scene.steps[k];
  const before = k > 0 ? scene.steps[k - 1] : null;
  return {
    piece: k, seen: step.in_l.length, in_l: step.in_l, in_a: step.in_a, level: step.m, shares: step.shares, shareTexts: step.texts.shares,
    text: step.texts, grown: step.grown, glow: 0, done: false, ends: false,
    before: step.grown ? beforeOf(before) : null, was: step.grown ? before.shares : [], wasTexts: before ? before.texts.shares : [],
  };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const beforeOf = (step) => ({ l: { total: sum(step.in_l), text: step.texts.l }, a: { total: sum(step.in_a), text: step.texts.a } });

/** What this step did, in words. */
function said({ scene, say, at }, box) {
  const text = at.ends ? scene.end.words : at.step.words;
  const size = box.w < 500 ? 15.5 : scene.present ? 21 : 16.5;
  const rows = wrap(text, size, box.w - 36, box.w < 500 ? 5 : 2);
  const top = box.y + box.h / 2 - ((rows.length - 1) * size * 1.3) / 2 + size * 0.35;
  return group({ key: "said" },
    el("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 12, fill: "var(--panel)", stroke: "var(--line)" }),
    el("rect", { x: box.x, y: box.y + 8, width: 6, height: box.h - 16, rx: 3, fill: at.grown ? "var(--flash)" : "var(--dc-card-fill)" }),
    rows.map((row, index) => el("text", { key: `row${index}`, x: box.x + 20, y: top + index * size * 1.3, class: "dc-caption", "font-size": size }, row)));
}

/** The lines of the program that ran, each with the numbers it ran on. */
function lines({ scene, say, at }, box) {
  const listed = scene.lines.map((line, index) => [line, (at.ends ? scene.end.sums : at.step.sums)[index] || ""]);
  const narrow = box.w < 560;
  const leading = narrow ? Math.min(38, (box.h - 44) / listed.length) : 21.5;
  const room = narrow ? box.w - 56 : box.w * 0.53 - 52;
  const size = Math.min(...listed.map(([[, code]]) => fitMono(code, 12.5, room)));
  const y = (index) => box.y + 46 + index * leading;
  return group({ key: "lines" },
    el("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 12, fill: "var(--panel)", stroke: "var(--line)" }),
    el("text", { x: box.x + 14, y: box.y + 22, class: "dc-soft", "font-size": 12.5 }, say("code")),
    listed.map(([[number, code], shown], index) => {
      const at = narrow ? { x: box.x + 44, y: y(index) + leading * 0.44, w: box.w - 56 } : { x: box.x + box.w * 0.53, y: y(index), w: box.w * 0.47 - 12 };
      return group({ key: `line${index}` },
        el("text", { x: box.x + 34, y: y(index), "text-anchor": "end", class: "dc-mono dc-number", "font-size": 11.5 }, number),
        el("text", { x: box.x + 44, y: y(index), class: shown ? "dc-mono" : "dc-mono dc-faint", "font-size": size }, code),
        el("text", { ...at, w: undefined, class: "dc-num dc-strong", "font-size": fitSize(shown, 14, at.w), fill: "var(--dc-card-line)" }, shown));
    }));
}

const fitMono = (text, size, width) => Math.min(size, width / Math.max(text.length * 0.61, 1));

/** The two answers under each other, figure by figure, and how far they lie apart. */
function answers({ scene, say, at }, box) {
  const rows = at.done && scene.end ? scene.end.rows : [];
  const size = (text) => fitMono(text, 19, box.w - 28);
  return group({ key: "answers" },
    el("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 12, fill: "var(--panel)", stroke: at.done ? "var(--dc-O-fill)" : "var(--line)", "stroke-width": at.done ? 2 : 1 }),
    rows.length ? null : wrap(say("later"), 13.5, box.w - 28, 3).map((row, index) => el("text", { key: `later${index}`, x: box.x + 14, y: box.y + 26 + index * 18, class: "dc-soft", "font-size": 13.5 }, row)),
    at.locked ? wrap(say("locked"), 15, box.w - 28, 4).map((row, index) => el("text", { key: `locked${index}`, x: box.x + 14, y: box.y + 76 + index * 20, class: "dc-strong", "font-size": 15, fill: "var(--accent)" }, row)) : null,
    rows.map(([word, number], index) => group({ key: `answer${index}` },
      el("text", { x: box.x + 14, y: box.y + 24 + index * 48, class: "dc-soft", "font-size": fitSize(word, 12.5, box.w - 28) }, word),
      el("text", { x: box.x + 14, y: box.y + 46 + index * 48, class: "dc-mono dc-strong", "font-size": size(number), fill: index < 2 ? "var(--dc-O-line)" : null }, number))));
}

// --- where everything goes ---------------------------------------------------------------------

const rect = (x, y, w, h) => ({ x, y, w, h });

function layoutOf(scene, width, height) {
  if (scene.present && height) return projected(scene, 1280, Math.max(scene.plain ? 380 : 500, Math.min(760, (1280 * height) / width)));
  return width >= 700 ? wide(scene, width, scene.plain ? 320 : 700) : narrow(scene, width);
}

/** People and card side by side; below, what happened, the lines and the answers. */
function wide(scene, w, h) {
  const below = scene.plain ? 0 : 194;
  const [left, words] = [w * 0.53, 54];
  const top = h - words - GAP - 2 - (below ? below + GAP : 0);
  const y = top + GAP;
  const foot = y + words + GAP;
  return {
    w, h, people: rect(1, 1, left, top), paper: rect(left + GAP, 1, w - left - GAP - 1, top), said: rect(1, y, w - 2, words),
    lines: below ? rect(1, foot, w * 0.68, below) : null, answers: below ? rect(w * 0.68 + GAP, foot, w * 0.32 - GAP - 1, below) : null,
  };
}

/** For a projector: people, card and lines beside each other, what happened in large type below. */
function projected(scene, w, h) {
  const words = 70;
  const top = h - words - GAP - 2;
  const [left, right] = scene.plain ? [w * 0.5, w] : [w * 0.38, w * 0.66];
  const side = scene.plain ? null : rect(right + GAP, 1, w - right - GAP - 1, top - 152 - GAP);
  return {
    w, h, people: rect(1, 1, left, top), paper: rect(left + GAP, 1, right - left - GAP - 1, top), said: rect(1, top + GAP, w - 2, words),
    lines: side, answers: side && rect(side.x, side.h + GAP + 1, side.w, 152),
  };
}

/** Everything in one column. */
function narrow(scene, w) {
  const heights = { people: scene.plain ? 176 : 366, paper: scene.plain ? 236 : 316, said: scene.plain ? 66 : 116, answers: scene.plain ? 0 : 158, lines: scene.plain ? 0 : 312 };
  const at = {};
  let y = 1;
  for (const [name, h] of Object.entries(heights)) {
    at[name] = h ? rect(1, y, w - 2, h) : null;
    y += h ? h + GAP : 0;
  }
  return { w, h: y - GAP + 1, ...at };
}
