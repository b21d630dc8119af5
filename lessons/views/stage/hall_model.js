// The hallway's state: what lies on every desk, on the shelf and in the cabinet after some steps. Pure, as model.js is.

import { TILE } from "./model.js";

/** How far a step has come: nothing; old tiles gone from the shelf; new ones on it; tiles taken to or left by the desks. */
export const DONE = { none: 0, cleared: 1, shelved: 2, taken: 3 };

/** A worker with a shelf, ready to be played: its tensors by name, its steps as touches with their tiles. */
export function prepareHall(worker) {
  const byName = {};
  for (const tensor of worker.tensors)
    byName[tensor.name] = { ...tensor, blocks: Math.ceil(tensor.rows / tensor.block_rows) };
  const steps = worker.shelf.steps.map((step) => step.map(touchOf));
  return {
    ...worker,
    byName,
    steps,
    stepCount: steps.length,
    desks: worker.shelf.desks,
    places: worker.shelf.places,
    carded: false,
    stored: false,
    waves: Math.ceil(worker.t_r / worker.shelf.desks),
  };
}

const tileOf = ({ tensor, r }) => ({ tensor, r, c: null, key: `${tensor}:${r}` });
const touchOf = (touch) => ({
  ...touch,
  tile: tileOf(touch),
  pushed: touch.pushed.map((one) => ({ ...tileOf(one), dirty: one.dirty })),
});

/** Nothing has moved: desks and shelf are empty, all but the result lies in the cabinet. */
function emptyHall(model) {
  const none = () => ({ read: 0, write: 0 });
  const tallies = Object.fromEntries(
    Object.keys(model.byName).map((name) => [name, { desk: none(), cabinet: none() }]),
  );
  return {
    k: 0,
    table: new Uint8Array(model.t_r * model.t_c),
    letters: new Array(model.t_r * model.t_c).fill("S"),
    numbers: {},
    slots: new Array(model.places).fill(null),
    order: [],
    desks: new Array(model.desks).fill(null),
    tallies,
    crossings: {},
    wave: 0,
  };
}

function copyHall(state) {
  const tallies = Object.fromEntries(
    Object.entries(state.tallies).map(([name, { desk, cabinet }]) => [
      name,
      { desk: { ...desk }, cabinet: { ...cabinet } },
    ]),
  );
  return {
    ...state,
    table: state.table.slice(),
    letters: state.letters,
    slots: state.slots.slice(),
    order: state.order.slice(),
    desks: state.desks.slice(),
    tallies,
    crossings: { ...state.crossings },
  };
}

/** The state after k steps; `from`, an earlier state, spares the way from the beginning. */
export function hallAt(model, k, from = null) {
  let state = from && from.k <= k ? from : emptyHall(model);
  while (state.k < k) state = hallWithin(model, state, state.k + 1, DONE.taken);
  return state;
}

/** The state on the way from `state` to step k, as far as `done` says. */
export function hallWithin(model, state, k, done) {
  const next = copyHall(state);
  if (done === DONE.taken) next.k = k;
  const touches = model.steps[k - 1];
  if (done >= DONE.cleared) touches.forEach((touch) => clear(next, touch));
  if (done >= DONE.shelved) touches.forEach((touch) => shelve(next, touch));
  if (done >= DONE.taken) takeAll(model, next, touches);
  return next;
}

/** What had to leave is gone; what was dirty is on its way into the cabinet. */
function clear(state, { pushed }) {
  for (const { key, dirty } of pushed) {
    const slot = state.slots.findIndex((tile) => tile && tile.key === key);
    if (slot >= 0) state.slots[slot] = null;
    state.order = state.order.filter((one) => one !== key);
    if (dirty) state.crossings[key] = (state.crossings[key] || 0) + 1;
  }
}

/** What was missing comes from the cabinet; what was pushed out dirty is filed there. */
function shelve(state, touch) {
  for (const { tensor, dirty } of touch.pushed) if (dirty) state.tallies[tensor].cabinet.write += touch.bytes;
  if (touch.op !== "load") return;
  const { tile } = touch;
  if (!touch.hit) {
    state.tallies[touch.tensor].cabinet.read += touch.bytes;
    state.crossings[tile.key] = (state.crossings[tile.key] || 0) + 1;
    lay(state, tile, false);
  }
  lately(state, tile.key);
}

function lay(state, tile, dirty) {
  const known = state.slots.findIndex((one) => one && one.key === tile.key);
  const slot = known >= 0 ? known : state.slots.indexOf(null);
  if (slot >= 0) state.slots[slot] = { ...tile, dirty };
}

function lately(state, key) {
  state.order = [...state.order.filter((one) => one !== key), key];
}

/** Everyone carries a copy to the desk, or lays the result on the shelf. */
function takeAll(model, state, touches) {
  for (const touch of touches) {
    const { desk, op, tile, i, j, tensor, bytes } = touch;
    state.tallies[tensor].desk[op === "load" ? "read" : "write"] += bytes;
    if (op === "store") {
      lay(state, tile, true);
      lately(state, tile.key);
    }
    state.desks[desk] = deskAfter(state.desks[desk], touch);
    if (j !== null) look(model, state, i, j);
    else if (op === "store") look(model, state, i, null);
    else state.wave = Math.max(state.wave, Math.floor(i / model.desks) + 1);
  }
}

/** A desk keeps its Q; the K and V before make room for the next; with its result filed it is empty. */
function deskAfter(held, { op, tile, i, j }) {
  if (op === "store") return null;
  if (j === null || !held) return { i, j: null, tiles: [tile] };
  const stays = held.j === j ? held.tiles : held.tiles.slice(0, 1);
  return { i, j, tiles: [...stays, tile] };
}

/** A row of the table: its tile j lies on a desk, everything before is thrown away. */
function look(model, state, i, j) {
  const row = i * model.t_c;
  for (let column = 0; column < model.t_c; column++)
    if (state.table[row + column] === TILE.desk && column !== j) state.table[row + column] = TILE.thrown;
  if (j !== null) state.table[row + j] = TILE.desk;
}

/** How often the whole of K and V has crossed a line: the edge of the desks, or the cabinet's front. */
export function timesOf(model, state, line) {
  const names = ["K", "V"];
  const size = names.reduce(
    (sum, name) => sum + model.byName[name].rows * model.byName[name].cols * model.byName[name].bytes,
    0,
  );
  return names.reduce((sum, name) => sum + state.tallies[name][line].read, 0) / size;
}

/** Bytes that have crossed a line, both ways. */
export const crossed = (state, line) =>
  Object.values(state.tallies).reduce((sum, tally) => sum + tally[line].read + tally[line].write, 0);

/** Bytes of results that lie on the shelf and not yet in the cabinet. */
export function unfiled(model, state) {
  return (
    state.slots.filter((tile) => tile && tile.dirty).length *
    model.byName.O.block_rows *
    model.byName.O.cols *
    model.byName.O.bytes
  );
}
