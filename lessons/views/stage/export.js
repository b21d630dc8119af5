// Downloads, all by the stage's own drawing: a PNG of the frame, an animated SVG, a page that plays without a server.

import { definitions, makePicture } from "./picture.js";
import { film } from "./film.js";
import { el, escapeXml, markup } from "./vdom.js";
import { measureIn, wrap } from "./words.js";

const FRAMES = 120;
const PAUSE_MS = 1600;
const SHARES = [0.17, 0.34, 0.4, 0.46, 0.53, 0.6, 0.67, 0.74, 0.81, 0.88, 0.96];
const FOOT = 46;

const MAKERS = { png: makePng, svg: makeFilm, html: makePage };

/** Make one of png, svg, html of a stage at step k and hand it to the reader as a file. */
export async function saveFile(kind, stage) {
  const style = getComputedStyle(stage.root);
  // A file is looked at without the page's web fonts, so it is measured and written in the system's.
  const font = ["--system", "--han"].map((name) => style.getPropertyValue(name).trim()).join(", ");
  measureIn(font);
  const made = MAKERS[kind]({ ...stage, font });
  measureIn(style.fontFamily);
  const blob = await made;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${stage.scene.file || "stage"}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const exportPicture = ({ scene, width }) => makePicture(scene, Math.max(width, 640), 0);

/** The stage's own style with every colour written out, so that a picture needs no page around it. */
function plainStyle({ css, root }) {
  const computed = getComputedStyle(root);
  const drawing = css.slice(css.indexOf("/* drawing */"), css.indexOf("/* page */"));
  return resolver(computed)(drawing.replace("/* drawing */", ""));
}

/** A function that writes the value of each CSS variable in place of its name. */
function resolver(computed) {
  const value = (name) => computed.getPropertyValue(name).trim();
  const one = (text) => text.replace(/var\((--[\w-]+)(?:,[^()]*)?\)/g, (whole, name) => value(name) || "currentColor");
  return (text) => one(one(text));
}

function opening(picture, stage) {
  const { w, h } = picture.layout;
  const { scene } = stage;
  const background = getComputedStyle(stage.root).getPropertyValue("--paper").trim();
  const lines = footLines(scene, w);
  const tall = h + 24 + (lines.length ? 12 + lines.length * 17 : 0);
  const foot = lines
    .map((line, index) => markup(el("text", { x: 2, y: h + 20 + index * 17, class: "dc-soft", "font-size": 13 }, line)))
    .join("");
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -12 ${w + 24} ${tall}" width="${w + 24}" height="${tall}" lang="${escapeXml(scene.lang)}" font-family="${escapeXml(stage.font)}">`;
  return {
    w: w + 24,
    h: tall,
    foot,
    head: `${head}<title>${escapeXml(scene.caption || scene.file || "")}</title><style>${escapeXml(plainStyle(stage))}</style><rect x="-12" y="-12" width="${w + 24}" height="${tall}" fill="${background}"/>`,
  };
}

const footLines = ({ caption, link }, w) => [caption, link].filter(Boolean).flatMap((text) => wrap(text, 13, w, 2));

/** The frame at step k as a self-contained SVG text. */
export function still(stage) {
  const picture = exportPicture(stage);
  const { head, foot, w, h } = opening(picture, stage);
  const nodes = [definitions(), ...picture.frame(stage.k, 0, stage.row), ...picture.actors(stage.k, 0, stage.row)];
  const resolve = resolver(getComputedStyle(stage.root));
  return { text: `${head}${resolve(nodes.map(markup).join(""))}${foot}</svg>`, w, h };
}

async function makePng(stage) {
  const { text, w, h } = still(stage);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: w * 2, height: h * 2 });
  canvas.getContext("2d").drawImage(image, 0, 0, w * 2, h * 2);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** The moments of an animated picture: a short scene glides, a long one is sampled at the ends of steps. */
function moments(picture) {
  const { steps } = picture;
  const glides = steps <= FRAMES / 2;
  const stride = Math.max(1, Math.ceil(steps / FRAMES));
  const list = [];
  let ms = 0;
  for (let k = 0; k < steps; k += glides ? 1 : stride) {
    const lasts = glides ? picture.ms(k + 1) : Math.max(120, Math.min(500, 60000 / Math.min(steps, FRAMES)));
    for (const t of glides ? samples(picture, k + 1) : [0]) list.push({ k, t, ms: ms + t * lasts });
    ms += lasts;
  }
  list.push({ k: steps, t: 0, ms });
  return { list, total: ms + PAUSE_MS };
}

/** Shares of a step worth a frame: where events land, and along a walk often enough to look smooth. */
function samples(picture, k) {
  const lands = picture.shares(k).map((share) => share + 0.001);
  return [...new Set([0, ...lands, ...(picture.walks(k) ? SHARES : [])])]
    .filter((share) => share < 1)
    .sort((a, b) => a - b);
}

async function makeFilm(stage) {
  const picture = exportPicture(stage);
  const { head, foot } = opening(picture, stage);
  const { list, total } = moments(picture);
  let shown = null;
  let resting = null;
  const frames = list.map(({ k, t, ms }) => {
    const key = picture.frameKey(k, t, stage.row);
    if (key !== shown) resting = picture.frame(k, t, stage.row);
    shown = key;
    return { at: ms / total, nodes: [...resting, el("g", { key: "actors" }, picture.actors(k, t, stage.row))] };
  });
  const resolve = resolver(getComputedStyle(stage.root));
  const body = resolve(markup(definitions()) + film(frames, total / 1000));
  return new Blob([`${head}${body}${foot}</svg>`], { type: "image/svg+xml" });
}

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

async function makePage({ scene, css, k }) {
  const json = JSON.stringify({ ...scene, present: false, start: k }).replace(/</g, "\\u003c");
  const code = `(${boot.toString()})(${JSON.stringify(css)}).alone(document.getElementById("stage"),JSON.parse(document.getElementById("scene").textContent))`;
  const title = escapeXml(scene.caption || scene.file || "");
  const page = [
    "<!doctype html>",
    `<html lang="${escapeXml(scene.lang)}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${title}</title>`,
    "<style>:root{color-scheme:light dark}body{margin:0;padding:16px;background:#FCFBF8}@media(prefers-color-scheme:dark){body{background:#15191B}}#stage{max-width:1320px;margin:auto}h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}</style></head>",
    `<body><main><h1>${title}</h1><div id="stage"></div></main><script type="application/json" id="scene">${json}</script>`,
    `<script>${code.replace(/<\/(script)/gi, "<\\/$1")}</script></body></html>`,
  ];
  return new Blob([page.join("\n")], { type: "text/html" });
}
