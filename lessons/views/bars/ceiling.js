// Numbers that explode: every person's exponent on one line, the ceiling of fp16 on it, and the sums that break through.

import { html } from "../stage/controls.js";
import { el, group, patch } from "../stage/vdom.js";
import { widthOf } from "../stage/words.js";
import { Panel, tableOf } from "./panel.js";

const ENDS = [-94, 98];
const LANE = 27;

class Ceiling extends Panel {
  build() {
    this.slider = html("input", { type: "range", class: "dc-scrub", step: 1 });
    this.label = html("label", { class: "dc-push" });
    this.output = html("output", {});
    this.flip = html("button", { type: "button", class: "dc-button dc-switch", role: "switch" });
    this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.svg.setAttribute("role", "img");
    this.table = html("div", {});
    this.note = html("div", { class: "dc-note" });
    this.label.append(html("span", {}), this.slider, this.output);
    this.root.append(html("div", { class: "dc-tools" }, this.label, this.flip), this.svg, this.table, this.note);
    this.slider.addEventListener("input", () => this.push(Number(this.slider.value)));
    this.flip.addEventListener("click", () => this.send({ subtract: !this.scene.subtract }));
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.root);
  }

  push(number) {
    this.pushed = number;
    this.shown(number);
    this.send({ push: number });
  }

  shown(number) {
    const [low, high] = this.scene.limits;
    this.output.textContent = String(number);
    this.slider.style.setProperty("--done", `${(100 * (number - low)) / (high - low)}%`);
  }

  write() {
    const { scene, say } = this;
    [this.slider.min, this.slider.max] = scene.limits;
    if (this.pushed === scene.push) this.pushed = undefined;
    if (this.pushed === undefined) {
      this.slider.value = scene.push;
      this.shown(scene.push);
    }
    this.label.firstChild.textContent = say("push", { person: scene.dots.length });
    this.flip.textContent = say("subtract");
    this.flip.setAttribute("aria-checked", String(scene.subtract));
    this.note.textContent = scene.caption;
    this.table.replaceChildren(tableOf(scene.head, scene.rows, say("sums")));
    this.svg.setAttribute("aria-label", scene.summary);
    this.live.textContent = scene.summary;
    this.draw();
  }

  draw() {
    const width = this.root.clientWidth;
    if (!width || !this.scene) return;
    const scale = this.scene.present ? 1.35 : 1;
    const picture = lineOf(this.scene, this.say, width / scale);
    this.svg.setAttribute("viewBox", `0 0 ${width / scale} ${picture.h}`);
    this.svg.style.height = `${picture.h * scale}px`;
    patch(this.svg, picture.nodes);
  }

  remove() {
    this.watch.disconnect();
    super.remove();
  }
}

function lineOf(scene, say, w) {
  const x = (exponent) => 8 + ((exponent - ENDS[0]) / (ENDS[1] - ENDS[0])) * (w - 16);
  const { fp16, fp32, floor } = scene.marks;
  const dots = lanes(scene.dots, x);
  const h = 74 + LANE * Math.max(3, ...dots.map((dot) => dot.lane + 1));
  const base = h - 34;
  const zone = (key, from, to, fill) => el("rect", { key, x: from, y: 26, width: to - from, height: base - 26, fill: `var(${fill})`, "fill-opacity": 0.16 });
  return { h, nodes: [group({ key: "line" },
    zone("explodes", x(fp16.at), w, "--flash"), zone("vanishes", 0, x(floor.at), "--dc-card-fill"),
    el("path", { d: `M8 ${base}H${w - 8}`, stroke: "var(--text)", "stroke-width": 1.5 }),
    [-80, -60, -40, -20, 0, 20, 40, 60, 80].map((tick) => group({ key: tick },
      el("path", { d: `M${x(tick)} ${base}v6`, stroke: "var(--text)" }),
      w > 500 || tick % 40 === 0 ? el("text", { x: x(tick), y: base + 20, "text-anchor": "middle", class: "dc-num dc-soft", "font-size": 12 }, String(tick).replace("-", "−")) : null)),
    mark("fp16", fp16, x(fp16.at), base, "start", w), mark("fp32", fp32, x(fp32.at), base, "end", w),
    el("text", { x: Math.max(x(floor.at) - 6, Math.min(x(fp16.at) - 10, 4 + 12 * widthOf(floor.text))), y: 18, "text-anchor": "end", class: "dc-soft", "font-size": 12 }, floor.text),
    el("text", { x: w - 8, y: h - 2, "text-anchor": "end", class: "dc-soft", "font-size": 12 }, say("exponent")),
    dots.map((dot) => group({ key: dot.person, class: "dc-dot", style: `transform:translate(${dot.x.toFixed(1)}px,${(base - 15 - dot.lane * LANE).toFixed(1)}px)` },
      el("circle", { r: 12, fill: dot.alarm ? "var(--flash)" : "var(--dc-S-fill)" }),
      el("text", { y: 4.5, "text-anchor": "middle", class: "dc-num dc-strong", "font-size": 13, fill: dot.alarm ? "var(--on-flash)" : "var(--dc-S-ink)" }, dot.person))))] };
}

function mark(key, { text }, at, base, anchor, w) {
  const room = anchor === "start" ? w - at : at;
  const size = Math.min(12.5, (room - 8) / widthOf(text));
  const y = key === "fp16" ? 18 : 40;
  return group({ key },
    el("path", { d: `M${at} 24V${base}`, stroke: "var(--flash)", "stroke-width": 2, "stroke-dasharray": key === "fp16" ? null : "5 4" }),
    el("text", { x: anchor === "start" ? at : at - 5, y, "text-anchor": anchor, class: "dc-strong dc-halo", "font-size": size, fill: "var(--flash)" }, text));
}

/** Dots that would touch are stacked. */
function lanes(dots, x) {
  const ends = [];
  return [...dots].sort((a, b) => a.exponent - b.exponent).map((dot) => {
    const at = x(dot.exponent);
    let lane = ends.findIndex((end) => end < at - 26);
    if (lane < 0) lane = ends.length;
    ends[lane] = at;
    return { ...dot, x: at, lane };
  });
}
