"""One word at a time, counted: the row on the stage, the workers of a step, its bytes, what tokens leave behind."""

from dataclasses import dataclass
from functools import lru_cache

from simulator import Problem, Tiling, accounting, gpu
from simulator.bounds import compulsory
from simulator.cost import Cost
from simulator.kv_cache import models, ways
from simulator.workers import Seating, seated

PEOPLE, PIECE, WIDTH = 8, 1, 8          # the row on the stage: keys, keys of a piece, d
MODEL = models()["llama-3-8b"]
GPU, TILE = "h200", 128                 # the questions' GPU; keys of a tile
LONG = 4096                             # N where prefill and decoding are set side by side


def row(splits: int) -> tuple[Problem, Tiling, str]:
    """The small row of the stage, its blocks, and the program: alone, or dealt to as many workers as have a piece."""
    dealt = min(splits, PEOPLE // PIECE)
    return (Problem(n=1, n_kv=PEOPLE, d=WIDTH), Tiling(1, PIECE, splits=dealt), "split_kv" if dealt > 1 else "decode")


def step(settings) -> tuple[Problem, Tiling]:
    """One new word of every text in the settings' batch, in one layer of the settings' heads."""
    problem = Problem(n=1, n_kv=settings.n_kv, d=MODEL.d, batch=settings.batch, heads=settings.heads,
                      kv_heads=min(settings.kv_heads, settings.heads))
    return problem, Tiling(1, TILE, splits=settings.splits, pack_gqa=settings.pack_gqa)


def seating(settings) -> Seating:
    """Who has work in that step, on the settings' GPU."""
    return seated(*step(settings), gpu(settings.gpu))


@dataclass(frozen=True)
class Price:
    """Bytes that a split step moves: K and V, and the parts that are filed and fetched again."""

    cache: int
    parts: int


def price(settings) -> Price:
    """What splitting adds to the bytes of a step."""
    moved = accounting.cost("split_kv", *step(settings)).desk.by_tensor
    return Price(*(sum(moved[name].total for name in names) for names in ("KV", ("O_partial", "L_partial"))))


def phase(name: str, n: int = LONG, kv_heads: int = MODEL.heads) -> Problem:
    """One layer of the model reading n tokens at once ("prefill"), or its next word after n ("decode")."""
    return Problem(n=n if name == "prefill" else 1, n_kv=n, d=MODEL.d, heads=MODEL.heads, kv_heads=kv_heads)


@lru_cache(maxsize=32)
def bill(name: str, algorithm: str, n: int = LONG) -> Cost:
    """What one layer costs in a phase, by the standard way or tiled, in tiles of TILE keys."""
    return accounting.cost(algorithm, phase(name, n), Tiling(TILE if name == "prefill" else 1, TILE))


def saving(name: str, n: int = LONG) -> float:
    """How many times as many bytes the standard way moves, by the desk ruler."""
    return bill(name, "standard", n).desk.total / bill(name, "flash2", n).desk.total


def intensity(problem: Problem) -> float:
    """FLOP of the products for every byte that must cross the room: K and V once for each of their heads."""
    work = accounting.cost("flash2", problem, Tiling(min(problem.n, TILE), TILE)).flops.matmul
    return work / compulsory(problem).total


def balance(spec) -> float:
    """FLOP for every byte of memory bandwidth, at a GPU's full rates."""
    return spec.tensor_flops_per_s / spec.memory_bytes_per_s


def shapes():
    """{way: Kept}: what one layer of the model's shape would keep of a token, by each way."""
    return ways(MODEL.heads, MODEL.d, MODEL.kept.kv_heads)
