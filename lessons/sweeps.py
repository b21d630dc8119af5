"""From the simulator's closed forms to a chart: one call per algorithm, one line per ruler."""

import re
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from lessons.text import label
from lessons.views.chart import Series
from lessons.views.numbers import exact
from simulator import Problem, Tiling, accounting, bounds
from simulator.cost import Cost
from simulator.masks import UNLIMITED

DASH = {"desk": "solid", "paper": "dashed"}
MARKER = {"standard": "square", "flash1": "triangle", "flash2": "circle", "decode": "circle", "split_kv": "diamond"}
SYMBOL = {"n": "N", "n_kv": "N_k", "d": "d", "br": "B_r", "bc": "B_c", "m": "M"}


@dataclass(frozen=True)
class Sweep:
    """One size that takes several values while the rest of a problem and its blocks stay."""

    problem: Problem
    tiling: Tiling
    vary: str
    values: tuple[int, ...]

    def cost(self, algorithm: str) -> Cost:
        """The Cost of an algorithm at every value, in one call; raises BadProblem."""
        return accounting.cost(algorithm, self.problem, self.tiling, **{self.vary: np.array(self.values)})

    def floor(self) -> tuple[int, ...]:
        """Bytes of Q, K, V and O once each, at every value: what has to cross whatever is done."""
        problems = [replace(self.problem, **{self.vary: value}) if hasattr(self.problem, self.vary) else self.problem
                    for value in self.values]
        return tuple(bounds.compulsory(problem).total for problem in problems)


def spread(values, length: int) -> tuple[int, ...]:
    """A count, or counts, as plain integers, one for each of a number of values."""
    return tuple(int(value) for value in np.broadcast_to(values, length))


def lines(costs: dict[str, Cost], rulers: tuple[str, ...], length: int, lang: str) -> tuple[Series, ...]:
    """One line for each algorithm and ruler; where both rulers read the same, one line says so."""
    drawn = []
    for algorithm, cost in costs.items():
        by_ruler = {ruler: spread(getattr(cost, ruler).total, length) for ruler in rulers}
        if len(rulers) > 1 and len(set(by_ruler.values())) == 1:
            drawn.append(_line(algorithm, rulers[-1], label("chart.both", lang), by_ruler[rulers[-1]], lang, many=True))
            continue
        for ruler, values in by_ruler.items():
            drawn.append(_line(algorithm, ruler, label(f"ruler.{ruler}", lang), values, lang, many=len(rulers) > 1))
    return tuple(drawn)


def _line(algorithm, ruler, ruler_words, values, lang, many):
    name = label(f"chart.{algorithm}", lang)
    return Series(
        id=f"{algorithm}-{ruler}", values=values, role=algorithm, dash=DASH[ruler], marker=MARKER[algorithm],
        label=label("chart.by_ruler", lang, name=name, ruler=ruler_words) if many else name,
        ruler=ruler, tag="computed", note=" · ".join([*([] if many else [ruler_words]), label("tag.computed", lang)]))


def floor_line(values: tuple[int, ...], lang: str) -> Series:
    """The line of compulsory traffic."""
    return Series("floor", label("chart.floor", lang), values, "floor", "dotted", "none", tag="computed",
                  note=label("tag.computed", lang))


def configuration(problem: Problem, tiling: Tiling, lang: str, **swept: str) -> str:
    """The sizes under a chart, a swept one as its range: "N = 512 … 16,384 · d = 128 · B_r = 64 · …"."""
    sizes = {"n": problem.n, "n_kv": problem.n_kv, "d": problem.d, "br": tiling.br, "bc": tiling.bc}
    shown = {name: exact(size) for name, size in sizes.items() if size is not None} | swept
    parts = [f"{SYMBOL[name]} = {size}" for name, size in shown.items() if name in SYMBOL]
    parts.append(problem.dtype)
    if problem.causal:
        parts.append(label("chart.causal", lang))
    if problem.batch > 1:
        parts.append(label("chart.batch", lang, batch=exact(problem.batch)))
    if "heads" in swept or problem.heads > 1:
        parts.append(label("chart.heads", lang, heads=swept.get("heads", exact(problem.heads))))
    return " · ".join([*parts, *_options(problem, tiling)])


def _options(problem: Problem, tiling: Tiling) -> list[str]:
    """The less usual of what is asked, as the command line's flags have it."""
    left, right = problem.window
    return [*([f"kv-heads {problem.kv_heads}"] if problem.kv_heads else []),
            *([f"window {left} {right}"] if (left, right) != (UNLIMITED, UNLIMITED) else []),
            *(["lse"] if problem.lse else []),
            *([f"passes {','.join(problem.passes)}"] if problem.passes else []),
            *([f"splits {tiling.splits}"] if tiling.splits > 1 else []),
            *(["pack-gqa"] if tiling.pack_gqa else [])]


def ends(values: tuple[int, ...]) -> str:
    """The first and last of some values: "512 … 16,384"."""
    return exact(values[0]) if len(values) == 1 else f"{exact(values[0])} … {exact(values[-1])}"


def file_name(algorithms, problem: Problem, tiling: Tiling, **swept: str) -> str:
    """What a chart's files are called: flash2-vs-standard-n512-16384-d128-b64-fp16."""
    blocks = {"b": tiling.br} if tiling.br == tiling.bc and not {"br", "bc"} & set(swept) else {
        "br": tiling.br, "bc": tiling.bc}
    sizes = {"n": problem.n, "d": problem.d} | blocks | swept
    extras = ["causal"] if problem.causal else []
    extras += [f"h{problem.heads}"] if problem.heads > 1 and "heads" not in swept else []
    extras += [re.sub(r"[^\w]+", "-", option) for option in _options(problem, tiling)]
    parts = ["-vs-".join(algorithms), *(f"{name.replace('_', '')}{size}" for name, size in sizes.items()),
             problem.dtype, *extras]
    return "-".join(parts)


def today() -> str:
    """The date that a caption carries."""
    return date.today().isoformat()
