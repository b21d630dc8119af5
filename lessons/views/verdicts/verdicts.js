// A ledger of claims. Every text comes ready with the data; what the reader said about each claim lives here, in the
// browser's tab, and is told to no one. Python hears which claim is looked at and which are listed.

const ledgers = new WeakMap();
const VERDICTS = ["right", "if", "not"];
const FILTERS = ["all", "open", ...VERDICTS];
const KEPT = "desk-and-cabinet:claims";

export default function ({ parentElement, data, setTriggerValue }) {
  const scene = JSON.parse(new TextDecoder().decode(data));
  if (!ledgers.has(parentElement)) ledgers.set(parentElement, begin(parentElement));
  const ledger = ledgers.get(parentElement);
  ledger.tell = (change) => setTriggerValue("moved", change);
  arrive(ledger, scene);
  return () => {
    document.removeEventListener("keydown", ledger.onKey);
    ledger.root.remove();
    ledgers.delete(parentElement);
  };
}

function begin(parent) {
  const ledger = { root: html("div", { class: "ledger" }), said: recalled(), asked: {} };
  ledger.onKey = (event) => fromAfar(ledger, event);
  document.addEventListener("keydown", ledger.onKey);
  parent.append(ledger.root);
  return ledger;
}

/** New data: all is written anew where a text changed, else only which claim is looked at and which are listed. */
function arrive(ledger, scene) {
  const written = JSON.stringify([scene.lang, scene.present]);
  const [first, looked, listed] = [!ledger.scene, ledger.scene?.open, ledger.scene?.filter];
  ledger.scene = latest(ledger, scene);
  if (written !== ledger.written) write(ledger);
  ledger.written = written;
  if (first || scene.filter !== listed) choose(ledger);
  refresh(ledger);
  if (scene.open !== (first ? scene.items[0].id : looked) && !scene.present) look(ledger, scene.open);
}

/** News from before the reader's last move is behind it: what was asked for stays until its own answer is here. */
function latest(ledger, scene) {
  for (const [name, wanted] of Object.entries(ledger.asked)) {
    if (scene[name] === wanted) delete ledger.asked[name];
    else scene[name] = wanted;
  }
  return scene;
}

function ask(ledger, name, flag, value) {
  ledger.asked[name] = value;
  ledger.tell({ [flag]: value.toLowerCase() });
}

// --- what the reader said ----------------------------------------------------------------------

/** {id: verdict given, or "shown" where it was looked up}; a browser that keeps nothing forgets with the page. */
function recalled() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? {};
  } catch {
    return {};
  }
}

function keep(ledger) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(ledger.said));
  } catch {
    // The answers then live as long as the page.
  }
  refresh(ledger);
}

function judge(ledger, item, verdict) {
  ledger.said[item.id] = verdict;
  keep(ledger);
  const { words } = ledger.scene;
  ledger.live.textContent = `${item.id}: ${words[item.verdict]}. ${item.number}`;
  ledger.cards.get(item.id).verdict.focus({ preventScroll: true });
}

function showAll(ledger) {
  for (const item of ledger.scene.items) ledger.said[item.id] ??= "shown";
  keep(ledger);
}

function again(ledger) {
  ledger.said = {};
  choose(ledger);
  keep(ledger);
}

/** What stands at a claim: nothing yet, a verdict that was met or missed, or one that was looked up. */
function state(ledger, item) {
  const said = ledger.said[item.id];
  if (!VERDICTS.includes(said)) return said === "shown" ? "shown" : "open";
  return said === item.verdict ? "met" : "missed";
}

// --- the frame ---------------------------------------------------------------------------------

function write(ledger) {
  const { root, scene } = ledger;
  const { words, items } = scene;
  root.lang = scene.lang;
  root.classList.toggle("present", scene.present);
  ledger.score = html("p", { class: "score" });
  ledger.live = html("p", { class: "live", role: "status", "aria-live": "polite" });
  ledger.strip = html("div", { class: "strip", role: "group", "aria-label": words.index });
  ledger.places = new Map(items.map((item) => [item.id, button(item.id, () => look(ledger, item.id))]));
  ledger.strip.append(...ledger.places.values());
  ledger.cards = new Map(items.map((item) => [item.id, card(ledger, item)]));
  ledger.none = html("p", { class: "none" });
  const list = html("ol", { class: "claims" }, ...[...ledger.cards.values()].map((one) => one.root));
  root.replaceChildren(head(ledger), ledger.none, list, ledger.live);
}

