"""Questions with numbers on the way back and on the three versions, worked out by the simulator."""

from random import Random

from lessons.quiz.instances import Instance, texts
from lessons.views.numbers import exact
from simulator import Problem, Tiling, accounting, gpu
from simulator.roofline import thread_blocks


def waiting_bytes(dice: Random) -> Instance:
    """Bytes of P that wait for the backward pass."""
    problem = Problem(n=dice.choice((512, 1024, 2048, 4096, 8192)), d=64, dtype=dice.choice(("fp16", "fp32")))
    table, rows = (accounting.kept(way, problem, Tiling(64, 64)) for way in ("standard_backward", "flash2_backward"))
    values = {"dtype": problem.dtype, "width": exact(problem.storage.table.bytes, "B"), "rows": exact(rows["L"], "B")}
    return Instance(texts(n=problem.n) | values, table["P"])


def backward_tables(dice: Random) -> Instance:
    """Bytes of whole tables that the standard backward pass carries."""
    problem = Problem(n=dice.choice((64, 128, 256, 512, 1024)), d=64, dtype=dice.choice(("fp16", "fp32")))
    used = accounting.cost("standard_backward", problem, Tiling(32, 32)).desk.by_tensor
    answer, width = sum(used[name].total for name in ("P", "dP", "dS")), problem.storage.table.bytes
    return Instance(texts(n=problem.n, cells=problem.n**2, passes=answer // (width * problem.n**2))
                    | {"width": exact(width, "B")}, answer)


def output_written(dice: Random) -> Instance:
    """Bytes of O that v1 files, against v2's."""
    br, t_c = dice.choice((32, 64, 128)), dice.randint(4, 16)
    problem, tiling = Problem(n=br * t_c, d=64), Tiling(br, br)
    v1, v2 = (accounting.cost(way, problem, tiling).desk.by_tensor["O"].write for way in ("flash1", "flash2"))
    return Instance(texts(n=problem.n, d=problem.d, bc=br, t_c=t_c, times=v1 // v2) | {"once": exact(v2, "B")}, v1)


def busy_workers(dice: Random) -> Instance:
    """SMs with work in v1, and how many thread blocks v2 deals out."""
    spec, heads, batch = gpu(dice.choice(("h200", "a100-40"))), dice.choice((4, 8, 12, 16)), dice.choice((1, 2, 3, 4))
    problem, tiling = Problem(n=4096, d=64, heads=heads, batch=batch), Tiling(128, 128)
    v1, v2 = (thread_blocks(kernel, problem, tiling) for kernel in ("flash_attention_1", "flash_attention_2"))
    return Instance(texts(heads=heads, batch=batch, sms=spec.sms, n=problem.n, br=tiling.br, blocks=v2)
                    | {"gpu": spec.name}, min(v1, spec.sms))


NUMBERS = {one.__name__: one for one in (waiting_bytes, backward_tables, output_written, busy_workers)}
