"""From a run's event log to a scene of the stage: nothing is added, only named, grouped and rounded."""

import re
from typing import NamedTuple

import numpy as np

from simulator.algorithms.split_kv import dealt
from simulator.masks import UNLIMITED
from simulator.online_softmax import NOTHING

DRAWERS = {"standard": "Q K V O S P Z", "flash1": "Q K V O l m", "flash2": "Q K V O L",
           "decode": "Q K V O", "split_kv": "Q K V O_partial L_partial O",
           "standard_backward": "Q K V dO P dP dS dQ dK dV", "flash1_backward": "Q K V dO O l m dQ dK dV",
           "flash2_backward": "Q K V dO O L D dQ dK dV"}
CARD = ("m", "l", "a", "rescale")
TABLES = ("S", "P", "dP", "dS")
BLANK = (*CARD, "dQ", "dK", "dV")       # sums that are laid out as nothing and then added to
FILED_WHOLE = ("standard", "standard_backward")
LARGEST_NUMBERED = 16                   # tables up to this side show the numbers in their cells
LARGEST_MASK = 64                       # up to this side single masked cells are hatched


def frame(view, identity, file, caption):
    """All of a scene but its workers, in the words of `view`'s language."""
    return {
        "id": identity,
        "lang": view.lang,
        "words": dict(view.labels("stage")),
        "present": view.present,
        "start": view.settings.step,
        "file": file,
        "caption": caption,
        "link": view.link,
    }