function head(ledger) {
  const { words, present } = ledger.scene;
  if (present) return html("div", { class: "head" }, ledger.strip, turner(ledger));
  ledger.filters = new Map(FILTERS.map((name) => [name, button("", () => filter(ledger, name))]));
  const filters = html("div", { class: "filters", role: "group", "aria-label": words.filter }, ...ledger.filters.values());
  ledger.all = button(words.show_all, () => showAll(ledger));
  ledger.again = button(words.again, () => again(ledger));
  const acts = html("div", { class: "acts" }, ledger.all, ledger.again);
  return html("div", { class: "head" }, ledger.score, ledger.strip, html("div", { class: "tools" }, filters, acts));
}

function turner(ledger) {
  const { words } = ledger.scene;
  ledger.place = html("span", { class: "place" });
  return html("div", { class: "turner" }, button(words.previous, () => turn(ledger, -1)), ledger.place, button(words.next, () => turn(ledger, 1)));
}

function turn(ledger, by) {
  const { items, open } = ledger.scene;
  const at = items.findIndex((item) => item.id === open) + by;
  if (at >= 0 && at < items.length) look(ledger, items[at].id);
}

function fromAfar(ledger, event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const elsewhere = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey;
  if (!by || elsewhere || !ledger.scene.present) return;
  event.preventDefault();
  turn(ledger, by);
}

function look(ledger, id) {
  ledger.looked = true;
  const before = ledger.scene.open;
  ledger.scene.open = id;
  if (!ledger.scene.present) {
    ledger.visible.add(id);
    show(ledger, id);
  }
  refresh(ledger);
  if (id !== before) ask(ledger, "open", "claim", id);
}

/** Bring a claim into sight and put the focus on it. */
function show(ledger, id) {
  const { root } = ledger.cards.get(id);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  ledger.visible.add(id);
  refresh(ledger);
  root.scrollIntoView({ block: "center", behavior: still ? "auto" : "smooth" });
  root.focus({ preventScroll: true });
}

function filter(ledger, name) {
  const same = ledger.scene.filter === name;
  ledger.scene.filter = name;
  choose(ledger);
  refresh(ledger);
  if (!same) ask(ledger, "filter", "verdict", name);
}

/** Which claims are listed: decided when a filter is chosen, so that a claim does not vanish under the reader's hand. */
function choose(ledger) {
  const { items, filter: name } = ledger.scene;
  const listed = items.filter((item) => name === "all" || group(ledger, item) === name);
  ledger.visible = new Set(listed.map((item) => item.id));
}

/** A verdict is a secret until the reader has judged: a claim not judged yet belongs to none. */
const group = (ledger, item) => (state(ledger, item) === "open" ? "open" : item.verdict);

// --- what changes ------------------------------------------------------------------------------

function refresh(ledger) {
  const { scene, places, cards, visible } = ledger;
  for (const item of scene.items) {
    const now = state(ledger, item);
    const here = scene.present ? item.id === scene.open : visible.has(item.id);
    places.get(item.id).className = `cell ${now}`;
    places.get(item.id).setAttribute("aria-label", `${item.id}: ${scene.words[now]}`);
    places.get(item.id).setAttribute("aria-current", String(item.id === scene.open && (scene.present || ledger.looked)));
    cards.get(item.id).root.hidden = !here;
    cards.get(item.id).write(now, ledger.said[item.id]);
  }
  if (scene.present) ledger.place.textContent = `${scene.open} / ${scene.items.length}`;
  else count(ledger);
}

function count(ledger) {
  const { scene, filters } = ledger;
  const states = scene.items.map((item) => state(ledger, item));
  const number = (name) => states.filter((one) => one === name).length;
  const judged = number("met") + number("missed");
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  ledger.score.textContent = judged
    ? fill(scene.words.score, { judged, all: states.length, met: number("met") })
    : fill(scene.words.start, { all: states.length });
  for (const [name, chip] of filters) {
    const size = name === "all" ? states.length : scene.items.filter((item) => group(ledger, item) === name).length;
    chip.replaceChildren(...(VERDICTS.includes(name) ? [sign(name)] : []), `${scene.words[name === "open" ? "unjudged" : name]} `, html("b", {}, size));
    chip.setAttribute("aria-pressed", String(scene.filter === name));
  }
  const hidden = VERDICTS.includes(scene.filter) ? number("open") : 0;
  ledger.none.textContent = hidden ? fill(scene.words.hidden, { hidden }) : "";
  ledger.none.hidden = !hidden;
  ledger.all.disabled = !number("open");
  ledger.again.disabled = number("open") === states.length;
}

