"""The desk stream: what every thread block of every launch loads and stores, in the order of its program.

The programs of `algorithms/` without their numbers, so that grids of millions of tiles can be followed
into the cache; tests hold every thread block equal to the events of an executed run.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from .errors import UnknownName


class Access(NamedTuple):
    """One tile crossing the edge of a desk."""

    stores: bool                        # False: a load
    tile: tuple                         # (tensor, head, block…): the same tuple is the same bytes in HBM
    bytes: int


load, store = partial(Access, False), partial(Access, True)


class ThreadBlock(NamedTuple):
    """What one thread block touches: `first` when it starts, `walk(s)` at every step s of `steps`, `last` at its end.

    Thread blocks that pass the same tiles in the same order share one `walk`.
    """

    first: tuple[Access, ...]
    walk: Callable[[int], tuple[Access, ...]] | None
    steps: range
    last: tuple[Access, ...]


class Launch(NamedTuple):
    """One kernel: `grid(head)` yields a head's thread blocks in program order; heads count over all batches."""

    kernel: str
    grid: Callable


def launches(algorithm, problem, tiling):
    """The launches of `algorithm`, a name of STREAMS, in order; raises UnknownName."""
    if algorithm not in STREAMS:
        raise UnknownName(kind="L2 model of", asked=algorithm, possible=", ".join(STREAMS))
    return STREAMS[algorithm](_Tiles(problem, tiling))


class _Tiles:
    """The tiles of every head, each as (tile, bytes); only valid rows and columns count."""

    def __init__(self, problem, tiling):
        e, t, d = problem.storage.bytes, problem.storage.table.bytes, problem.d
        self._row_bytes = {"Q": e * d, "K": e * d, "V": e * d, "O": t * d, "l": 4, "m": 4, "L": 4}
        self._cell_bytes = {"S": t, "P": t, "Z": 1}
        self.problem = problem
        self.seen = problem.mask.tiles(tiling.br, tiling.bc)
        self.t_r, self.t_c = -(-problem.n // tiling.br), -(-problem.n_k // tiling.bc)

    def rows(self, name, head, i):
        """Row block i of Q, O, l, m or L."""
        return (name, head, i), len(self.seen.rows(i)) * self._row_bytes[name]

    def keys(self, name, head, j):
        """Block j of K or V as query head `head` reads it: heads of one group share theirs."""
        group = self.problem.heads // self.problem.groups
        return (name, head // group, j), len(self.seen.keys(j)) * self._row_bytes[name]

    def cells(self, name, head, i, j):
        """Tile (i, j) of a table."""
        return (name, head, i, j), len(self.seen.rows(i)) * len(self.seen.keys(j)) * self._cell_bytes[name]


def _flash_attention_2(t):
    """Grid over row blocks; all of a K/V head's readers walk along the same K and V."""
    group = t.problem.heads // t.problem.groups

    @cache
    def along(kv_head):
        head = kv_head * group
        return cache(lambda j: (load(*t.keys("K", head, j)), load(*t.keys("V", head, j))))

    def grid(head):
        for i in range(t.t_r):
            written = (store(*t.rows(name, head, i)) for name in ("OL" if t.problem.lse else "O"))
            yield ThreadBlock((load(*t.rows("Q", head, i)),), along(head // group), t.seen.seen_by(i), tuple(written))

    return [Launch("flash_attention_2", grid)]


def _flash_attention_1(t):
    """One thread block a head: for each K/V block, every row block's O, l and m come and go."""
    visits = [(j, i) for j in range(t.t_c) for i in t.seen.that_see(j)]

    def init(head):
        for i in range(t.t_r):
            yield ThreadBlock((), None, range(0), tuple(store(*t.rows(name, head, i)) for name in "Olm"))

    def grid(head):
        def walk(step):
            j, i = visits[step]
            arrive = [load(*t.keys(name, head, j)) for name in "KV" if not step or visits[step - 1][0] != j]
            return (*arrive, *(load(*t.rows(name, head, i)) for name in "QOlm"),
                    *(store(*t.rows(name, head, i)) for name in "Olm"))

        yield ThreadBlock((), walk, range(len(visits)), ())

    return [Launch("init", init), Launch("flash_attention_1", grid)]


def _standard(t):
    """Scores: one thread block a tile. Softmax and extra passes stream over the table. PV: grid over row blocks."""

    def scores(head):
        for i in range(t.t_r):
            for j in range(t.t_c):
                yield ThreadBlock((load(*t.rows("Q", head, i)), load(*t.keys("K", head, j))), None, range(0),
                                  (store(*t.cells("S", head, i, j)),))

    def pv(head):
        for i in range(t.t_r):
            yield ThreadBlock((), partial(_weighted, t, head, i), range(t.t_c), (store(*t.rows("O", head, i)),))

    before = [_pass(t, name, "S", "S") for name in t.problem.passes if name != "dropout"]
    after = [_pass(t, "dropout", "P", "PZ")] if "dropout" in t.problem.passes else []
    return [Launch("scores", scores), *before, _pass(t, "softmax", "S", "P"), *after, Launch("pv", pv)]


def _weighted(t, head, i, j):
    return load(*t.cells("P", head, i, j)), load(*t.keys("V", head, j))


def _pass(t, kernel, read, written):
    """A launch whose row blocks stream over the desk: a tile's worth comes in, a tile's worth goes out."""

    def walk(head, i, j):
        return (load(*t.cells(read, head, i, j)), *(store(*t.cells(name, head, i, j)) for name in written))

    def grid(head):
        for i in range(t.t_r):
            yield ThreadBlock((), partial(walk, head, i), range(t.t_c), ())

    return Launch(kernel, grid)


STREAMS = {"standard": _standard, "flash1": _flash_attention_1, "flash2": _flash_attention_2}
