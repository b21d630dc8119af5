// Cards to be merged: tap one, then another, and the second joins the first; any order, until one is left.

import { html } from "../stage/controls.js";
import { Panel, tableOf } from "./panel.js";

const BEAT_MS = 650;

class Deck extends Panel {
  build() {
    this.tools = html("div", { class: "dc-tools" });
    this.piles = html("div", { class: "dc-deck" });
    this.hint = html("p", { class: "dc-hint" });
    this.table = html("div", {});
    this.note = html("div", { class: "dc-note" });
    this.root.append(this.tools, this.hint, this.piles, this.table, this.note);
  }

  write() {
    const { scene, say } = this;
    this.chosen = null;
    this.tools.replaceChildren(...this.orders(), this.button(say("undo"), scene.merges.length > 0, () => this.play([scene.merges.slice(0, -1)])),
      this.button(say("apart"), scene.merges.length > 0, () => this.play([[]])));
    const focused = [...this.piles.children].indexOf(this.root.getRootNode().activeElement);
    this.piles.replaceChildren(...scene.piles.flatMap((pile, index) => [...this.scissors(index), this.pile(pile)]));
    if (focused >= 0) this.piles.children[Math.min(focused, this.piles.children.length - 1)].focus();
    this.hint.textContent = scene.hint;
    this.table.replaceChildren(tableOf(scene.head, scene.rows, say("cards")));
    this.note.textContent = scene.caption;
    if (this.told !== scene.news) this.live.textContent = scene.news;
    this.told = scene.news;
  }

  button(text, on, act) {
    const node = html("button", { type: "button", class: "dc-button dc-tool" }, text);
    node.disabled = !on;
    node.addEventListener("click", act);
    return node;
  }

  /** Whole orders, played merge by merge from all cards apart. */
  orders() {
    const named = Object.entries(this.scene.orders).map(([name, merges]) => this.button(this.say(name), true, () => this.play(prefixes(merges))));
    return [...named, this.button(this.say("shuffle"), true, () => this.play(prefixes(shuffled(this.scene.people))))];
  }

  scissors(index) {
    if (index === 0 || this.scene.merges.length || this.scene.people < 3) return [];
    const text = this.say("cut", { left: index, right: index + 1 });
    const node = html("button", { type: "button", class: "dc-button dc-scissors", "aria-label": text, title: text }, scissorsIcon());
    node.addEventListener("click", () => this.play([this.scene.cuts[index - 1]]));
    return [node];
  }

  pile({ people, title, m, l, a, parts, names }) {
    const bar = html("span", { class: "dc-parts", "aria-hidden": "true" }, ...parts.map((part, index) => html("i", { style: `width:${(100 * part).toFixed(2)}%` }, part > 0.12 ? String(people[index]) : "")));
    const node = html("button", { type: "button", class: "dc-pile", "aria-pressed": "false", "aria-label": names, style: `flex-basis:${70 + 52 * people.length}px` },
      html("b", {}, title), bar, ...[["m", m], ["l", l], ["a", a]].map(([letter, text]) => html("span", { class: "dc-figure" }, html("i", {}, letter), text)));
    node.addEventListener("click", () => this.choose(people[0], node));
    return node;
  }

  /** The first tap lifts a card, the second brings another to it; a second tap on the same lays it down. */
  choose(person, node) {
    if (this.chosen === null) {
      this.chosen = person;
      node.setAttribute("aria-pressed", "true");
    } else if (this.chosen === person) {
      this.chosen = null;
      node.setAttribute("aria-pressed", "false");
    } else this.play([[...this.scene.merges, [this.chosen, person]]]);
  }

  remove() {
    clearTimeout(this.beat);
    super.remove();
  }

  play(states) {
    clearTimeout(this.beat);
    const [next, ...rest] = states;
    this.send({ merges: next.map((pair) => pair.join("-")) });
    if (rest.length) this.beat = setTimeout(() => this.play(rest), matchMedia("(prefers-reduced-motion: reduce)").matches ? 60 : BEAT_MS);
  }
}

function scissorsIcon() {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M9.5 17.5a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0M19.5 17.5a2.5 2.5 0 1 1-5 0a2.5 2.5 0 1 1 5 0M8.4 15.4L15.5 3M15.6 15.4L8.5 3");
  icon.append(path);
  return icon;
}

const prefixes = (merges) => merges.map((_, index) => merges.slice(0, index + 1));

/** An order nobody thought of: two cards at random, again and again. */
function shuffled(people) {
  const left = Array.from({ length: people }, (_, index) => index + 1);
  const merges = [];
  while (left.length > 1) {
    const [into] = left.splice(Math.floor(Math.random() * left.length), 1);
    const at = Math.floor(Math.random() * left.length);
    merges.push([into, left[at]]);
    left[at] = into;
  }
  return merges;
}
