// The way in: which picture a scene asks for, and the one picture that lives in each element of the page.

import { Board } from "./board.js";
import { Ceiling } from "./ceiling.js";
import { Deck } from "./deck.js";

const KINDS = { card: Board, mean: Board, ceiling: Ceiling, deck: Deck };
const living = new WeakMap();

/** Called by Streamlit for every new scene on the same element. */
function mountBars({ parentElement, data, setTriggerValue }, css) {
  const scene = JSON.parse(typeof data === "string" ? data : new TextDecoder().decode(data));
  const known = living.get(parentElement);
  if (known) known.update(scene);
  else living.set(parentElement, new KINDS[scene.id](parentElement, scene, { tell: setTriggerValue, address: scene.id === "card", css }));
  return () => {
    const picture = living.get(parentElement);
    if (picture) picture.remove();
    living.delete(parentElement);
  };
}

/** The board alone in a page of its own: it plays, but without the program nothing can be moved. */
function boardAlone(parent, scene, css) {
  return new Board(parent, { ...scene, fixed: true }, { tell: () => {}, address: false, css });
}
