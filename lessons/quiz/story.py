"""Numbers of the story's questions: the table that grows, the scriptorium, masks, numbers that explode."""

from random import Random

from lessons.claims.quantity import power
from lessons.masks import facts as masks
from lessons.overflow import sums
from lessons.quiz.instances import DECIMALS, Instance, card_of, decimal, texts
from lessons.scriptorium import facts as bureau
from lessons.table import facts as table
from lessons.text import Several
from lessons.views.numbers import exact, short
from simulator import Problem, Tiling, accounting
from simulator.problem import dtype

FP8_TO_FP32 = ("fp8", "fp16", "bf16", "fp32")


def newcomer(dice: Random) -> Instance:
    """Cells that one more person adds to the table."""
    n = dice.choice((5, 9, 16, 24, 40, 75, 99))
    before, after = (table.one_table(size, "fp16") // table.cell("fp16") for size in (n, n + 1))
    return Instance(texts(n=n, before=before, after=after, people=n + 1), after - before)


def table_bytes(dice: Random) -> Instance:
    """Bytes of one table of one head."""
    n, kind = dice.choice((256, 512, 1024, 2048, 8192)), dice.choice(("fp16", "fp32"))
    return Instance(texts(n=n, cells=n * n) | {"dtype": kind, "width": exact(table.cell(kind), "B")},
                    table.one_table(n, kind))


def tables_at_once(dice: Random) -> Instance:
    """Pairs of S and P that must be there together, and those of a whole pass through a model."""
    layers, heads, batch = dice.choice((12, 24, 32, 48)), dice.choice((8, 12, 16, 32)), dice.choice((2, 4, 8))
    filed = accounting.cost("standard", Problem(n=512, d=64, heads=heads, batch=batch), Tiling(64, 64)).desk
    pairs = filed.by_tensor["S"].write // table.one_table(512, "fp16")
    return Instance(texts(layers=layers, heads=heads, batch=batch, once=pairs, all=layers * pairs))


def lists_carried(dice: Random) -> Instance:
    """Lists of scores and shares that the master has carried for a whole book."""
    n = dice.choice((12, 20, 32, 48, 64, 100))
    problem = bureau.bureau(n)
    answer = bureau.lists_carried(accounting.cost("standard", problem, bureau.tiling("master", 4)), problem)
    return Instance(texts(n=n, each=answer // n), answer)


def fetched_again(dice: Random) -> Instance:
    """How often the scribe has every passage brought over."""
    volumes, batches = dice.choice((4, 8, 16)), dice.randint(3, 20)
    problem = bureau.bureau(volumes * batches)
    cost = accounting.cost("flash2", problem, bureau.tiling("scribe", volumes))
    return Instance(texts(n=problem.n, volumes=volumes, batches=batches), bureau.times_fetched(cost, problem))


def shrunk(dice: Random) -> Instance:
    """The factor by which a card shrinks when a larger score arrives."""
    scores = dice.sample(range(1, 8), 3)
    last = max(scores) + dice.choice((1, 2, 3))
    before = card_of(scores).l.item()
    after = card_of([*scores, last]).l.item()
    return Instance({"scores": Several(scores), "last": str(last), "m": str(max(scores)),
                     "before": decimal(before), "after": decimal(after), "factor": decimal((after - 1) / before)},
                    (after - 1) / before, DECIMALS)


def two_units(dice: Random) -> Instance:
    """The trial in the tale's two units, and in one."""
    n, volumes = dice.choice((512, 1024, 2048, 4096)), dice.choice((16, 32))
    problem = Problem(n=n, d=64)
    master, scribe = (accounting.cost(bureau.ALGORITHM[way], problem, bureau.tiling(way, volumes))
                      for way in bureau.WAYS)
    return Instance(texts(n=n, volumes=volumes, master=bureau.lists_carried(master, problem), scribe=n // volumes,
                          master_tiles=master.tile_moves, scribe_tiles=scribe.tile_moves))


def visible_cells(dice: Random) -> Instance:
    """Cells that a causal mask leaves."""
    n = dice.choice((6, 9, 10, 12, 15, 20, 30))
    left = masks.seen(Problem(n=n, d=4, causal=True), Tiling(4, 4)).cells
    return Instance(texts(n=n, all=n * n), left)


def window_tiles(dice: Random) -> Instance:
    """Tiles that are visited under a causal window."""
    br, blocks, back = dice.choice((4, 8, 16)), dice.randint(5, 12), dice.choice((1, 2, 3))
    left = br * back
    visited = masks.seen(Problem(n=br * blocks, d=4, window=(left, 0)), Tiling(br, br)).tiles
    return Instance(texts(n=br * blocks, br=br, left=left, back=back, each=back + 1, blocks=blocks), visited)


def padded(dice: Random) -> Instance:
    """The share that keys of zeros take if nobody masks them."""
    score, zeros = dice.choice((1, 2, 3, 4)), dice.choice((2, 3, 4, 5, 8))
    l = card_of([score, *[0] * zeros]).l.item()         # in units of the visible key's weight
    return Instance(texts(score=score, zeros=zeros), 1 - 1 / l, DECIMALS)


def both_rulers(dice: Random) -> Instance:
    """What a causal mask leaves of v2's reads, at the desks and at the cabinet, while K and V fit the shelf."""
    n = dice.choice((2048, 4096))
    problem = Problem(n=n, d=128, heads=16)
    plain, masked = masks.bill(problem), masks.bill(masks.causal(problem))
    return Instance(texts(n=n) | {name: short(size, "B") for name, size in (
        ("desk", plain.desk), ("desk_masked", masked.desk), ("cabinet", masked.cabinet))})


def ceiling(dice: Random) -> Instance:
    """The score whose exponential is a format's largest number."""
    name = dice.choice(FP8_TO_FP32)
    largest = sums.overflow.largest(dtype(name))
    written = exact(int(largest)) if largest < 1e6 else str(power(largest))
    return Instance({"format": name, "largest": written}, sums.ceiling(name), 1)


def lifted(dice: Random) -> Instance:
    """The highest share of three scores that were all raised."""
    scores, push = sorted(dice.sample(range(1, 8), 3)), dice.choice((50, 100, 500, 1000))
    l = card_of([score + push for score in scores]).l.item()
    return Instance({"scores": Several(scores), "push": exact(push), "m": exact(scores[-1] + push),
                     "l": decimal(l)}, 1 / l, DECIMALS)


def survives(dice: Random) -> Instance:
    """A score whose exponential bf16 holds and fp16 does not, and where three formats end."""
    return Instance(texts(score=dice.randint(20, 80))
                    | {name: f"{sums.ceiling(name):.1f}" for name in ("fp8", "fp16", "bf16")})


def orders(dice: Random) -> Instance:
    """A sum of one large and many small weights in fp16, in three orders."""
    others = dice.choice((256, 512, 1024, 2048))
    found = sums.summed(others, "fp16")
    return Instance(texts(n=others, piece=sums.PIECE) | {"exact": decimal(sums.exact_sum(others))}
                    | {name: decimal(found[name]) for name in ("largest", "pieces")})


NUMBERS = {one.__name__: one for one in (
    newcomer, table_bytes, tables_at_once, lists_carried, fetched_again, shrunk, two_units, visible_cells,
    window_tiles, padded, both_rulers, ceiling, lifted, survives, orders)}
