// What the ceiling and the deck share: a frame in the page's colours, words, and the way to the program.

import { Stage } from "../stage/main.js";
import { html } from "../stage/controls.js";
import { speaker } from "../stage/words.js";
import { Post } from "./post.js";

class Panel {
  constructor(parent, scene, { tell, css }) {
    this.post = new Post((news) => tell("moved", news));
    this.style = html("style", {}, css);
    this.root = html("div", { class: "dc-stage dc-panel", role: "group" });
    this.live = html("div", { class: "dc-live", "aria-live": "polite", role: "status" });
    this.sentinel = html("i", { class: "dc-sentinel", "aria-hidden": "true" });
    parent.append(this.style, this.root, this.live, this.sentinel);
    this.sentinel.addEventListener("transitionend", () => this.theme());
    this.theme();
    this.build();
    this.update(scene);
  }

  theme() {
    Stage.prototype.theme.call(this);
  }

  update(scene) {
    this.scene = scene;
    this.post.echoed();
    this.say = speaker(scene.words, scene.lang);
    this.root.lang = scene.lang;
    this.root.classList.toggle("dc-present", Boolean(scene.present));
    this.write();
  }

  /** Tell the program; what is told while it answers takes the place of what was told before. */
  send(news) {
    this.news = { ...this.news, ...news };
    this.post.send(() => {
      const all = this.news;
      this.news = null;
      return all;
    });
  }

  remove() {
    this.post.stop();
    for (const node of [this.style, this.root, this.live, this.sentinel]) node.remove();
  }
}

/** A table of texts: `head` on top, the first cell of each row as its name; cells given as {text, alarm} stand out. */
function tableOf(head, rows, label) {
  const cell = (tag, content, scope) => {
    const { text, alarm } = typeof content === "object" ? content : { text: content };
    return html(tag, { scope: scope || false, class: alarm ? "dc-alarm" : false }, String(text));
  };
  return html("div", { class: "dc-scroller", tabindex: "0", role: "group", "aria-label": label }, html("table", { class: "dc-grid" },
    html("thead", {}, html("tr", {}, ...head.map((text) => cell("th", text, "col")))),
    html("tbody", {}, ...rows.map(([name, ...cells]) => html("tr", {}, cell("th", name, "row"), ...cells.map((one) => cell("td", one)))))));
}
