"""The four bills of the page as charts: over the text N, the piece B_r, the folder d and the desk M."""

from dataclasses import dataclass, replace

import numpy as np

from lessons import sweeps
from lessons.settings import Settings
from lessons.sweeps import Sweep
from lessons.text import label
from lessons.views.chart import Axis, Chart, Mark, Series
from lessons.views.numbers import tick_text
from simulator import accounting, bounds, gpu, tiling
from simulator.cost import Cost

LENGTHS = tuple(2**k for k in range(9, 15))             # N: 512 to 16,384
PIECES = tuple(2**k for k in range(4, 10))              # B_r: 16 to 512
WIDTHS = tuple(2**k for k in range(4, 9))               # d: 16 to 256
DESKS = tuple(2**k for k in range(17, 24))              # M: 128 KiB to 8 MiB
BESIDE = 64                                             # B_c while the desk grows and B_r follows it
RULERS = {"desk": ("desk",), "paper": ("paper",), "both": ("paper", "desk")}
ALL, TWO = ("standard", "flash1", "flash2"), ("standard", "flash2")


@dataclass(frozen=True)
class Bill:
    """A chart, the costs that its answers quote, {algorithm: Cost at every x}, and the ruler they quote."""

    chart: Chart
    costs: dict[str, Cost]
    ruler: str

    def total(self, algorithm: str, ruler: str) -> tuple[int, ...]:
        """Bytes that an algorithm moves on a ruler, at every x."""
        return sweeps.spread(getattr(self.costs[algorithm], ruler).total, len(self.chart.xs))


def bill(settings: Settings, lang: str, link: str) -> Bill:
    """The bill that the scene asks for: settings.vary is n, br, d or m."""
    over = {"n": over_lengths, "br": over_pieces, "d": over_widths, "m": over_desks}[settings.vary]
    return over(Draft(settings, lang, link))


def over_lengths(draft: "Draft") -> Bill:
    """Three ways of working, the lower bound and the floor over the length of the text."""
    sweep = Sweep(draft.settings.problem(), draft.settings.tiling(), "n", LENGTHS)
    costs = {name: sweep.cost(name) for name in ALL}
    below = *draft.bound(n=np.array(LENGTHS)), sweeps.floor_line(sweep.floor(), draft.lang)
    return draft.bill(sweep, costs, RULERS[draft.settings.ruler], below)


def over_widths(draft: "Draft") -> Bill:
    """Three ways of working and the lower bound over the width of a head."""
    sweep = Sweep(draft.settings.problem(), draft.settings.tiling(), "d", WIDTHS)
    costs = {name: sweep.cost(name) for name in ALL}
    return draft.bill(sweep, costs, RULERS[draft.settings.ruler], draft.bound(d=np.array(WIDTHS)))


def over_pieces(draft: "Draft") -> Bill:
    """v2's bill by what it carries, beside both ways' totals, over the rows of Q in a piece."""
    sweep = Sweep(draft.settings.problem(), draft.settings.tiling(), "br", PIECES)
    costs = {name: sweep.cost(name) for name in TWO}
    parts = [draft.part(costs["flash2"], name, marker, len(PIECES))
             for name, marker in (("kv", "diamond"), ("oq", "square"))]
    spec, most = gpu(draft.settings.gpu), largest_piece(costs["flash2"], draft.settings)
    marks = (Mark("x", most, draft.say("count.largest", gpu=spec.name)),) if most else ()
    return draft.bill(sweep, costs, RULERS["both"], parts, marks)


def over_desks(draft: "Draft") -> Bill:
    """Standard attention, v2 and the lower bound over the size of one worker's desk; the pieces follow it."""
    settings = draft.settings
    problem, blocks = settings.problem(), replace(settings.tiling(), bc=BESIDE)
    rows = {name: following_pieces(name, settings) for name in TWO}
    costs = {name: accounting.cost(name, problem, blocks, br=np.maximum(rows[name], 1)) for name in TWO}
    spec = gpu(settings.gpu)
    made = draft.bill(Sweep(problem, blocks, "m", DESKS), costs, RULERS["both"],
                      draft.bound(capacity=np.array(DESKS)), (Mark("x", desk_bytes(spec), spec.name),),
                      {"br": (draft.say("count.largest_piece"), "fit")})
    return replace(made, chart=replace(made.chart, series=tuple(
        _only(line, rows[line.role] > 0) if line.role in rows else line for line in made.chart.series)))


def desk_bytes(spec) -> int:
    """Both areas of one worker's desk: the shared memory of a block and the registers of an SM."""
    return spec.shared_per_block_bytes + spec.registers_per_sm_bytes


