"""Kernel by kernel: seconds of every resource, what binds, and what a stopwatch said of the same launch."""

from lessons import measured
from lessons.beyond import facts
from lessons.views.table import table
from simulator import gpu
from simulator.ceilings import RESOURCES
from simulator.problem import dtype

COLUMNS = ("kernel", *RESOURCES, "binds", "bounds", "measured", "per_byte")


def rows(view) -> str:
    """Both ways' kernels as a table, the standard way's first."""
    lines = [_row(view, way, one) for way in facts.WAYS for one in _timed(view, way).kernels]
    caption = view.label("beyond.caption.kernels", gpu=gpu(view.settings.gpu).name,
                         badges=view.badges("", "modelled"), seen=view.label("tag.measured"))
    return table([view.label(f"beyond.column.{name}") for name in COLUMNS], lines, caption)


def _timed(view, way):
    return facts.timed(way, view.settings.problem(), view.settings.tiling(), view.settings.gpu)


def _row(view, way, one):
    seen = launch_ms(view.settings, one.kernel)
    name = view.label(f"beyond.way.{way}")
    return (f"{name} · {one.kernel}" if way == "standard" else name,
            *(_ms(one.seconds[name]) for name in RESOURCES), view.label(f"beyond.binds.{one.binds}"),
            f"{_ms(one.lower_s)} … {_ms(one.upper_s)}", "–" if seen is None else f"{seen:.3f}",
            view.number(round(one.intensity)))


def launch_ms(settings, kernel) -> float | None:
    """Milliseconds of this launch under a profiler, where the same was counted on the same GPU."""
    p, t = settings.problem(), settings.tiling()
    for record, found in measured.files("counters"):
        for row in found if record.gpu == settings.gpu else ():
            if _alike(row, kernel, p, t) and row.get("ms"):
                return row["ms"]
    return None


def _alike(row, kernel, p, t):
    sizes = (row["n"], row["n_kv"], row["d"], row["batch"] * row["heads"], row["causal"])
    blocks = kernel == "softmax" or (row["br"], row["bc"]) == (t.br, t.bc)
    return (row["kernel"] == kernel and blocks and sizes == (p.n, p.n_k, p.d, p.batch * p.heads, p.causal)
            and dtype(row["dtype"]).bytes == p.storage.bytes)


def _ms(seconds):
    return f"{1e3 * seconds:.3f}"
