// Events in, state out: what lies where after a given number of steps. Pure: it draws nothing and says nothing.

export const TILE = { none: 0, desk: 1, thrown: 2, cabinet: 3, skipped: 4 };

const CARD = ["m", "l", "a", "rescale"];
const TABLES = ["S", "P", "dP", "dS"];
const isTable = (tensor) => TABLES.includes(tensor);
const BY_KEYS = ["K", "V", "dK", "dV"];

/** A worker of the scene with what is looked up again and again: tensors by name, events by index. */
export function prepare(worker) {
  const byName = {};
  for (const tensor of worker.tensors) {
    const rowBlocks = Math.ceil(tensor.rows / tensor.block_rows);
    const colBlocks = Math.ceil(tensor.cols / tensor.block_cols);
    byName[tensor.name] = { ...tensor, rowBlocks, colBlocks };
  }
  const model = { ...worker, byName, steps: restful(worker), stepCount: worker.steps.length };
  model.stored = Object.keys(worker.totals).some((name) => isTable(name) && worker.totals[name].write > 0);
  model.carded = worker.events.tensor.includes("rescale");
  return model;
}

/** Steps end before what they clear away: a piece rests on the desk to be looked at, and the next step throws it away. */
function restful({ steps, events }) {
  return steps.map((end, index) => {
    if (index === steps.length - 1) return end;
    const first = index ? steps[index - 1] + 1 : 0;
    let rest = end;
    while (rest > first && events.op[rest] === "free") rest--;
    return events.op[rest] === "free" ? end : rest;
  });
}

/** One event of the log: its operation, its tile {tensor, ofTable, r, c}, its bytes, what is resident after it. */
export function eventAt(model, index) {
  const columns = model.events;
  const at = (name) => columns[name][index];
  const tensor = at("tensor") || "";
  const block = at("block") || [];
  const [i, j] = [at("i"), at("j")].map((value) => (value === undefined ? null : value));
  const [r, c] = place(model, tensor, block, i, j);
  return {
    index,
    op: at("op"),
    tensor,
    ofTable: isTable(tensor),
    r,
    c,
    i,
    j,
    bytes: at("bytes") || 0,
    kernel: at("kernel"),
    line: at("line"),
    shared: at("shared"),
    registers: at("registers"),
    values: (columns.values || {})[index] || null,
  };
}

/** Where in its tensor a tile lies; c is null for a whole row of blocks, and a held tile takes its loop's index. */
function place(model, tensor, block, i, j) {
  const known = model.byName[tensor];
  const row = block.length > 0 ? block[0] : BY_KEYS.includes(tensor) ? j : i;
  const column = block.length > 1 ? block[1] : block.length > 0 ? null : j;
  if (isTable(tensor)) return [row, column];
  return [row, known && known.colBlocks > 1 ? column : null];
}

export const tileKey = (event) => `${event.tensor}:${event.r ?? ""}:${event.c ?? ""}`;

/** The indices [first, last] of the events of step k (1 …), in the log's order. */
export function eventsOfStep(model, k) {
  return [k > 1 ? model.steps[k - 2] + 1 : 0, model.steps[k - 1]];
}

export function listStep(model, k) {
  if (k < 1 || k > model.stepCount) return [];
  const [first, last] = eventsOfStep(model, k);
  const events = [];
  for (let index = first; index <= last; index++) events.push(eventAt(model, index));
  return events;
}

/** Nothing moved yet: every input in the cabinet, the desk empty; a table that nobody files lies there from before. */
export function initial(model) {
  const table = new Uint8Array(model.t_r * model.t_c);
  for (const [i, j] of model.skipped || []) table[i * model.t_c + j] = TILE.skipped;
  const written = new Set(Object.keys(model.totals).filter((name) => model.totals[name].write > 0));
  const drawers = {};
  const tallies = {};
  for (const { name, rowBlocks, colBlocks } of Object.values(model.byName)) {
    drawers[name] = new Uint8Array(rowBlocks * colBlocks).fill(written.has(name) ? 0 : 1);
    tallies[name] = { read: 0, write: 0 };
  }
  const before = Object.keys(model.byName).find((name) => isTable(name) && !written.has(name));
  if (before) table.fill(TILE.cabinet);
  return {
    k: 0,
    table,
    letters: new Array(table.length).fill(before || "S"),
    drawers,
    tallies,
    desk: [],
    shared: 0,
    registers: 0,
    thrown: 0,
    cards: {},
    numbers: {},
    at: "desk",
  };
}

/** The state after the first `count` events of step k, from the state before it. */
export function within(model, state, k, count) {
  const next = copy(state);
  listStep(model, k)
    .slice(0, count)
    .forEach((event) => apply(model, next, event));
  return next;
}

function copy(state) {
  const drawers = Object.fromEntries(Object.entries(state.drawers).map(([name, filled]) => [name, filled.slice()]));
  const tallies = Object.fromEntries(Object.entries(state.tallies).map(([name, tally]) => [name, { ...tally }]));
  return {
    ...state,
    table: state.table.slice(),
    letters: state.letters.slice(),
    drawers,
    tallies,
    desk: state.desk.slice(),
    cards: { ...state.cards },
    numbers: { ...state.numbers },
  };
}

/** The state after k steps; `from`, an earlier state, spares the way from the beginning. */
export function stateAt(model, k, from = null) {
  const state = copy(from && from.k <= k ? from : initial(model));
  const first = state.k > 0 ? model.steps[state.k - 1] + 1 : 0;
  const last = k > 0 ? model.steps[k - 1] : -1;
  for (let index = first; index <= last; index++) apply(model, state, eventAt(model, index));
  state.k = k;
  return state;
}

