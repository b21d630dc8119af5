// The scene's words, filled in: labels, numbers as people read them, the current event as a sentence.

/** A function from a word's key and its values to text in the scene's language. */
export function speaker(words, lang) {
  const number = new Intl.NumberFormat(lang);
  const say = (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
  say.known = (key) => key in words;
  say.number = (value) => number.format(Math.round(value));
  say.bytes = (value) => amount(number, value, "B");
  say.lang = lang;
  return say;
}

const PREFIXES = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
];

/** A whole number up to a million, four digits with an SI prefix above. */
function amount(number, value, unit) {
  const [size, prefix] = PREFIXES.find(([least]) => value >= least) || [1, ""];
  const shown = size === 1 ? number.format(value) : (value / size).toPrecision(4);
  return `${shown} ${prefix}${unit}`;
}

/** A recorded number in at most four signs, or fewer decimals; what JSON cannot hold (null) is minus infinity. */
export function figure(value, decimals = 2) {
  if (value === null) return "−∞";
  if (value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const places = size >= 100 ? 0 : size >= 10 ? Math.min(decimals, 1) : decimals;
  const shown = size >= 1000 ? value.toExponential(0) : value.toFixed(places);
  return shown.replace("-", "−");
}

/** The index of a tile as the program writes it: 1, or 0,2. */
export function indexOf(tile) {
  return [tile.r, tile.c].filter((part) => part !== null && part !== undefined).join(",");
}

/** Some events as one sentence; clearing away and making room are said only when nothing else happened. */
export function caption(say, events) {
  if (!events.length) return say("event_start");
  const weight = ({ op, ofTable }) => (op === "free" ? 0 : op === "hold" && !ofTable ? 1 : 2);
  const most = Math.max(...events.map(weight));
  const telling = events.filter((event) => weight(event) === most);
  const [piece, after] = telling.filter((event) => event.op === "hold" && event.ofTable);
  if (piece && telling.length > 2) return say(after ? "event_piece_again" : "event_piece", { tile: nameOf(piece) });
  return [...new Set(telling.map((event) => sentence(say, event)))].slice(-3).join(say("joint"));
}

const nameOf = (event) => (indexOf(event) === "" ? event.tensor : `${event.tensor}[${indexOf(event)}]`);

function sentence(say, event) {
  const special = `event_${event.op}_${event.tensor}`;
  return say(say.known(special) ? special : `event_${event.op}`, {
    tile: nameOf(event),
    tensor: event.tensor,
    bytes: say.number(event.bytes),
  });
}

export const kernelName = (say, name) => (say.known(`kernel_${name}`) ? say(`kernel_${name}`) : name);

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;
const em = (sign) => (WIDE.test(sign) ? 1 : /[ilj.,:;'|! ]/.test(sign) ? 0.3 : /[A-Zmw%@]/.test(sign) ? 0.68 : 0.56);
const guess = (text) => [...text].reduce((sum, sign) => sum + em(sign), 0);

let measured = guess;

/** From now on texts are measured in this font family; without a page they are guessed. */
export function measureIn(family) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `600 100px ${family}`;
  const known = new Map();
  measured = (text) => {
    if (known.size > 5000) known.clear();
    if (!known.has(text)) known.set(text, context.measureText(text).width / 100);
    return known.get(text);
  };
}

/** How wide a text is, in ems. */
export const widthOf = (text) => measured(String(text));

/** The size at which a text fits a width, never above `size`. */
export const fitSize = (text, size, width) => Math.min(size, width / Math.max(widthOf(text), 0.1));

/** A text cut into at most `most` lines of a width; Chinese breaks anywhere but before a closing mark. */
export function wrap(text, size, width, most) {
  const pieces = text.match(/[\u2e80-\uffef][，。；：、）」》！？]?|[^\s\u2e80-\uffef]+\s*|\s+/g) || [];
  const lines = [""];
  for (const piece of pieces) {
    const last = lines[lines.length - 1];
    if (last && widthOf((last + piece).trimEnd()) * size > width) lines.push(piece);
    else lines[lines.length - 1] = last + piece;
  }
  if (lines.length > most) lines[most - 1] = `${lines[most - 1].slice(0, -1)}…`;
  return lines.slice(0, most).map((line) => line.trimEnd());
}
