// The picture at work: the stage plays it; here people are dragged, and what was set goes to the program at once.

import { Stage } from "../stage/main.js";
import { html } from "../stage/controls.js";
import { numberAt } from "./people.js";
import { Post } from "./post.js";

const ECHO_MS = 2000;
const STRIDE = 0.5;

/** A stage whose people can be moved; while a hand holds a number the hand is right, after that the program's echo. */
class Board extends Stage {
  measure() {
    if (this.draft) this.scene = { ...this.scene, ...this.draft };
    super.measure();
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
    const fresh = makeTools(this.picture.say, this.scene, (change) => this.set(change));
    const held = this.tools ? [...this.tools.querySelectorAll("button")].indexOf(this.root.getRootNode().activeElement) : -1;
    if (this.tools) this.tools.replaceWith(fresh);
    else this.root.insertBefore(fresh, this.sheet);
    this.tools = fresh;
    if (held >= 0) (fresh.querySelectorAll("button")[held].disabled ? fresh.querySelector("button:enabled") : fresh.querySelectorAll("button")[held]).focus();
  }

  /** A new scene: more may have been unlocked, which is shown at once; what is still in the hand stays as the hand has it. */
  update(scene) {
    this.post.echoed();
    if (this.draft && Object.entries(this.draft).every(([name, value]) => String(scene[name]) === String(value))) this.settle();
    const before = this.picture.steps;
    const waited = this.scene.until !== null && scene.until !== this.scene.until && this.player.k === before;
    super.update(this.draft ? { ...scene, ...this.draft } : scene);
    if (waited && this.picture.steps > before) this.player.next();
    if (this.shows) { this.shows = false; this.player.jump(Math.max(this.scene.steps.length - 2, 0)); this.player.next(); }
  }

  /** Change some of the scene here and now, and tell the program soon. */
  set(change) {
    const { show, ...draft } = change;
    if (show) this.shows = true;
    this.draft = { ...this.draft, ...draft };
    if (!("piece" in draft) && (draft.scores || this.scene.scores).length === this.scene.scores.length) {
      this.measure();
      this.player.follow(this.picture);
    }
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

/** How many people, how many in a piece, and two buttons for what is worth trying. */
function makeTools(say, scene, set) {
  const { scores, values, piece, limits } = scene;
  const n = scores.length;
  const shown = Math.min(piece, n);
  const action = (word, change, off = false) => {
    const node = html("button", { type: "button", class: "dc-button dc-tool" }, say(word));
    node.disabled = off;
    node.addEventListener("click", () => set(change()));
    return node;
  };
  const stepper = (name, number, less, more) => {
    const button = (sign, word, change) => {
      const node = html("button", { type: "button", class: "dc-button", "aria-label": say(word), title: say(word) }, sign);
      node.disabled = !change;
      if (change) node.addEventListener("click", () => set(change));
      return node;
    };
    return html("div", { class: "dc-stepper", role: "group", "aria-label": say(`${name}_choice`) },
      html("span", {}, say(`${name}_choice`)), button("−", `${name}_less`, less), html("output", {}, String(number)), button("+", `${name}_more`, more));
  };
  return html("div", { class: "dc-tools" },
    stepper("piece", shown, shown > 1 && { piece: shown - 1 }, shown < n && { piece: shown + 1 }),
    stepper("person", n, n > limits[0] && { scores: scores.slice(0, -1), values: values.slice(0, -1) },
      n < limits[1] && { scores: [...scores, scene.next[0]], values: [...values, scene.next[1]] }),
    action("highest", () => ({ scores: lastHighest(scores, scene.ranges.scores[1]), show: true }), piece >= n),
    action("reset", () => ({ ...scene.opening })));
}

/** The same scores with the last one two above all; at the end of the rail the others make room. */
function lastHighest(scores, high) {
  const top = Math.min(Math.max(...scores) + 2, high);
  return scores.map((score, person) => (person === scores.length - 1 ? top : Math.min(score, Math.max(top - 2, 0))));
}
