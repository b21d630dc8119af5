"""Numbers of the questions on the same thinking elsewhere: bends, tiled products, lower bounds, tiles too large."""

from random import Random

from lessons.beyond.facts import LARGE, ridge, timed
from lessons.quiz.instances import Instance, texts
from lessons.views.numbers import short
from simulator import Problem, Tiling, accounting, gpu, gpus
from simulator.ceilings import ceilings
from simulator.matmul import closed_form

TILING = Tiling(128, 64)
NAMES = ("h200", "h100", "a100-40", "rtx4090")


def bend(dice: Random) -> Instance:
    """Operations for each byte where a GPU's roof bends."""
    key = dice.choice(tuple(gpus()))
    return Instance({"gpu": gpu(key).name, **_rates(key)}, ridge(key))


def tiled_product(dice: Random) -> Instance:
    """Operations for each byte of a matrix product in tiles."""
    n, block = dice.choice((512, 1024, 2048)), dice.choice((8, 16, 32, 64))
    form = closed_form(n, n, n, block)
    moved = {name: short(traffic.total, "B") for name, traffic in form.by_matrix.items()}
    return Instance(texts(n=n, block=block, times=n // block)
                    | {"flops": short(form.flops, "FLOP"), "read": moved["A"], "written": moved["C"],
                       "total": short(form.total, "B")}, form.intensity, 1)


def softmax_ms(dice: Random) -> Instance:
    """Milliseconds that the cabinet needs for standard attention's softmax, and its share of the least time."""
    key, n, heads = dice.choice(NAMES), dice.choice((4096, 8192, 16384)), dice.choice((8, 16, 32))
    run = timed("standard", Problem(n=n, d=64, heads=heads), TILING, key)
    softmax = next(one for one in run.kernels if one.kernel == "softmax")
    answer = 1e3 * softmax.seconds["dram"]
    return Instance(texts(n=n, heads=heads, d=64)
                    | {"gpu": gpu(key).name, "exp": f"{1e3 * softmax.seconds['exp']:.3f}", "ms": f"{answer:.3f}",
                       "size": short(softmax.dram_bytes, "B", 4),
                       "share": f"{100 * softmax.lower_s / run.lower_s:.0f}", **_rates(key)}, answer, 3)


def left_of_the_bend(dice: Random) -> Instance:
    """A product that waits for the cabinet, on a GPU whose tensor cores become twice as fast."""
    key, n = dice.choice(NAMES), dice.choice((2048, 4096, 8192))
    scores = timed("standard", Problem(n=n, d=64, heads=16), TILING, key).kernels[0]
    return Instance(texts(n=n, d=64)
                    | {"gpu": gpu(key).name, "intensity": f"{scores.intensity:.0f}", "bend": f"{ridge(key):.0f}",
                       "further": f"{2 * ridge(key):.0f}",
                       **{name: f"{1e3 * scores.seconds[name]:.3f}" for name in ("tensor", "dram")}})


def turned(dice: Random) -> Instance:
    """Operations for each byte at the desk's edge, for the tiled way and for three things doubled."""
    n, br = dice.choice((4096, 8192, 16384)), dice.choice((32, 64, 128))
    return Instance(texts(n=n, d=128, br=br, bc=64)
                    | {"now": _at_the_desk(n, br, 64), "rows": _at_the_desk(n, 2 * br, 64),
                       "keys": _at_the_desk(n, br, 128), "longer": _at_the_desk(2 * n, br, 64)})


def too_large(dice: Random) -> Instance:
    """Tiles of a product that no desk holds."""
    spec, block = gpu(dice.choice(NAMES)), dice.choice((256, 512))
    pair = closed_form(block, block, block, block).by_matrix
    return Instance(texts(block=block, n=LARGE)
                    | {"gpu": spec.name, "pair": short(pair["A"].read + pair["B"].read, "B", binary=True),
                       "shared": short(spec.shared_per_block_bytes, "B", binary=True),
                       "flops": short(closed_form(LARGE, LARGE, LARGE, block).flops, "FLOP"),
                       "written": short(closed_form(LARGE, LARGE, LARGE, block).by_matrix["C"].write, "B")})


def _rates(key):
    top = ceilings(gpu(key))
    return {"tensor": short(top.tensor.rate, "FLOP/s", 4), "dram": short(top.dram.rate, "B/s", 4)}


def _at_the_desk(n, br, bc):
    cost = accounting.cost("flash2", Problem(n=n, d=128), Tiling(br, bc))
    return f"{cost.flops.matmul / cost.desk.total:.1f}"


NUMBERS = {one.__name__: one for one in (bend, tiled_product, softmax_ms, left_of_the_bend, turned, too_large)}
