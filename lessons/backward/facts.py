"""What the backward pass costs: the table carried or computed again, what waits for it; all from the simulator."""

from dataclasses import dataclass
from functools import lru_cache

from lessons.story import small_desk
from simulator import Problem, Tiling, accounting, figure2, gpu
from simulator.ceilings import ceilings
from simulator.cost import Cost

WAYS = ("standard_backward", "flash1_backward", "flash2_backward")
TABLES = ("P", "dP", "dS")
WIDTH = 4                               # d on the stage
SIZE, BLOCKS = Problem(n=4096, d=64, heads=16), Tiling(128, 128)          # where the three ways are compared
LAYER = Problem(d=128, heads=16, n=1)   # one layer and one text, whose N the reader turns


@dataclass(frozen=True)
class Price:
    """Seconds that one cell of P costs: carried three times, or its product and its exponential done again."""

    carries: tuple[float, float, float]
    product: float
    exp: float

    @property
    def carried(self) -> float:
        """Filed by the forward pass, fetched twice by the backward pass."""
        return sum(self.carries)

    @property
    def again(self) -> float:
        """Computed once more."""
        return self.product + self.exp


@lru_cache(maxsize=256)
def price(d: int, key: str) -> Price:
    """The price of a cell in fp16 on a GPU, each at its ceiling: memory, matrix products, exponentials."""
    top, cell = ceilings(gpu(key)), Problem(n=1, d=d)
    once = cell.storage.table.bytes / top.dram.rate
    more = _products("flash2_backward", cell) - _products("standard_backward", cell)
    return Price((once,) * 3, more / top.tensor.rate, 1 / top.exp.rate)


def _products(way, problem):
    """Floating point operations of a way's matrix products."""
    return accounting.cost(way, problem, Tiling(1, 1)).flops.paper


def even(key: str) -> float:
    """The d at which computing again would cost as much as carrying: the product's price grows with d."""
    one = price(1, key)
    return (one.carried - one.exp) / one.product


@lru_cache(maxsize=1)
def bills() -> dict[str, Cost]:
    """{way: Cost} of the backward passes at SIZE."""
    return {way: accounting.cost(way, SIZE, BLOCKS) for way in WAYS}


@lru_cache(maxsize=8)
def against_forward(way: str) -> float:
    """A backward pass's matrix products over its forward pass's."""
    forward = accounting.cost(way.removesuffix("_backward"), SIZE, BLOCKS)
    return bills()[way].flops.paper / forward.flops.paper


def products(way: str) -> int:
    """How many matrix products of N × N × d a backward pass takes."""
    return bills()[way].flops.paper // (2 * SIZE.n * SIZE.n_k * SIZE.d * SIZE.heads * SIZE.batch)


def passes() -> int:
    """How often the standard way's backward pass carries a whole table."""
    moved = bills()["standard_backward"].desk.by_tensor
    return sum(moved[name].total for name in TABLES) // (SIZE.n * SIZE.n_k * SIZE.heads * SIZE.storage.table.bytes)


@lru_cache(maxsize=256)
def kept(way: str, n: int, d: int = LAYER.d) -> int:
    """Bytes that wait between the passes in a layer of LAYER's heads with N people, beside Q, K and V."""
    return sum(accounting.kept(way, LAYER, Tiling(1, 1), n=n, d=d).values())


ACCOUNTS = ("algorithms", "mask", "dropout")            # names in the address, in the order of figure2.standard()


@lru_cache(maxsize=1)
def standard_accounts() -> dict[str, figure2.Account]:
    """What Figure 2's standard attention comes to, by how much of it is counted."""
    return dict(zip(ACCOUNTS, figure2.standard(), strict=True))


@lru_cache(maxsize=16)
def flash_account(bc: int | None = None) -> figure2.Account:
    """What Figure 2's FlashAttention comes to at a B_c; without one, as the released code saves."""
    return figure2.released() if bc is None else figure2.flash1(bc)


def desk(problem, tiling):
    """The story's desk, large enough for one block whichever way it goes."""
    return small_desk(problem, tiling, WAYS)
