"""Thread blocks abreast, and a small shelf between their desks and the cabinet: an executed run as a scene.

The loads and stores that a run logged for its row blocks are dealt to places on the floor. All places march in
step, and every tile passes through the simulator's own L2, made so small that it holds a handful of tiles.
"""

import json
from collections import deque
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby, zip_longest

from lessons import scene
from lessons.story import small_desk
from simulator import Problem, Tiling, simulate
from simulator.cost import Traffic
from simulator.shelf import L2
from simulator.stream import Access

PEOPLE, WIDTH, BLOCK = 32, 8, 4         # N, d and B of the scene: 8 blocks of Q, of K and of V
PROBLEM, TILING = Problem(n=PEOPLE, d=WIDTH), Tiling(BLOCK, BLOCK)
TILE_BYTES = BLOCK * WIDTH * PROBLEM.storage.bytes
ROW_BLOCKS = PEOPLE // BLOCK


def floor(workers: int, places: int):
    """A GPU of `workers` story desks and a one-sided L2 of `places` tiles."""
    desk = small_desk(PROBLEM, TILING)
    return replace(desk, sms=workers, l2_bytes=places * TILE_BYTES, compute_capability="story")


@dataclass(frozen=True)
class RowBlock:
    """What one thread block logged: its loads before, at each step of, and its stores after its loop."""

    i: int
    first: tuple
    steps: tuple
    last: tuple


@dataclass(frozen=True)
class Touch:
    """A tile taken or left at a place: whether it lay on the shelf, and (tile, dirty) of what had to leave."""

    place: int
    event: object
    hit: bool
    pushed: tuple


def row_blocks(run) -> tuple[RowBlock, ...]:
    """The row blocks of a flash2 run, from its log."""
    moved = [event for event in run.events if event.op in ("load", "store")]
    return tuple(_row_block(i, list(events)) for i, events in groupby(moved, lambda event: event.i))


def _row_block(i, events):
    steps = [tuple(step) for j, step in groupby(events, lambda event: event.j) if j is not None]
    outside = [event for event in events if event.j is None]
    return RowBlock(i, tuple(e for e in outside if e.op == "load"), tuple(steps),
                    tuple(e for e in outside if e.op == "store"))


def marches(blocks, workers):
    """Yield the floor's steps, each a list of (place, events): who arrives, who takes a step, who leaves."""
    waiting, free, standing = deque(blocks), deque(range(workers)), {}
    while waiting or standing:
        arriving = [(free.popleft(), waiting.popleft()) for _ in range(min(len(free), len(waiting)))]
        standing |= {place: (block, deque(block.steps)) for place, block in arriving}
        yield [(place, block.first) for place, block in arriving]
        yield [(place, steps.popleft()) for place, (_, steps) in standing.items() if steps]
        leaving = [place for place, (_, steps) in standing.items() if not steps]
        yield [(place, standing.pop(place)[0].last) for place in leaving]
        free.extend(leaving)


def touches(run, workers: int, places: int) -> tuple[tuple[Touch, ...], ...]:
    """Every step of the floor as its touches: all places reach for their first tile, then all for their second."""
    shelf = L2(floor(workers, places))
    return tuple(tuple(_touch(shelf, place, event) for abreast in _abreast(step) for place, event in abreast)
                 for step in marches(row_blocks(run), workers) if any(events for _, events in step))


def _abreast(step):
    rounds = zip_longest(*([(place, event) for event in events] for place, events in step))
    return [[one for one in abreast if one] for abreast in rounds]


def _touch(shelf, place, event):
    before, read = shelf.tiles(), shelf.read
    shelf.touch(0, [Access(event.op == "store", (event.tensor, event.block), event.bytes)])
    pushed = tuple((tile, dirty) for tile, dirty in before.items() if tile not in shelf.tiles())
    return Touch(place, event, shelf.read == read, pushed)


def cabinet(steps) -> dict[str, Traffic]:
    """Bytes that crossed to and from the cabinet, by tensor."""
    crossed = {}
    for touch in (touch for step in steps for touch in step):
        if touch.event.op == "load" and not touch.hit:
            _add(crossed, touch.event.tensor, Traffic(read=touch.event.bytes))
        for (tensor, _), dirty in touch.pushed:
            _add(crossed, tensor, Traffic(write=TILE_BYTES * dirty))
    return crossed


def _add(crossed, tensor, traffic):
    crossed[tensor] = crossed.get(tensor, Traffic()) + traffic


def handed_out(workers: int, places: int) -> float:
    """How often all of K and V left the cabinet in the end."""
    crossed = cabinet(touches(executed(), workers, places))
    return (crossed["K"].read + crossed["V"].read) / (2 * ROW_BLOCKS * TILE_BYTES)


@cache
def executed():
    """The run of the scene."""
    return simulate(PROBLEM, TILING, small_desk(PROBLEM, TILING), "flash2", execute=True)


@lru_cache(maxsize=64)
def played(workers: int, places: int, title: str) -> str:
    """The worker of a stage as JSON text: the run, and what passed the shelf with so many desks and places."""
    made = scene.worker(executed(), title, row=0)
    kept = {name: made[name] for name in ("title", "n_q", "n_k", "d", "br", "bc", "t_r", "t_c", "tensors", "skipped",
                                          "masked", "kernels", "code", "card_row")}
    steps = [[_shown(touch) for touch in step] for step in touches(executed(), workers, places)]
    shelf = {"places": places, "desks": workers, "steps": steps}
    return json.dumps(kept | {"id": f"hallway {workers} {places}", "tag": "modelled", "shelf": shelf},
                      ensure_ascii=False, separators=(",", ":"))


def _shown(touch):
    e = touch.event
    return {"desk": touch.place, "op": e.op, "tensor": e.tensor, "r": e.block[0], "bytes": e.bytes, "hit": touch.hit,
            "pushed": [{"tensor": tensor, "r": block[0], "dirty": dirty} for (tensor, block), dirty in touch.pushed],
            "i": e.i, "j": e.j, "line": e.line}


def stage_scene(view, workers: int, places: int, file: str, caption: str) -> str:
    """The JSON text of the scene."""
    frame = scene.frame(view, f"hallway {workers}", file, caption)
    frame["words"] |= view.labels("rulers.hall")
    head = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    return f'{head[:-1]},"workers":[{played(workers, places, view.label("algorithm.flash2"))}]}}'
