// A stage on the page: it takes a scene, draws it, plays it, and survives the next scene that arrives.

import { KEYS, belongsElsewhere, html, makeControls } from "./controls.js";
import { saveFile } from "./export.js";
import { definitions, makePicture } from "./picture.js";
import { Player } from "./player.js";
import { patch } from "./vdom.js";
import { measureIn } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const ANNOUNCE_MS = 900;
const TELL_MS = 400;
// Buttons and caption under a projected picture, in CSS pixels.
const UNDER = 112;

function svg(className, hidden) {
  const node = document.createElementNS(SVG, "svg");
  node.setAttribute("class", className);
  if (hidden) node.setAttribute("aria-hidden", "true");
  return node;
}

class Stage {
  /** `tell(name, value)` hands a value to Python; `address` says whether the page's URL follows the step. */
  constructor(parent, scene, { tell, address, css }) {
    Object.assign(this, { scene, tell, address, css, row: firstRow(scene), timers: {} });
    this.style = html("style", {}, css);
    this.base = svg("dc-base");
    this.base.setAttribute("role", "img");
    this.overlay = svg("dc-overlay", true);
    this.live = html("div", { class: "dc-live", "aria-live": "polite", role: "status" });
    this.note = html("div", { class: "dc-note" });
    this.sheet = html("div", { class: "dc-sheet" }, this.base, this.overlay);
    this.root = html("div", { class: "dc-stage", tabindex: "0", role: "group", part: "stage" }, this.sheet, this.live);
    this.sentinel = html("i", { class: "dc-sentinel", "aria-hidden": "true" });
    parent.append(this.style, this.root, this.sentinel);
    this.listen();
    this.measure();
    this.player = new Player(
      this.picture,
      startOf(scene, address),
      () => !this.still.matches,
      () => this.show(),
    );
    this.furnish();
    this.show();
    document.fonts.ready.then(() => this.again());
  }