def largest_piece(cost: Cost, settings: Settings) -> int | None:
    """The largest B_r of PIECES that fits one SM, or None where none does."""
    fitting = np.broadcast_to(tiling.fits(cost.peak, gpu(settings.gpu)), len(PIECES))
    return max((piece for piece, fits in zip(PIECES, fitting, strict=True) if fits), default=None)


def following_pieces(algorithm: str, settings: Settings) -> np.ndarray:
    """For every desk the largest power-of-two B_r up to N that fits beside B_c = BESIDE, 0 where none does.

    Both areas of the desk grow in the proportion that they have on the GPU.
    """
    spec, sizes = gpu(settings.gpu), 2 ** np.arange(settings.n.bit_length())
    times = np.array(DESKS)[:, None] / desk_bytes(spec)
    grown = replace(spec, shared_per_block_bytes=spec.shared_per_block_bytes * times,
                    registers_per_sm_bytes=spec.registers_per_sm_bytes * times)
    blocks = replace(settings.tiling(), bc=BESIDE)
    peak = accounting.cost(algorithm, settings.problem(), blocks, br=sizes).peak
    return (sizes * tiling.fits(peak, grown)).max(axis=1)


def _only(line: Series, there) -> Series:
    return replace(line, values=tuple(value if known else None
                                      for value, known in zip(line.values, there, strict=True)))


@dataclass(frozen=True)
class Draft:
    """What makes a chart of numbers: the scene, the reader's language and the scene's link."""

    settings: Settings
    lang: str
    link: str

    def say(self, key: str, **values) -> str:
        """A label in the reader's language."""
        return label(key, self.lang, **values)

    def bill(self, sweep: Sweep, costs: dict, rulers: tuple, more=(), marks=(), follows=None) -> Bill:
        """The chart of a sweep: the algorithms' lines first, then more of them.

        follows names sizes that change along with the swept one: {size: (words, letters of the file name)}.
        """
        vary, first, last = sweep.vary, sweep.values[0], sweep.values[-1]
        plain, unit = self.settings.axes == "plain" and vary == "n", "B" if vary == "m" else ""
        named = " + ".join(self.say(f"ruler.{ruler}") for ruler in rulers)
        range_words = " … ".join(tick_text(value, unit, binary=True) for value in (first, last))
        changing = (follows or {}) | {vary: (range_words, f"{first}-{last}")}
        words, letters = ({name: pair[k] for name, pair in changing.items()} for k in (0, 1))
        return Bill(costs=costs, ruler=rulers[-1], chart=Chart(
            title=self.say(f"count.title_{vary}"),
            x=Axis(self.say(f"field.{vary}"), unit, "linear" if plain else "log2"),
            y=Axis(f"{self.say('chart.bytes')} · {named}", "B", "linear" if plain else "log10"),
            xs=sweep.values,
            series=(*sweeps.lines(costs, rulers, len(sweep.values), self.lang), *more),
            marks=tuple(marks),
            caption=(sweeps.configuration(sweep.problem, sweep.tiling, self.lang, **words),
                     named, self.say("tag.computed"), sweeps.today()),
            link=self.link, lang=self.lang, file=sweeps.file_name(costs, sweep.problem, sweep.tiling, **letters)))

    def bound(self, **varied) -> tuple[Series, ...]:
        """The lower bound's line, none under a mask; n, d or capacity (bytes of the desk) varies."""
        if self.settings.causal:                        # the bound counts every cell of the table
            return ()
        problem = self.settings.problem()
        width = problem.storage.bytes
        sizes = {"n": problem.n, "d": problem.d, "capacity": desk_bytes(gpu(self.settings.gpu))} | varied
        elements = bounds.io_lower_bound(sizes["n"], sizes["n"], sizes["d"], sizes["capacity"] // width)
        return (Series("bound", self.say("chart.bound"), sweeps.spread(width * elements, np.size(elements)), "floor",
                       "dashdot", "none", tag="computed",
                       note=f"{self.say('chart.derived')} · {self.say('tag.computed')}"),)

    def part(self, cost: Cost, name: str, marker: str, length: int) -> Series:
        """What v2 carries of some tensors ("kv": K and V), in the first one's colour, on the desk ruler."""
        tensors = name.upper()
        values = sum(cost.desk.by_tensor[tensor].total for tensor in tensors)
        note = f"{self.say('ruler.desk')} · {self.say('tag.computed')}"
        return Series(f"flash2-{name}", self.say(f"count.{name}"), sweeps.spread(values, length), tensors[0],
                      "dotted", marker, ruler="desk", tag="computed", note=note)