// --- one claim ---------------------------------------------------------------------------------

function card(ledger, item) {
  const { words } = ledger.scene;
  const name = `says-${item.id}`;
  const says = html("p", { class: "says", id: name }, html("span", { class: "id" }, item.id), ...coded(item.says));
  const choices = VERDICTS.map((verdict) => button([sign(verdict), words[verdict]], () => judge(ledger, item, verdict)));
  const asked = html("div", { class: "choices", role: "group", "aria-label": `${item.id}: ${words.ask}` }, ...choices);
  const verdict = html("p", { class: "verdict", tabindex: "-1" });
  const answer = html("div", { class: "answer" }, verdict, ...answered(item, words));
  const root = html("li", { class: "claim", tabindex: "-1", "aria-labelledby": name }, says, html("div", { class: "side" }, asked, answer));
  const card = { root, verdict, was: null };
  card.write = (now, said) => {
    if (now === card.was) return;
    asked.hidden = now !== "open";
    answer.hidden = now === "open";
    root.dataset.state = now;
    if (now !== "open") verdict.replaceChildren(sign(item.verdict), html("b", {}, words[item.verdict]), verdictNote(words, now, said));
    card.was = now;
  };
  return card;
}

function verdictNote(words, now, said) {
  if (now === "shown") return "";
  const text = now === "met" ? `✓ ${words.met}` : `✗ ${lead(words.you_said)}${words[said]}`;
  return html("span", { class: now }, text);
}

function* answered(item, words) {
  yield html("p", { class: "number" }, html("strong", {}, item.number), ...item.badges.map(badge));
  if (item.rows.length) yield picture(item, words);
  yield html("p", {}, ...coded(item.finds));
  if (item.assumes) yield html("p", {}, html("b", {}, lead(words[`assumes_${item.verdict}`])), ...coded(item.assumes));
  if (item.source) yield html("p", { class: "source" }, lead(words.source) + item.source);
  if (item.link) yield html("p", {}, html("a", { href: item.link[0] }, lead(words.see) + item.link[1]));
}

const badge = ([kind, word, meaning]) => html("span", { class: `badge ${kind}`, title: meaning }, word);

/** Words that lead to others: a full-width mark brings its own space. */
const lead = (words) => (/[：。]$/.test(words) ? words : `${words} `);

/** Text in which `…` is code. */
const coded = (text) => text.split("`").map((part, index) => (index % 2 ? html("code", {}, part) : part));

/** What was said (a ring) and what was found (a dot), on one scale for all rows of the claim. */
function picture(item, words) {
  const rows = item.rows.map((row) => html("div", { class: "row" },
    html("span", { class: "name" }, row.name),
    html("span", { class: "track", "aria-hidden": "true" }, mark("said", row.start), mark("found", row.stop, row.start)),
    html("span", { class: "texts" }, html("span", { class: "live" }, `${words.as_said} `), html("i", {}, row.said), " → ", html("span", { class: "live" }, `${words.as_found} `), html("b", {}, row.found))));
  const key = html("p", { class: "key", "aria-hidden": "true" }, html("i", { class: "said" }), words.as_said, html("i", { class: "found" }), words.as_found);
  return html("div", { class: "picture" }, ...rows, key);
}

/** A mark from one position to another; it sets out from `start`, so that it is seen to move when it comes to light. */
function mark(look, [low, high], start = [low, high]) {
  const at = ([a, b]) => `${((a + b) * 50).toFixed(2)}%`;
  const style = `left:${at([low, high])};--from:${((start[0] + start[1] - low - high) * 50).toFixed(2)}cqw;--wide:${((high - low) * 100).toFixed(2)}%`;
  return html("i", { class: look, style });
}

// --- elements ----------------------------------------------------------------------------------

function html(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function button(content, act) {
  const element = html("button", { type: "button" }, ...[content].flat());
  element.addEventListener("click", act);
  return element;
}

/** A circle that is full, half full or empty: the verdict for eyes that see no colour. */
function sign(verdict) {
  return html("i", { class: `sign ${verdict}`, "aria-hidden": "true" });
}
