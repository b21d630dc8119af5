"""Times and rates of kernels against N, beside PyTorch's backends, and over block shapes: from a Bench to pictures."""

from itertools import groupby

from lessons.measured import Bench, Timing
from lessons.text import label, label_or
from lessons.views.chart import Axis, Chart, Series
from lessons.views.lengths import Group, Length, Part, lengths
from lessons.views.numbers import exact

# Colour, dash and marker by kernel: ours solid, PyTorch's dashed.
LOOKS = {
    "standard": ("standard", "solid", "square"), "flash_attention_1": ("flash1", "solid", "triangle"),
    "flash_attention_2": ("flash2", "solid", "circle"), "flash_attention_2_tma": ("O", "solid", "diamond"),
    "flash_attention_3": ("V", "solid", "square"), "cudnn": ("Q", "dashed", "circle"),
    "flash": ("K", "dashed", "triangle"), "efficient": ("P", "dashed", "diamond"), "math": ("Z", "dashed", "square"),
}
OURS = tuple(LOOKS)[:5]
MEASURES = {"tflops": ("", "linear"), "ms": ("", "log10")}


def chart(bench: Bench, d: int, causal: bool, measure: str, lang: str, link: str) -> Chart:
    """Every kernel over N at one width and mask; `measure` is "tflops" or "ms"."""
    cells = [one for one in bench.timings if not one.sweep and (one.problem.d, one.problem.causal) == (d, causal)]
    lengths_n = tuple(sorted({one.problem.n for one in cells}))
    kernels = sorted({one.kernel for one in cells}, key=_order)
    series = tuple(_line(kernel, cells, lengths_n, measure, lang) for kernel in kernels)
    unit, scale = MEASURES[measure]
    return Chart(title=label("gpu.chart_title", lang), x=Axis(label("field.n", lang), "", "log2"),
                 y=Axis(label(f"gpu.{measure}", lang), unit, scale), xs=lengths_n, series=series,
                 caption=(cell(cells[0], lang), bench.record.origin(label("gpu.undated", lang)),
                          label("tag.measured", lang)),
                 link=link, lang=lang, file=f"gpu-{bench.record.gpu}-{measure}-d{d}{'-causal' if causal else ''}")


def cell(timing: Timing, lang: str) -> str:
    """What stays the same along a line: tokens, hidden size, width, type, mask."""
    p = timing.problem
    sizes = {"tokens": exact(p.batch * p.n), "hidden": exact(p.heads * p.d), "d": exact(p.d)}
    words = label("gpu.cell", lang, dtype=p.dtype, **sizes)
    return f"{words} · {label('chart.causal', lang)}" if p.causal else words


def _line(kernel, cells, xs, measure, lang):
    found = {one.problem.n: getattr(one, measure) for one in cells if one.kernel == kernel}
    look = LOOKS.get(kernel, ("card", "dotted", "circle"))
    return Series(kernel, name(kernel, lang), tuple(found.get(n) for n in xs), *look, tag="measured",
                  note=label("tag.measured", lang))


def _order(kernel):
    return tuple(LOOKS).index(kernel) if kernel in LOOKS else len(LOOKS)


def name(kernel: str, lang: str) -> str:
    """A kernel's name for a reader."""
    return label_or(f"gpu.kernels.{kernel}", lang, kernel)


# Block shapes.


def shapes(bench: Bench, kernel: str, d: int) -> dict:
    """{(B_r, B_c): its fastest Timing over warps and stages} of a kernel's sweep, by size."""
    swept = [one for one in bench.timings if one.sweep and one.kernel == kernel and one.problem.d == d]
    by_shape = groupby(sorted(swept, key=_shape), _shape)
    return {shape: max(timings, key=lambda one: one.tflops) for shape, timings in by_shape}


def _shape(timing):
    return timing.tiling.br, timing.tiling.bc


def pair(found: dict) -> tuple[tuple[int, int], tuple[int, int]]:
    """The fastest shape and the largest other one."""
    fastest = max(found, key=lambda shape: found[shape].tflops)
    return fastest, max((shape for shape in found if shape != fastest), key=lambda shape: shape[0] * shape[1])


def bars(bench: Bench, kernels, d: int, lang: str) -> str:
    """The sweep as bars on one scale from nothing, a group for each kernel, as HTML."""
    groups = [Group(name(kernel, lang), label("tag.measured", lang), label("gpu.sweep_meaning", lang),
                    tuple(_bar(shape, one, kernel, lang) for shape, one in shapes(bench, kernel, d).items()))
              for kernel in kernels if shapes(bench, kernel, d)]
    return lengths(groups, caption=bench.record.origin(label("gpu.undated", lang)))


def _bar(shape, timing, kernel, lang):
    br, bc = shape
    words = label("gpu.shape_of", lang, br=br, bc=bc, warps=timing.warps, stages=timing.tiling.stages)
    return Length(words, LOOKS.get(kernel, ("card",))[0], (Part("read", timing.tflops),),
                  label("gpu.rate", lang, rate=f"{timing.tflops:.0f}"))
