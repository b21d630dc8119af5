// The bar under the picture: buttons, scrubber, speed, row, downloads; and the keys that do the same.

import { SPEEDS } from "./player.js";

const ICONS = {
  first: "M5 5v14M19 5l-11 7l11 7z",
  previous: "M15 5l-9 7l9 7zM19 5v14",
  play: "M6 4l14 8l-14 8z",
  pause: "M6 4h4v16h-4zM14 4h4v16h-4z",
  next: "M9 5l9 7l-9 7zM5 5v14",
  last: "M19 5v14M5 5l11 7l-11 7z",
  up: "M5 15l7 -7l7 7",
  down: "M5 9l7 7l7 -7",
  download: "M12 4v10M7 10l5 5l5 -5M5 20h14",
};

export function html(tag, attrs = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) if (value !== false) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null));
  return node;
}

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

function button(say, word, act, shown = word) {
  const node = html(
    "button",
    { type: "button", class: `dc-button dc-${word}`, "aria-label": say(word), title: say(word) },
    icon(shown),
  );
  node.addEventListener("click", act);
  return node;
}

/** The bar of a stage; `update(k, playing, row)` keeps it in step, `setRow` and `save` are the stage's own doings. */
export function makeControls({ say, player, carded, setRow, save }) {
  const play = button(say, "play", () => player.toggle());
  const scrub = html("input", {
    type: "range",
    min: 0,
    step: 1,
    class: "dc-scrub",
    "aria-label": say("scrub"),
  });
  scrub.addEventListener("input", () => player.jump(Number(scrub.value)));
  const counter = html("output", { class: "dc-counter" });
  const rowText = html("span", { class: "dc-row-text" });
  const bar = html(
    "div",
    { class: "dc-bar", role: "toolbar", "aria-label": say("controls") },
    html(
      "div",
      { class: "dc-buttons" },
      button(say, "first", () => player.jump(0)),
      button(say, "previous", () => player.previous()),
      play,
      button(say, "next", () => player.next()),
      button(say, "last", () => player.jump(player.picture.steps)),
    ),
    html("div", { class: "dc-progress" }, scrub, counter),
  );
  const foot = html(
    "div",
    { class: "dc-foot" },
    bar,
    html(
      "div",
      { class: "dc-side" },
      speedChoice(say, player),
      carded ? rowChoice(say, setRow, rowText) : null,
      downloads(say, save),
    ),
  );
  const update = (k, playing, row) => {
    const { steps, rows } = player.picture;
    scrub.max = steps;
    scrub.value = k;
    const text = say("step_of", { step: k, steps });
    if (counter.textContent !== text) counter.textContent = text;
    scrub.setAttribute("aria-valuetext", text);
    scrub.style.setProperty("--past", `${(100 * k) / Math.max(steps, 1)}%`);
    rowText.textContent = say("row", { row, rows });
    swap(play, say, playing);
  };
  return { foot, update };
}

function swap(play, say, playing) {
  const word = playing ? "pause" : "play";
  if (play.dataset.shows === word) return;
  play.dataset.shows = word;
  play.setAttribute("aria-label", say(word));
  play.title = say(word);
  play.replaceChildren(icon(word));
}

function speedChoice(say, player) {
  const select = html(
    "select",
    { class: "dc-speed", "aria-label": say("speed"), title: say("speed") },
    ...SPEEDS.map((speed) =>
      html("option", { value: speed, selected: speed === player.speed }, `${speed === 0.5 ? "½" : speed}×`),
    ),
  );
  select.value = player.speed;
  select.addEventListener("change", () => {
    player.speed = Number(select.value);
  });
  return select;
}

function rowChoice(say, setRow, rowText) {
  return html(
    "div",
    { class: "dc-row", role: "group", "aria-label": say("row_choice") },
    button(say, "row_up", () => setRow(-1), "up"),
    rowText,
    button(say, "row_down", () => setRow(+1), "down"),
  );
}

function downloads(say, save) {
  const names = { png: "PNG", svg: "SVG", html: "HTML" };
  return html(
    "div",
    { class: "dc-downloads", role: "group", "aria-label": say("downloads") },
    ...Object.entries(names).map(([kind, name]) => {
      const node = html(
        "button",
        { type: "button", class: "dc-button dc-save", "aria-label": say(`save_${kind}`), title: say(`save_${kind}`) },
        icon("download"),
        name,
      );
      node.addEventListener("click", () => save(kind, node));
      return node;
    }),
  );
}

/** What each key does, on the stage or on a page where nothing else has the focus. */
export const KEYS = {
  ArrowLeft: (player) => player.previous(),
  ArrowRight: (player) => player.next(),
  " ": (player) => player.toggle(),
  Home: (player) => player.jump(0),
  End: (player) => player.jump(player.picture.steps),
  ArrowUp: (player, setRow) => setRow(-1),
  ArrowDown: (player, setRow) => setRow(+1),
};

const OWN_KEYS = "button, select, input, textarea, a, [contenteditable], [role=slider], [role=tab]";

/** Whether a key pressed here belongs to a widget and not to the stage. */
export function belongsElsewhere(event, root) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return true;
  const target = event.composedPath()[0];
  const onPage = target === document.body || target === document.documentElement;
  if (onPage) return event.key === "ArrowUp" || event.key === "ArrowDown";
  if (!event.composedPath().includes(root)) return true;
  const inBar = target.closest && target.closest(OWN_KEYS);
  return Boolean(inBar) && (target.matches("select, input") || event.key === " ");
}
