"""Questions with numbers: from dice to one instance, its answer computed by the simulator."""

from dataclasses import dataclass
from random import Random

import numpy as np

from lessons.text import Several
from lessons.views.numbers import exact, short, times
from simulator import Card, Problem, Tiling, accounting, gpu
from simulator.bounds import compulsory
from simulator.tiling import largest_blocks

DECIMALS = 3                            # of an answer that is no whole number
NAMES = ("h200", "a100-40", "rtx4090")


@dataclass(frozen=True)
class Instance:
    """The numbers a question shows, as text, and its answer; None where there are choices."""

    values: dict
    answer: float | None = None
    decimals: int = 0

    def right(self, given: float) -> bool:
        """Tell whether a given number is the answer, to the last decimal asked give or take two."""
        return abs(given - self.answer) < (0.5 if not self.decimals else 2.5 * 10**-self.decimals)


def carried(dice: Random) -> Instance:
    """Table numbers that standard attention carries."""
    n, d = dice.choice((4, 6, 10, 12, 16, 20)), dice.choice((4, 8))
    problem = Problem(n=n, d=d)
    used = accounting.cost("standard", problem, Tiling(4, 4)).desk.by_tensor
    answer = (used["S"].total + used["P"].total) // problem.storage.table.bytes
    return Instance(texts(n=n, d=d, cells=n * n, carries=answer // n**2), answer)


def result_bytes(dice: Random) -> Instance:
    """Bytes of O as it is filed."""
    n, d, dtype = dice.choice((64, 128, 256, 512, 1024)), dice.choice((32, 64, 128)), dice.choice(("fp16", "fp32"))
    problem = Problem(n=n, d=d, dtype=dtype)
    answer = accounting.cost("flash2", problem, Tiling(32, 32)).desk.by_tensor["O"].write
    return Instance(texts(n=n, d=d) | {"dtype": dtype, "width": exact(problem.storage.table.bytes, "B")}, answer)


def running_sum(dice: Random) -> Instance:
    """The card's l after a few scores."""
    scores = dice.sample(range(1, 10), 4)
    card = card_of(scores)
    return Instance({"scores": Several(scores), "m": f"{card.m.item():g}", "l": decimal(card.l.item())},
                    card.l.item(), DECIMALS)


def merged_sum(dice: Random) -> Instance:
    """The l of two cards put together."""
    scores = dice.sample(range(1, 10), 5)
    left, right = card_of(scores[:2]), card_of(scores[2:])
    both = left.merge(right)
    shift = -abs(left.m.item() - right.m.item())
    return Instance({"m_left": f"{left.m.item():g}", "l_left": decimal(left.l.item()), "m": f"{both.m.item():g}",
                     "m_right": f"{right.m.item():g}", "l_right": decimal(right.l.item()),
                     "l": decimal(both.l.item()), "factor": f"{np.exp(shift):.5f}"}, both.l.item(), DECIMALS)


def card_room(dice: Random) -> Instance:
    """Numbers on the card of one row."""
    d, n = dice.choice((16, 32, 64, 128)), dice.choice((512, 1024, 4096))
    card = Card.blank(1, d)
    return Instance(texts(d=d, n=n), card.m.size + card.l.size + card.a.size)


def key_bytes(dice: Random) -> Instance:
    """Bytes of K that v2 fetches."""
    n, d, br, dtype = dice.choice((64, 128, 256)), dice.choice((16, 32, 64)), dice.choice((16, 32)), "fp16"
    problem = Problem(n=n, d=d, dtype=dtype)
    answer = accounting.cost("flash2", problem, Tiling(br, br)).desk.by_tensor["K"].read
    t_r = n // br
    return Instance(texts(n=n, d=d, br=br, t_r=t_r) | {"dtype": dtype, "once": exact(answer // t_r, "B")}, answer)


def tile_moves(dice: Random) -> Instance:
    """Tiles that v2 fetches and files."""
    br, t = dice.choice((16, 32, 64)), dice.randint(3, 12)
    answer = accounting.cost("flash2", Problem(n=br * t, d=64), Tiling(br, br)).tile_moves
    return Instance(texts(n=br * t, br=br, t_r=t, t_c=t), answer)


def causal_tiles(dice: Random) -> Instance:
    """Tiles that a causal mask leaves."""
    br, t = dice.choice((16, 32, 64)), dice.randint(3, 10)
    tiles = Problem(n=br * t, d=64, causal=True).mask.tiles(br, br)
    return Instance(texts(n=br * t, br=br, all=t * t), sum(len(tiles.seen_by(i)) for i in range(t)))


def one_sm(dice: Random) -> Instance:
    """What one SM grants a block on some GPU, and how many there are."""
    spec = gpu(dice.choice(NAMES))
    return Instance({"gpu": spec.name, "shared": short(spec.shared_per_block_bytes, "B", binary=True),
                     "sms": exact(spec.sms), "square": exact(largest_blocks("flash2", 128, "fp16", spec).square)})


def shared_heads(dice: Random) -> Instance:
    """K and V in the cabinet with and without shared heads."""
    heads, ratio, n, d = dice.choice((16, 32, 64)), dice.choice((2, 4, 8)), dice.choice((2048, 4096, 8192)), 128
    full, less = (_stored(n, d, heads, kv) for kv in (heads, heads // ratio))
    return Instance(texts(heads=heads, kv=heads // ratio, n=n, d=d, ratio=full // less)
                    | {"full": short(full, "B"), "less": short(less, "B")})


def tiled_bytes(dice: Random) -> Instance:
    """Bytes that v2 moves on the desk ruler."""
    n, d, br, dtype = dice.choice((256, 512, 1024)), dice.choice((32, 64, 128)), dice.choice((32, 64, 128)), "fp16"
    desk = accounting.cost("flash2", Problem(n=n, d=d, dtype=dtype), Tiling(br, br)).desk
    bytes_shown = {"once": exact(desk.by_tensor["O"].write, "B"), "total": exact(desk.total, "B")}
    return Instance(texts(n=n, d=d, br=br, t_r=n // br) | {"dtype": dtype, **bytes_shown}, desk.total)


def twice_as_long(dice: Random) -> Instance:
    """What v2's bytes do when N doubles."""
    n = dice.choice((2048, 4096, 8192))
    once, twice = (accounting.cost("flash2", Problem(n=size, d=128), Tiling(128, 128)).desk.total
                   for size in (n, 2 * n))
    return Instance(texts(n=n) | {"growth": times(twice / once)})


def texts(**counts: int) -> dict[str, str]:
    """Return whole numbers as text."""
    return {name: exact(count) for name, count in counts.items()}


def decimal(number: float) -> str:
    """Return a number as text, to as many decimals as an answer has."""
    return f"{number:.{DECIMALS}f}"


def card_of(scores) -> Card:
    """Return the card of one row after some scores, every value being one."""
    return Card.blank(1, 1).update(np.array([scores], float), np.ones((len(scores), 1)))


def _stored(n, d, heads, kv):
    """Bytes of K and V: what must be read beside Q."""
    every, none = (compulsory(Problem(n=n, d=d, heads=heads, kv_heads=kv, n_kv=keys)).read for keys in (2 * n, n))
    return every - none


NUMBERS = {one.__name__: one for one in (
    carried, result_bytes, running_sum, merged_sum, card_room, key_bytes, tile_moves, causal_tiles, one_sm,
    shared_heads, tiled_bytes, twice_as_long)}