  listen() {
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
    this.sheet.addEventListener("click", (event) => this.click(event));
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.root);
    const above = this.root.getRootNode().host?.closest(".stMainBlockContainer");     // what stands there moves a stage
    if (above) this.resize.observe(above.firstElementChild);
    this.onWindow = () => this.fit();
    addEventListener("resize", this.onWindow);
    this.sentinel.addEventListener("transitionend", () => this.theme());
  }

  /** Look at the room, the font and the colours there are, which makes the browser lay the page out; then compose. */
  measure() {
    this.theme();
    measureIn(getComputedStyle(this.root).fontFamily);
    this.width = Math.max(this.root.clientWidth || this.root.getBoundingClientRect().width, 320);
    this.height = this.room();
    this.compose();
  }

  /** Lay the scene out at the size last seen. */
  compose() {
    this.picture = makePicture(this.scene, this.width, this.height);
    const { w, h } = this.picture.layout;
    for (const node of [this.base, this.overlay]) node.setAttribute("viewBox", `0 0 ${w} ${h}`);
    this.sheet.style.maxWidth = this.scene.present && this.height ? `${(this.height * w) / h}px` : "";
    this.row = Math.min(this.row, this.picture.rows - 1);
    this.shown = null;
  }

  /** The height a projected stage may fill; 0 for a stage on a page. */
  room() {
    if (!this.scene.present) return 0;
    const above = Math.min(Math.max(this.root.getBoundingClientRect().top + scrollY, 0), 160);
    return Math.max(innerHeight - above - UNDER, 380);
  }

  again() {
    if (!this.root.isConnected) return;
    this.measure();
    this.player.follow(this.picture);
  }

  fit() {
    const width = Math.max(this.root.clientWidth, 320);
    if (Math.abs(width - this.width) < 2 && Math.abs(this.room() - this.height) < 24) return;
    this.again();
  }

  /** Buttons, labels and the note, in the scene's words; buttons stay as they are while their words do. */
  furnish() {
    const { say, carded } = this.picture;
    const furnished = JSON.stringify([this.scene.lang, this.scene.words, carded]);
    if (furnished !== this.furnished) {
      this.controls?.foot.remove();
      this.controls = makeControls({
        say,
        player: this.player,
        carded,
        setRow: (by) => this.chooseRow(this.row + by),
        save: (kind, node) => this.save(kind, node),
      });
      this.root.insertBefore(this.controls.foot, this.live);
      this.root.append(this.note);
      this.furnished = furnished;
    }
    this.root.lang = this.scene.lang;
    this.root.classList.toggle("dc-present", Boolean(this.scene.present));
    this.root.setAttribute(
      "aria-label",
      say("stage", { title: this.scene.workers.map((worker) => worker.title).join(", ") }),
    );
    this.note.textContent = this.scene.caption || "";
  }

  /** A new scene from Python: the step stays where it exists, what plays goes on playing. */
  update(scene) {
    if (scene.workers[0].card_row !== this.scene.workers[0].card_row) this.row = firstRow(scene);
    const projected = scene.present || this.scene.present;
    this.scene = scene;
    if (projected) this.measure();
    else this.compose();
    this.furnish();
    this.player.follow(this.picture);
  }

  show() {
    if (!this.player) return;
    const { k, playing } = this.player;
    const t = this.player.share();
    const { row, picture } = this;
    const shown = picture.frameKey(k, t, row);
    if (shown !== this.shown) {
      patch(this.base, [definitions(), ...picture.frame(k, t, row)]);
      this.base.setAttribute("aria-label", `${this.scene.caption || ""} ${picture.words(k)}`.trim());
      this.shown = shown;
      this.later("announce", ANNOUNCE_MS, () => {
        this.live.textContent = picture.words(this.player.k);
      });
      this.later("address", TELL_MS, () => this.writeAddress());
    }
    patch(this.overlay, picture.actors(k, t, row));
    if (this.controls) this.controls.update(k, playing, row);
  }

  /** Do something soon: the first wish sets the time, later ones ride along. */
  later(name, ms, act) {
    if (this.timers[name]) return;
    this.timers[name] = setTimeout(() => {
      this.timers[name] = null;
      act();
    }, ms);
  }

  writeAddress() {
    if (!this.address) return;
    const url = new URL(location.href);
    if (sceneOf(url) !== sceneOf(new URL(this.scene.link, url))) return;         // the page has gone on to another
    const step = String(this.player.k);
    if ((url.searchParams.get("step") || "0") === step) return;
    if (step === "0") url.searchParams.delete("step");
    else url.searchParams.set("step", step);
    history.replaceState(history.state, "", url);
  }

  key(event) {
    const act = KEYS[event.key];
    if (!act || !this.root.isConnected || belongsElsewhere(event, this.root)) return;
    event.preventDefault();
    act(this.player, (by) => this.chooseRow(this.row + by));
  }

  click(event) {
    const matrix = this.base.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const row = this.picture.rowAt(point.x, point.y);
    if (row !== null) this.chooseRow(row);
  }

  chooseRow(row) {
    if (!this.picture.carded) return;
    this.row = Math.max(0, Math.min(this.picture.rows - 1, row));
    this.show();
    clearTimeout(this.timers.row);
    this.timers.row = setTimeout(() => {
      this.tell("row", this.row);
      this.tell("step", this.player.k);
    }, TELL_MS);
  }

  /** Dark or light is read from the page's own colours, again whenever they change. */
  theme() {
    const colours = getComputedStyle(this.sentinel).backgroundColor.match(/[\d.]+/g) || [255, 255, 255];
    const [r, g, b] = colours.map(Number);
    this.root.dataset.theme = 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
  }

  async save(kind, node) {
    node.disabled = true;
    try {
      await saveFile(kind, {
        scene: this.scene,
        css: this.css,
        root: this.root,
        k: this.player.k,
        row: this.row,
        width: this.width,
      });
    } finally {
      node.disabled = false;
    }
  }

  remove() {
    this.player.stop();
    this.resize.disconnect();
    document.removeEventListener("keydown", this.onKey);
    removeEventListener("resize", this.onWindow);
    Object.values(this.timers).forEach(clearTimeout);
    for (const node of [this.style, this.root, this.sentinel]) node.remove();
  }
}

const firstRow = (scene) => scene.workers[0].card_row || 0;

const sceneOf = (url) => url.searchParams.get("scene");

function startOf(scene, address) {
  const asked = address ? Number(new URL(location.href).searchParams.get("step")) : NaN;
  return asked > 0 ? asked : scene.start || 0;
}

const stages = new WeakMap();

/** Called by Streamlit on every run of the page, with the same scene or another, on the same element. */
export function mount({ parentElement, data, setStateValue }, css) {
  const text = new TextDecoder().decode(data);
  const known = stages.get(parentElement);
  if (known && known.text === text) known.stage.writeAddress();
  else if (known) known.stage.update(JSON.parse(text));
  const stage = known?.stage ?? new Stage(parentElement, JSON.parse(text), { tell: setStateValue, address: true, css });
  stage.tell = setStateValue;
  stages.set(parentElement, { stage, text });
  return () => {
    stage.remove();
    stages.delete(parentElement);
  };
}

/** The stage alone in a page of its own, without a server. */
export function alone(parent, scene, css) {
  return new Stage(parent, scene, { tell: () => {}, address: false, css });
}
