// The picture at work: the stage plays it; here people are dragged, and what was set goes to the program at once.

import { Stage } from "../stage/main.js";
import { numberAt } from "./people.js";
import { makePicture } from "./picture.js";
import { Post } from "./post.js";
import { makeTools } from "./tools.js";

const ECHO_MS = 2000;
const STRIDE = 0.5;
const FRAME = ["lang", "present", "until", "caption", "piece"];

/** A stage whose people can be moved; while a hand holds a number the hand is right, after that the program's echo. */
class Board extends Stage {
  measure() {
    this.scene = this.held(this.scene);
    super.measure();
  }

  /** On a projector the tools above the picture take their part of the height. */
  room() {
    const whole = super.room();
    return whole && Math.max(whole - (this.tools ? this.tools.offsetHeight : 0), 380);
  }

  /** A scene with what the hand has set in it; where people came or went the program's answer is waited for. */
  held(scene) {
    const draft = this.draft || {};
    const fits = !("piece" in draft) && (draft.scores || scene.scores).length === scene.scores.length;
    return fits ? { ...scene, ...draft } : scene;
  }

  listen() {
    super.listen();
    this.post = new Post((news) => this.tell("moved", news));
    this.base.setAttribute("role", "group");
    this.base.addEventListener("pointerdown", (event) => this.grasp(event));
    this.base.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.base.addEventListener(end, (event) => this.release(event));
    this.base.addEventListener("keydown", (event) => this.nudge(event));
  }

  furnish() {
    super.furnish();
    if (this.scene.fixed || this.scene.plain) return;
    const fresh = makeTools(this.picture.say, this.scene, (change) => this.set(change({ ...this.scene, ...this.draft })));
    const focused = this.tools ? [...this.tools.querySelectorAll("button")].indexOf(this.root.getRootNode().activeElement) : -1;
    if (this.tools) this.tools.replaceWith(fresh);
    else this.root.insertBefore(fresh, this.sheet);
    this.tools = fresh;
    const again = fresh.querySelectorAll("button")[focused];
    this.fit();
    if (again) (again.disabled ? fresh.querySelector("button:enabled") : again).focus();
  }

  /** A new scene: more may have been unlocked, which is shown at once; what is still in the hand stays as the hand has it. */
  update(scene) {
    this.post.echoed();
    if (this.draft && Object.entries(this.draft).every(([name, value]) => String(scene[name]) === String(value))) this.settle();
    const before = this.picture.steps;
    const waited = this.scene.until !== null && scene.until !== this.scene.until && this.player.k === before;
    this.take(this.held(scene));
    if (waited && this.picture.steps > before) this.player.next();
    if (this.shows) { this.shows = false; this.player.jump(Math.max(this.scene.steps.length - 2, 0)); this.player.next(); }
  }

  /** Where only numbers changed, buttons and words stay as they are: a drag must not rebuild them. */
  take(scene) {
    if (FRAME.some((name) => String(scene[name]) !== String(this.scene[name])) || scene.steps.length !== this.scene.steps.length) super.update(scene);
    else this.redraw(scene);
  }

  redraw(scene) {
    this.scene = scene;
    this.picture = makePicture(scene, this.width, this.height);
    this.shown = null;
    this.player.follow(this.picture);
    this.writeAddress();
  }

  /** Change some of the scene here and now, and tell the program soon. */
  set(change) {
    const { show, ...draft } = change;
    if (show) this.shows = true;
    this.draft = { ...this.draft, ...draft };
    this.redraw(this.held(this.scene));
    this.post.send(() => ({ ...this.draft }));
    clearTimeout(this.timers.echo);
    this.timers.echo = setTimeout(() => this.settle(), ECHO_MS);
  }

  remove() {
    this.post.stop();
    super.remove();
  }

  settle() {
    if (this.grip) return;
    clearTimeout(this.timers.echo);
    this.draft = null;
  }

  /** Keys pressed on the page belong to the card; the warm-up listens only while it has the focus. */
  key(event) {
    if (!this.scene.plain || event.composedPath().includes(this.root)) super.key(event);
  }

  grasp(event) {
    const handle = event.target.closest(".dc-handle");
    if (!handle || event.button) return;
    if (event.pointerType === "touch" && !event.target.closest(".dc-grip, .dc-knob, text")) return;
    this.grip = { rail: handle.dataset.rail, person: Number(handle.dataset.person) };
    this.base.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    event.preventDefault();
    this.drag(event);
  }

  drag(event) {
    if (!this.grip) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.base.getScreenCTM().inverse());
    this.move(this.grip, numberAt(this.picture.plan.rails[this.grip.rail], at.y), STRIDE);
  }

  release() {
    this.grip = null;
  }

  move({ rail, person }, number, stride) {
    const [low, high] = this.scene.ranges[rail];
    const near = Math.min(high, Math.max(low, Math.round(number / stride) * stride));
    const value = Math.round(near * 10) / 10;
    if (this.scene[rail][person] === value) return;
    this.set({ [rail]: this.scene[rail].map((old, index) => (index === person ? value : old)) });
  }

  nudge(event) {
    const handle = event.target.closest(".dc-handle");
    if (!handle || event.altKey || event.ctrlKey || event.metaKey) return;
    const at = { rail: handle.dataset.rail, person: Number(handle.dataset.person) };
    const now = this.scene[at.rail][at.person];
    const [low, high] = this.scene.ranges[at.rail];
    const small = event.shiftKey ? 0.1 : STRIDE;
    const to = { ArrowUp: now + small, ArrowRight: now + small, ArrowDown: now - small, ArrowLeft: now - small, PageUp: now + 2, PageDown: now - 2, Home: low, End: high }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.move(at, to, 0.1);
  }
}