def worker(run, title, steps="acts", row=None):
    """One worker of a scene: an executed Run of one head, its program, events and totals.

    `steps` groups the events: "acts" (fetch, work, file) or "lines" (every event its own step).
    `row` is the row whose card is shown; left out, the first that a larger score makes shrink.
    """
    p, t = run.problem, run.tiling
    row = telling_row(run) if row is None else row
    wall = _wall(run)
    first, lines = _function(run.program)
    events = list(run.events)
    return {
        "id": f"{run.algorithm} {p} {t}",
        "title": title,
        "tag": run.tag,
        "n_q": wall.rows, "n_k": p.n_k, "d": p.d, "br": wall.block, "bc": min(t.bc, p.n_k),
        "t_r": len(wall.seen), "t_c": -(-p.n_k // t.bc), "edge": "" if run.algorithm == "split_kv" else "Q",
        "tensors": _drawers(run),
        "skipped": [] if run.algorithm in FILED_WHOLE else
                   [[i, j] for i, seen in enumerate(wall.seen) for j in range(-(-p.n_k // t.bc)) if j not in seen],
        "masked": None if run.algorithm == "split_kv" else _masked(p.mask),
        "capacity": {"shared": run.gpu.shared_per_block_bytes, "registers": run.gpu.registers_per_sm_bytes},
        "kernels": list(dict.fromkeys(e.kernel for e in events)),
        "code": {"first": first, "lines": lines},
        "events": _columns(events, p, t, row),
        "steps": STEPS[steps](events),
        "totals": _totals(events),
        "carries": run.algorithm in FILED_WHOLE,
        "card_row": row,
    }


class Wall(NamedTuple):
    """The table on the wall: its rows, rows of a block, and the K/V blocks that each row block sees."""

    rows: int
    block: int
    seen: list


def _wall(run):
    """The table of a run; where a row's keys are dealt to several workers it has a line for each of them."""
    p, t = run.problem, run.tiling
    if run.algorithm == "split_kv":
        shares = dealt(p.mask.tiles(p.n, t.bc).seen_by(0), t.splits)
        return Wall(t.splits * p.n, p.n, shares)
    tiles = p.mask.tiles(t.br, t.bc)
    return Wall(p.n, min(t.br, p.n), [tiles.seen_by(i) for i in range(-(-p.n // t.br))])


def shown_values(problem):
    """The names whose numbers a scene shows: the card, and the table's cells while it is small."""
    return (*CARD, *TABLES) if max(problem.n, problem.n_k) <= LARGEST_NUMBERED else CARD


def telling_row(run):
    """The first row whose card is rescaled by a larger score that came later; 0 where none is, or none was recorded."""
    for event in run.events:
        if event.tensor == "rescale" and event.values is not None:
            for row in np.flatnonzero((event.values > 0) & (event.values < 1)):
                return event.i * run.tiling.br + int(row)
    return 0


def _drawers(run):
    """The cabinet's drawers, in the order of the story: what is asked for, then what is filed."""
    p, t, table = run.problem, run.tiling, run.problem.storage.table.bytes
    rows, keys, parts, fp32 = (p.n, t.br), (p.n_k, t.bc), (t.splits * p.n, p.n), 4
    wide, slim, added = (p.d, p.d), (1, 1), table if run.algorithm in FILED_WHOLE else fp32
    shapes = {"Q": (rows, wide, p.storage.bytes), "K": (keys, wide, p.storage.bytes),
              "V": (keys, wide, p.storage.bytes), "O": (rows, wide, table), "dO": (rows, wide, table),
              "dQ": (rows, wide, added),
              "dK": (keys, wide, table), "dV": (keys, wide, table), "Z": (rows, keys, 1)}
    shapes |= {"O_partial": (parts, wide, fp32), "L_partial": (parts, slim, fp32)}
    shapes |= dict.fromkeys(TABLES, (rows, keys, table)) | dict.fromkeys("lmLD", (rows, slim, fp32))
    used = run.cost.desk.by_tensor
    return [{"name": name, "rows": height, "cols": width, "block_rows": min(br, height), "block_cols": min(bc, width),
             "bytes": size}
            for name in DRAWERS[run.algorithm].split() if name in used
            for (height, br), (width, bc), size in [shapes[name]]]


def _masked(mask):
    """One string of 0 and 1 a row, 1 for a visible cell; None where all are visible or the table is large."""
    if mask.left == mask.right == UNLIMITED or max(mask.n_q, mask.n_k) > LARGEST_MASK:
        return None
    visible = np.broadcast_to(mask.cells(range(mask.n_q), range(mask.n_k)), (mask.n_q, mask.n_k))
    return ["".join("01"[cell] for cell in line) for line in visible.astype(int)]


def _function(program):
    """The first line number and the lines of the algorithm's file from its main function on.

    Comments lined up far to the right move next to their code, so that a narrow listing shows them.
    """
    lines = [re.sub(r"(?<=\S) {2,}#", "  #", line) for line in program.lines]
    start = next(k for k, line in enumerate(lines) if line.startswith(f"def {program.name}("))
    return start + 1, lines[start:]


def _columns(events, problem, tiling, row):
    kernels = list(dict.fromkeys(e.kernel for e in events))
    return {
        "kernel": [kernels.index(e.kernel) for e in events],
        "op": [e.op for e in events],
        "tensor": [e.tensor for e in events],
        "block": [list(e.block) for e in events],
        "bytes": [e.bytes for e in events],
        "shared": [e.shared_resident for e in events],
        "registers": [e.registers_resident for e in events],
        "i": [e.i for e in events],
        "j": [None if e.kernel == "combine" else e.j for e in events],                 # its parts are no K/V blocks
        "line": [e.line for e in events],
        "values": {k: numbers for k, e in enumerate(events) if (numbers := _numbers(e, problem, tiling, row))},
    }


def _numbers(event, problem, tiling, row):
    """The recorded numbers of an event; of a large problem, only those of the chosen row's card.

    The weights by which finished parts are merged are no cells of the table.
    """
    if event.values is None or (event.kernel == "combine" and event.tensor == "P"):
        return None
    small = max(problem.n, problem.n_k) <= LARGEST_NUMBERED
    if not small and event.i != row // tiling.br:
        return None
    kept = range(len(event.values)) if small else [row % tiling.br]
    return {event.tensor: [_line(line) if r in kept else None for r, line in enumerate(event.values)]}


def _line(numbers):
    """Numbers in four digits; None for minus infinity and for a maximum that has seen nothing."""
    return [float(f"{x:.4g}") if x > NOTHING else None for x in numbers.tolist()]


def _totals(events):
    totals = {}
    for e in events:
        if e.op in ("load", "store"):
            entry = totals.setdefault(e.tensor, {"read": 0, "write": 0})
            entry["read" if e.op == "load" else "write"] += e.bytes
    return totals


# Steps: the index of the last event of each.


def _lines(events):
    """Every event is a step; what it frees goes with it."""
    return _ends([k if e.op != "free" else None for k, e in enumerate(events)])


def _acts(events):
    """Fetch, work, file: a step is a stretch of one of the three; what starts blank is laid out while fetching."""
    def act(e):
        if e.op == "load" or (e.op == "hold" and e.tensor in BLANK):
            return "fetch"
        return {"store": "file", "free": None}.get(e.op, "work")
    return _ends([act(e) and (e.kernel, e.i, e.j, act(e)) for e in events])


def _ends(keys):
    """The last index of each stretch of equal keys; None belongs to the stretch before it."""
    ends, running = [], None
    for k, key in enumerate(keys):
        if key is not None and key != running and k > 0:
            ends.append(k - 1)
        running = key if key is not None else running
    return [*ends, len(keys) - 1]


STEPS = {"acts": _acts, "lines": _lines}
