// An animated SVG from a sequence of pictures: each node is written once, with the changes it goes through (SMIL).

import { escapeXml, identity, markup, namesOf, openTag } from "./vdom.js";

const round = (value) => Number(value.toFixed(4));

/** One SVG body for `frames` [{at: 0 … 1, nodes}], looping every `seconds`. */
export function film(frames, seconds) {
  const clock = { times: frames.map((frame) => round(frame.at)), seconds: round(seconds) };
  return siblings(
    frames.map((frame) => frame.nodes),
    clock,
  );
}

/** Nodes that are the same through time, in their order; texts that come and go lie on top. */
function siblings(lists, clock) {
  const tracks = tracksOf(lists);
  const shapes = [];
  const texts = new Map();
  for (const track of tracks.values()) {
    for (const version of versions(track)) {
      const timed = presence(version, clock);
      const isText = timed && version.find(Boolean).tag === "text";
      if (isText) texts.set(timed, (texts.get(timed) || "") + node(version, clock));
      else shapes.push({ timed, written: node(version, clock) });
    }
  }
  const together = [...texts].map(([timed, written]) => ({ timed, written }));
  return [...shapes, ...together].map(({ timed, written }) => (timed ? `<g>${timed}${written}</g>` : written)).join("");
}

/** Every node through time, null where it is away; one that appears late takes its place after its neighbour. */
function tracksOf(lists) {
  const tracks = new Map();
  const order = [];
  lists.forEach((nodes, index) => {
    let before = -1;
    (nodes || []).forEach((node, place) => {
      const name = identity(node, place);
      if (!tracks.has(name)) {
        tracks.set(name, new Array(lists.length).fill(null));
        order.splice(before + 1, 0, name);
        before += 1;
      } else if (order[before + 1] === name) before += 1;
      else before = Math.max(before, order.indexOf(name));
      tracks.get(name)[index] = node;
    });
  });
  return new Map(order.map((name) => [name, tracks.get(name)]));
}

/** A node through time, once for each form it takes: text, class, patterns and which attributes it has cannot change, only come and go. */
function versions(track) {
  const forms = new Set(track.filter(Boolean).map(form));
  return forms.size === 1
    ? [track]
    : [...forms].map((wanted) => track.map((one) => (one && form(one) === wanted ? one : null)));
}

const FIXED = (name, value) => name === "class" || String(value).startsWith("url(");
function form(one) {
  const fixed = namesOf(one).map((name) => (FIXED(name, one.attrs[name]) ? `${name}=${one.attrs[name]}` : name));
  return fixed.join() + (one.tag === "text" ? written(one) : "");
}

/** What stands inside a node; a line of text with its spans is one piece. */
const written = (one) => (one.text === null ? one.children.map(markup).join("") : escapeXml(one.text));

/** When a node is there, as an animation; nothing for one that always is. */
const presence = (track, clock) =>
  track.every(Boolean)
    ? ""
    : discrete(
        "display",
        track.map((one) => (one ? "inline" : "none")),
        clock,
      );

function node(track, clock) {
  const first = track.find(Boolean);
  if (track.every((one) => one === null || one === first)) return markup(first);
  const inner =
    first.tag === "text" || first.text !== null
      ? written(first)
      : siblings(
          hold(track).map((one) => one.children),
          clock,
        );
  return `${openTag(first)}${changes(hold(track), clock).join("")}${inner}</${first.tag}>`;
}

/** While a node is away its attributes stay as they were, so that only its absence is written. */
function hold(track) {
  let last = track.find(Boolean);
  return track.map((one) => (last = one || last));
}

function changes(track, clock) {
  return namesOf(track[0]).map((name) => {
    const values = track.map((one) => one.attrs[name]);
    if (values.every((value) => value === values[0])) return "";
    return name === "transform" ? glide(values, clock) : discrete(name, values, clock);
  });
}

/** An attribute that jumps: only the moments at which it changes are written. */
function discrete(name, values, { times, seconds }) {
  const kept = values
    .map((value, index) => [times[index], value])
    .filter(([, value], index) => index === 0 || value !== values[index - 1]);
  const list = kept.map(([, value]) => escapeXml(value)).join(";");
  return `<animate attributeName="${name}" calcMode="discrete" values="${list}" keyTimes="${kept.map(([time]) => time).join(";")}" dur="${seconds}s" repeatCount="indefinite"/>`;
}

/** A transform that glides from frame to frame, or jumps where people turn round; equal frames between are left out. */
function glide(values, { times, seconds }) {
  const parsed = values.map((value) => /^(\w+)\(([^)]*)\)$/.exec(value));
  const numbers = parsed.map(([, , list]) => list);
  const kept = numbers
    .map((list, index) => index)
    .filter(
      (index) =>
        index === 0 ||
        index === numbers.length - 1 ||
        numbers[index] !== numbers[index - 1] ||
        numbers[index] !== numbers[index + 1],
    );
  const end = times[times.length - 1] < 1 ? [[1, numbers[numbers.length - 1]]] : [];
  const points = [...kept.map((index) => [times[index], numbers[index]]), ...end];
  const mode =
    new Set(numbers.map((list) => list.startsWith("-"))).size > 1 && parsed[0][1] === "scale" ? "discrete" : "linear";
  return `<animateTransform attributeName="transform" type="${parsed[0][1]}" calcMode="${mode}" values="${points.map(([, list]) => list).join(";")}" keyTimes="${points.map(([time]) => time).join(";")}" dur="${seconds}s" repeatCount="indefinite"/>`;
}
