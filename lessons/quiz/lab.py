"""Numbers of the lab's questions: rulers, the GPU, calls, claims."""

from random import Random

from lessons.call import checks
from lessons.call.shapes import shown
from lessons.claims import softmax
from lessons.quiz.instances import Instance, texts
from lessons.rulers import hallway
from lessons.views.numbers import exact, short, times
from simulator import Problem, Tiling, accounting, gpu
from simulator.bounds import compulsory

NAMES = ("h200", "a100-40", "rtx4090")


def on_paper(dice: Random) -> Instance:
    """Bytes of the standard way on the paper ruler."""
    n, d = dice.choice((512, 1024, 2048, 4096)), dice.choice((64, 128))
    problem = Problem(n=n, d=d)
    return Instance(texts(n=n, d=d) | {"dtype": "fp16", "width": exact(problem.storage.bytes, "B")},
                    accounting.cost("standard", problem, Tiling(64, 64)).paper.total)


def handed_out(dice: Random) -> Instance:
    """How often a cabinet hands out K and V past a shelf that is too small for them, by the L2 model."""
    workers, places = dice.choice((1, 2, 3, 4, 8)), dice.choice((8, 10, 12))
    return Instance(texts(workers=workers, places=places, tiles=2 * hallway.ROW_BLOCKS, blocks=hallway.ROW_BLOCKS),
                    hallway.handed_out(workers, places))


def narrow_block(dice: Random) -> Instance:
    """A block so low that v2 loses on paper, and by how much it wins at the desk."""
    d = dice.choice((64, 128))
    br, n = d // 4, dice.choice((2048, 4096))
    standard, tiled = (accounting.cost(name, Problem(n=n, d=d), Tiling(br, br)) for name in ("standard", "flash2"))
    return Instance(texts(n=n, d=d, br=br) | {"paper": times(tiled.desk.total / standard.paper.total),
                                              "desk": times(tiled.desk.total / standard.desk.total)})


def rate(dice: Random) -> Instance:
    """The rate of a timed call, by the formula's operations."""
    n, heads, about = dice.choice((4096, 8192, 16384)), dice.choice((16, 32)), dice.choice((120, 250, 400, 600))
    flops = accounting.cost("flash2", Problem(n=n, d=128, heads=heads), Tiling(128, 128)).flops.paper
    ms = round(flops / (about * 1e12) * 1e3, 2)
    return Instance(texts(n=n, d=128, heads=heads) | {"ms": f"{ms:g}"}, flops / (ms * 1e-3) / 1e12, 1)


def idle(dice: Random) -> Instance:
    """SMs that stand idle when there is one thread block for each head of each text."""
    spec, heads, batch = gpu(dice.choice(NAMES)), dice.choice((8, 12, 16)), dice.choice((2, 3, 4))
    return Instance(texts(heads=heads, batch=batch, blocks=heads * batch, sms=spec.sms) | {"gpu": spec.name},
                    spec.sms - heads * batch)


def mixed_up(dice: Random) -> Instance:
    """Keys that each row attends to when the package's layout is handed to PyTorch's function."""
    shape = tuple(map(dice.choice, ((1, 2, 4), (256, 512, 1024), (8, 12, 16, 32), (64, 128))))
    asked = checks.Asked(checks.SDPA, shape, shape, shape)
    return Instance(texts(n=shape[1], h=shape[2]) | {"shape": shown(shape)}, asked.size("k", "rows"))


def last_row(dice: Random) -> Instance:
    """Keys that the last row sees where is_causal lines up the beginnings."""
    rows = dice.choice((4, 16, 64, 100))
    keys = rows + dice.choice((28, 100, 500))
    q, kv = (1, 8, rows, 64), (1, 8, keys, 64)
    found = {one.name: one.values for one in checks.findings(checks.Asked(checks.SDPA, q, kv, kv, causal=True))}
    return Instance(texts(rows=rows, keys=keys), found["top_left"]["seen"])


def fewer_heads(dice: Random) -> Instance:
    """A call whose K and V have fewer heads than Q, and one where they do not divide."""
    heads, ratio = dice.choice((16, 32, 64)), dice.choice((2, 4, 8))
    return Instance(texts(heads=heads, kv=heads // ratio, ratio=ratio))


def cache_of_a_token(dice: Random) -> Instance:
    """Bytes that one token adds to a model's KV cache."""
    layers, kv, d = dice.choice((24, 32, 48, 80)), dice.choice((4, 8, 32)), dice.choice((64, 128))
    less, more = (compulsory(Problem(n=1, n_kv=keys, d=d, heads=32, kv_heads=kv)).read for keys in (100, 101))
    width = Problem(n=1, d=d).storage.bytes
    return Instance(texts(layers=layers, kv=kv, d=d) | {"dtype": "fp16", "width": exact(width, "B")},
                    layers * (more - less))


def whole_model(dice: Random) -> Instance:
    """How many times as fast a model becomes when only its attention does."""
    percent, factor = dice.choice((20, 25, 40, 50)), dice.choice((2, 3, 4))
    share = percent / 100
    left = 1 - share + share / factor
    return Instance({"share": f"{percent} %", "factor": exact(factor), "left": f"{100 * left:.1f} %"}, 1 / left, 2)


def two_blocks(dice: Random) -> Instance:
    """Bytes that v2 moves with two heights of its block."""
    n, low, high = dice.choice((4096, 8192)), 64, dice.choice((128, 256))
    moved = {name: accounting.cost("flash2", Problem(n=n, d=128), Tiling(br, 64)).desk.total
             for name, br in (("more", low), ("less", high))}
    return Instance(texts(n=n, d=128, low=low, high=high) | {name: short(size, "B") for name, size in moved.items()})


def fp8_error(dice: Random) -> Instance:
    """The published error of FP8 over FP16, and what rounding the inputs does here."""
    return Instance({name: str(quantity) for name, quantity in softmax.fp8().words.items()})


NUMBERS = {one.__name__: one for one in (
    on_paper, handed_out, narrow_block, rate, idle, mixed_up, last_row, fewer_heads, cache_of_a_token, whole_model,
    two_blocks, fp8_error)}
