// The row of tools above the people: how many there are, how many in a piece, and two changes that are worth a look.

import { html } from "../stage/controls.js";

/** The tools for a scene; each hands `set` a change of the scene as it will be when the change is made. */
function makeTools(say, scene, set) {
  const { scores, piece, limits: [fewest, most] } = scene;
  const n = scores.length;
  return html("div", { class: "dc-tools" },
    stepper(say, set, "piece", Math.min(piece, n), [piece > 1 && n > 1, fewerInPiece], [piece < n, moreInPiece]),
    stepper(say, set, "person", n, [n > fewest, personLess(fewest)], [n < most, personMore(most)]),
    tool(say("highest"), piece < n, () => set((now) => ({ scores: lastHighest(now), show: true }))),
    tool(say("reset"), true, () => set((now) => ({ ...now.opening }))));
}

function tool(text, on, act, attributes = { class: "dc-button dc-tool" }) {
  const node = html("button", { type: "button", ...attributes }, text);
  node.disabled = !on;
  node.addEventListener("click", act);
  return node;
}

function stepper(say, set, name, number, [canLess, less], [canMore, more]) {
  const button = (sign, on, key, change) => tool(sign, on, () => set(change), { class: "dc-button", "aria-label": say(key), title: say(key) });
  return html("div", { class: "dc-stepper", role: "group", "aria-label": say(`${name}_choice`) }, html("span", {}, say(`${name}_choice`)),
    button("−", canLess, `${name}_less`, less), html("output", {}, String(number)), button("+", canMore, `${name}_more`, more));
}

const fewerInPiece = ({ piece, scores }) => ({ piece: Math.max(Math.min(piece, scores.length) - 1, 1) });
const moreInPiece = ({ piece, scores }) => ({ piece: Math.min(piece + 1, scores.length) });

const personLess = (fewest) => ({ scores, values }) => (scores.length > fewest ? { scores: scores.slice(0, -1), values: values.slice(0, -1) } : {});
const personMore = (most) => ({ scores, values, next }) => (scores.length < most ? { scores: [...scores, next[0]], values: [...values, next[1]] } : {});

/** The same scores with the last one two above all; at the end of the rail the others make room. */
function lastHighest({ scores, ranges: { scores: [low, high] } }) {
  const top = Math.min(Math.max(...scores) + 2, high);
  return scores.map((score, person) => (person === scores.length - 1 ? top : Math.min(score, Math.max(top - 2, low))));
}