const EFFECTS = { load, store, hold: bring, free, compute };

function apply(model, state, event) {
  EFFECTS[event.op](model, state, event);
  state.shared = event.shared;
  state.registers = event.registers;
  if (event.values) remember(model, state, event);
}

function load(model, state, event) {
  count(state, event, "read");
  bring(model, state, event);
  state.at = "desk";
}

/** A tile gets the first free place of the area that grew; one that grew neither streams through the hands. */
function bring(model, state, event) {
  const key = tileKey(event);
  const area = event.shared > state.shared ? "shared" : "registers";
  const streams = event.shared <= state.shared && event.registers <= state.registers;
  state.desk = state.desk.filter((tile) => tile.key !== key && !(tile.streams && tile.kernel !== event.kernel));
  const taken = new Set(state.desk.filter((tile) => tile.area === area).map((tile) => tile.slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  const { tensor, r, c, bytes, kernel } = event;
  state.desk.push({ key, tensor, r, c, bytes, kernel, area, slot, streams });
  mark(model, state, event, TILE.desk);
}

function store(model, state, event) {
  count(state, event, "write");
  fill(model, state, event);
  if (isTable(event.tensor)) mark(model, state, event, TILE.cabinet);
  state.desk = state.desk.filter((tile) => !(tile.streams && tile.r === event.r));
  state.at = "cabinet";
}

function free(model, state, event) {
  const gone =
    state.desk.find((tile) => tile.key === tileKey(event)) ||
    state.desk.filter((tile) => tile.tensor === event.tensor).pop();
  if (!gone) return;
  state.desk = state.desk.filter((tile) => tile !== gone);
  state.thrown += 1;
  mark(model, state, gone, model.stored ? TILE.cabinet : TILE.thrown);
}

/** What is computed of a filed table lies on the desk under its own name; on a card's way P takes the place of S unseen. */
function compute(model, state, event) {
  if (model.stored) mark(model, state, event, TILE.desk);
}

function count(state, event, way) {
  const tally = state.tallies[event.tensor] || (state.tallies[event.tensor] = { read: 0, write: 0 });
  tally[way] += event.bytes;
}

function fill(model, state, event) {
  const filled = state.drawers[event.tensor];
  if (!filled) return;
  const { colBlocks } = model.byName[event.tensor];
  const [from, to] = event.c === null ? [0, colBlocks] : [event.c, event.c + 1];
  for (let c = from; c < to; c++) filled[(event.r || 0) * colBlocks + c] = 1;
}

/** Set the table's tiles that a tile of S or P covers; a tile without a column covers its whole row. */
function mark(model, state, { tensor, r, c }, value) {
  if (!isTable(tensor) || r === null) return;
  const [from, to] = c === null ? [0, model.t_c] : [c, c + 1];
  for (let j = from; j < to; j++) {
    const index = r * model.t_c + j;
    state.table[index] = value;
    state.letters[index] = tensor;
  }
}

/** Keep the numbers an event recorded: the card of its row block, or the cells of its tile. */
function remember(model, state, { values, i, r, c, j, index }) {
  const row = i ?? r;
  const card = Object.keys(values).some((name) => CARD.includes(name));
  if (card)
    state.cards[row] = { ...state.cards[row], ...values, at: values.rescale ? index : (state.cards[row] || {}).at };
  for (const name of TABLES) if (values[name]) spread(model, state, values[name], row, c ?? j, name);
}

function spread(model, state, cells, row, column, name) {
  const [from, to] = column === null || (cells[0] || []).length > model.bc ? [0, model.t_c] : [column, column + 1];
  for (let j = from; j < to; j++) {
    const offset = (j - from) * model.bc;
    state.numbers[row * model.t_c + j] = {
      name,
      cells: cells.map((line) => (line || []).slice(offset, offset + model.bc)),
    };
  }
}

/** Where some events work: kernel, loop indices and line of the last that is not a mere clearing away. */
export function focusOf(events) {
  return events.filter((event) => event.op !== "free").pop() || events[events.length - 1] || null;
}

/** How often a whole N×N table has crossed the room, how many numbers that was, and which table each time. */
export function carriesOf(model, tallies) {
  const cells = model.n_q * model.n_k;
  const carried = TABLES.filter((name) => tallies[name] && model.byName[name]).map((name) => {
    const { read, write } = tallies[name];
    return { name, numbers: (read + write) / model.byName[name].bytes };
  });
  const numbers = carried.reduce((sum, one) => sum + one.numbers, 0);
  const names = carried.flatMap((one) => new Array(Math.round(one.numbers / cells)).fill(one.name));
  return { numbers, tables: numbers / cells, names };
}

/** The card of one row: m, l, the vector a, the rescale factor and the event that set it; null where none is recorded. */
export function cardOf(model, state, row) {
  const block = Math.floor(row / model.br);
  const card = state.cards[block];
  const pick = (name) => [].concat(((card || {})[name] || [])[row - block * model.br] ?? []);
  if (!model.carded || !pick("m").length) return null;
  return { m: pick("m")[0], l: pick("l")[0], a: pick("a"), rescale: pick("rescale")[0], at: card.at };
}

/** Whether one of these events is the one in which a larger score came for this card, so that l and a shrink. */
export const rescaledBy = (card, events) =>
  Boolean(card) && card.rescale > 0 && card.rescale < 1 && events.some((event) => event.index === card.at);
