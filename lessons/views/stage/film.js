// An animated SVG from a sequence of pictures: each node is written once, with the changes it goes through (SMIL).

import { escapeXml, identity, openTag } from "./vdom.js";

const round = (value) => Number(value.toFixed(4));

/** One SVG body for `frames` [{at: 0 … 1, nodes}], looping every `seconds`. */
export function film(frames, seconds) {
  const clock = { times: frames.map((frame) => round(frame.at)), seconds: round(seconds) };
  return siblings(frames.map((frame) => frame.nodes), clock);
}

/** Nodes that are the same through time, in the order in which they first appear. */
function siblings(lists, clock) {
  const tracks = new Map();
  lists.forEach((nodes, index) => (nodes || []).forEach((node, place) => {
    const name = identity(node, place);
    if (!tracks.has(name)) tracks.set(name, new Array(lists.length).fill(null));
    tracks.get(name)[index] = node;
  }));
  return [...tracks.values()].map((track) => node(track, clock)).join("");
}

function node(track, clock) {
  const present = track.filter(Boolean);
  const first = present[0];
  if (present.every((one) => one === first) && present.length === track.length) return written(first);
  const texts = [...new Set(present.map((one) => one.text))];
  if (texts.length > 1) return texts.map((text) => node(track.map((one) => (one && one.text === text ? one : null)), clock)).join("");
  const whole = hold(track);
  const animations = [shown(track, clock), ...changes(whole, clock)].join("");
  const inner = first.text === null ? siblings(track.map((one) => one && one.children), clock) : escapeXml(first.text);
  return `${openTag(first)}${animations}${inner}</${first.tag}>`;
}

function written(one) {
  const inner = one.text === null ? one.children.map(written).join("") : escapeXml(one.text);
  return `${openTag(one)}${inner}</${one.tag}>`;
}

/** While a node is away its attributes stay as they were, so that only its absence is written. */
function hold(track) {
  let last = track.find(Boolean);
  return track.map((one) => (last = one || last));
}

function shown(track, clock) {
  if (track.every(Boolean)) return "";
  return discrete("display", track.map((one) => (one ? "inline" : "none")), clock);
}

function changes(track, clock) {
  const names = new Set(track.flatMap((one) => Object.keys(one.attrs)));
  return [...names].map((name) => {
    const values = track.map((one) => one.attrs[name] ?? "");
    if (values.every((value) => value === values[0])) return "";
    return name === "transform" ? glide(values, clock) : discrete(name, values, clock);
  });
}

/** An attribute that jumps: only the moments at which it changes are written. */
function discrete(name, values, { times, seconds }) {
  const kept = values.map((value, index) => [times[index], value]).filter(([, value], index) => index === 0 || value !== values[index - 1]);
  const list = kept.map(([, value]) => escapeXml(value)).join(";");
  return `<animate attributeName="${name}" calcMode="discrete" values="${list}" keyTimes="${kept.map(([time]) => time).join(";")}" dur="${seconds}s" repeatCount="indefinite"/>`;
}

/** A transform that glides from frame to frame; frames between equal neighbours are left out. */
function glide(values, { times, seconds }) {
  const parsed = values.map((value) => /^(\w+)\(([^)]*)\)$/.exec(value) || ["", "translate", "0 0"]);
  const numbers = parsed.map(([, , list]) => list);
  const kept = numbers.map((list, index) => index).filter((index) => index === 0 || index === numbers.length - 1
    || numbers[index] !== numbers[index - 1] || numbers[index] !== numbers[index + 1]);
  const end = times[times.length - 1] < 1 ? [[1, numbers[numbers.length - 1]]] : [];
  const points = [...kept.map((index) => [times[index], numbers[index]]), ...end];
  return `<animateTransform attributeName="transform" type="${parsed[0][1]}" values="${points.map(([, list]) => list).join(";")}" keyTimes="${points.map(([time]) => time).join(";")}" dur="${seconds}s" repeatCount="indefinite"/>`;
}
