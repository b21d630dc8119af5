"""The model beside the stopwatch: one kernel over N, PyTorch's backends beside it, and every miss with its reason."""

from lessons.beyond import facts, forecast
from lessons.gpu import speed
from lessons.measured import benches
from lessons.settings import Settings
from lessons.text import label
from lessons.views.chart import Axis, Chart, Series
from lessons.views.table import table
from simulator.designs import designs

KERNELS = ("flash_attention_2", "flash_attention_2_tma", "flash_attention_3", "standard", "flash_attention_1",
           "plain_triton_pointers", "plain_triton_tma")
BESIDE = ("cudnn", "flash")             # timed, not predicted
LOOKS = {"plain_triton_pointers": ("K", "solid", "circle"), "plain_triton_tma": ("P", "solid", "diamond")}


def chart(settings: Settings, lang: str, link: str) -> Chart:
    """TFLOP/s over N at one width and mask: a kernel measured and modelled, PyTorch's backends measured."""
    d = facts.narrowed(settings.problem()).d
    found = {one.problem.n: one.tflops for one in forecast.cells()
             if (one.kernel, one.problem.d, one.problem.causal) == (settings.kernel, d, settings.causal)}
    xs, bench = tuple(sorted(found)), benches()[0]
    role, _, marker = LOOKS.get(settings.kernel) or speed.LOOKS[settings.kernel]
    ours = speed.name(settings.kernel, lang)
    seen, modelled = (label(f"tag.{tag}", lang) for tag in ("measured", "modelled"))
    series = (Series("measured", f"{ours} · {seen}", tuple(found[n][0] for n in xs), role, "solid", marker, "",
                     "measured", seen),
              Series("modelled", f"{ours} · {modelled}", tuple(found[n][1] for n in xs), role, "dashed", "none", "",
                     "modelled", modelled),
              *(_beside(bench, name, d, settings.causal, xs, lang) for name in BESIDE))
    return Chart(title=label("beyond.clock_title", lang), x=Axis(label("field.n", lang), "", "log2"),
                 y=Axis(label("gpu.tflops", lang), ""), xs=xs, series=series,
                 caption=(_configuration(settings, d, lang), bench.record.origin(label("gpu.undated", lang)),
                          f"{seen} · {modelled}"),
                 link=link, lang=lang,
                 file=f"beyond-model-{settings.kernel}-d{d}{'-causal' if settings.causal else ''}")


def _beside(bench, name, d, causal, xs, lang):
    found = {one.problem.n: one.tflops for one in bench.timings
             if (one.kernel, one.problem.d, one.problem.causal, one.sweep) == (name, d, causal, False)}
    role, _, marker = speed.LOOKS[name]
    return Series(name, speed.name(name, lang), tuple(found.get(n) for n in xs), role, "dotted", marker, "", "measured",
                  label("tag.measured", lang))


def _configuration(settings, d, lang):
    cell = next(one for one in benches()[0].timings if one.problem.d == d and one.problem.causal == settings.causal)
    return speed.cell(cell, lang)


def tally(view) -> str:
    """For every kernel how many cells are within 15 %, as a table."""
    found = forecast.cells()
    lines = []
    for kernel in (name for name in KERNELS if name in designs()):
        mine = [one for one in found if one.kernel == kernel]
        hits, of = forecast.share(mine)
        ratios = [one.ratio for one in mine]
        lines.append((speed.name(kernel, view.lang), f"{hits} / {of}", f"×{min(ratios):.2f} … ×{max(ratios):.2f}"))
    columns = [view.label(f"beyond.column.{name}") for name in ("design", "within", "ratio")]
    return table(columns, lines, view.label("beyond.caption.tally"))


def misses(view) -> str:
    """Every cell outside 15 %, with the reason."""
    lines = [(speed.name(one.kernel, view.lang), view.number(one.problem.n), view.number(one.problem.d),
              view.label("beyond.causal" if one.problem.causal else "beyond.unmasked"), f"{one.measured_ms:.3f}",
              f"{one.modelled_ms:.3f}", f"×{one.ratio:.2f}", view.label(f"beyond.reason.{one.reason}"))
             for one in sorted(forecast.cells(), key=lambda one: KERNELS.index(one.kernel)) if not one.hit]
    columns = [view.label(f"beyond.column.{name}")
               for name in ("design", "n", "d", "mask", "seen", "model", "ratio", "reason")]
    return table(columns, lines, view.label("beyond.caption.misses"))
