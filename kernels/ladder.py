"""The ladder of kernels at one size, every rung after the one before: time, rate, bytes by ruler, clock and power.

Built from the rows of a file of timings, as dicts; nothing here needs a GPU, PyTorch or Triton.
"""

from dataclasses import dataclass

from simulator.cli.tables import quantity
from simulator.errors import BadProblem

from .aligned import aligned
from .rulers import cost, counted, desk, modelled

RUNGS = ("standard", "flash_attention_1", "flash_attention_2", "flash_attention_3")
BESIDE = ("cudnn",)                     # a yardstick, whose bytes nobody here knows
APART = ("sweep", "without")            # rows with one of these are no cell of the table of sizes
SOURCES = (
    "time, rate, clock, power: measured · times: as fast as the rung before",
    "rate: 4 N² d operations a head, halved when causal, over the time",
    "paper, desk: computed · cabinet: modelled, each launch on an empty shelf as under the profiler")


@dataclass(frozen=True)
class Rung:
    """One kernel at one size; `gain` times as fast as the rung before. Bytes are read and written, over all launches.

    None where there is no such number: for a yardstick's bytes, or what was neither modelled nor counted.
    """

    kernel: str
    ms: float
    tflops: float
    gain: float | None
    paper: int | None
    desk: int | None
    cabinet: int | None                 # modelled
    l2_to_sm: int | None                # counted, as the two below
    dram: int | None
    mhz: float | None
    watts: float | None


def cells(rows):
    """The rows of whole cells: no sweep over blocks, no kernel without one of its ideas."""
    return [row for row in rows if not any(row.get(name) for name in APART)]


def cell(rows, d=128, n=4096, causal=False):
    """{kernel: row} at one size; raises BadProblem where it was not timed."""
    found = {row["kernel"]: row for row in cells(rows) if (row["d"], row["n"], row["causal"]) == (d, n, causal)}
    if not found:
        there = {name: sorted({row[name] for row in cells(rows)}) for name in ("d", "n")}
        raise BadProblem(name="d, n", asked=f"{d}, {n}", remedy="choose a size that was timed",
                         possible="; ".join(f"{name} {', '.join(map(str, values))}" for name, values in there.items()))
    return found


def rungs(rows, counters=(), d=128, n=4096, causal=False):
    """The Rungs from bottom to top, then the yardsticks; `counters` are rows of a file of counters."""
    found, climbed = cell(rows, d, n, causal), []
    for kernel in (name for name in RUNGS if name in found):
        below = climbed[-1].ms if climbed else None
        climbed.append(_rung(found[kernel], below, counters))
    return (*climbed, *(_yardstick(found[name]) for name in BESIDE if name in found))


def _rung(row, below, counters):
    shelf, seen = row.get("cabinet"), counted(row, counters)
    return Rung(**_timed(row), gain=below and below / row["ms"], paper=cost(row).paper.total,
                desk=sum(launch.total for launch in desk(row).values()),
                cabinet=shelf and shelf["read"] + shelf["write"],
                l2_to_sm=seen and seen[0].total, dram=seen and seen[1].total)


def _yardstick(row):
    return Rung(**_timed(row), **dict.fromkeys(("gain", "paper", "desk", "cabinet", "l2_to_sm", "dram")))


def _timed(row):
    return dict(kernel=row["kernel"], ms=row["ms"], tflops=row["tflops"], mhz=row.get("mhz"), watts=row.get("watts"))


def shelved(rows, spec, d=128, n=4096, causal=False):
    """The rows with what the L2 model says of the rungs at one size, where they do not say so already."""
    wanted = [row for name, row in cell(rows, d, n, causal).items() if name in RUNGS and "cabinet" not in row]
    return [row | {"cabinet": modelled(row, spec)} if row in wanted else row for row in rows]


# As text that can be projected.


def told(record, counters=(), **size):
    """The ladder as lines of at most 100 columns; `record` is a file of timings, `size` as for `rungs`."""
    row = next(iter(cell(record["rows"], **size).values()))
    climbed = rungs(record["rows"], counters, **size)
    return [_title(record, row), "", *_table(climbed), "", *SOURCES, *_beside(climbed), *_counters(climbed)]


def _title(record, row):
    mask = " · causal" if row["causal"] else ""
    return (f"The ladder · d = {row['d']} · N = {row['n']:,} · {row['batch']} × {row['heads']} heads · {row['dtype']}"
            f"{mask} · {record['device']} · {record['date']}")


def _table(climbed):
    head = (("", "time", "rate", "times", "paper", "desk", "cabinet", "clock", "power"),
            ("", "ms", "TFLOP/s", "", "computed", "computed", "modelled", "MHz", "W"))
    return aligned(head, [
        (one.kernel, f"{one.ms:.3f}", f"{one.tflops:.0f}", one.gain and f"×{one.gain:.2f}", _bytes(one.paper),
         _bytes(one.desk), _bytes(one.cabinet), _whole(one.mhz), _whole(one.watts)) for one in climbed])


def _counters(climbed):
    """What hardware counters read, beside the two rulers that say so beforehand."""
    seen = [one for one in climbed if one.l2_to_sm is not None]
    if not seen:
        return []
    head = (("counted by the GPU", "L2 ↔ SM", "÷ desk", "DRAM", "÷ cabinet"),)
    return ["", *aligned(head, [
        (one.kernel, _bytes(one.l2_to_sm), f"{one.l2_to_sm / one.desk:.4f}", _bytes(one.dram),
         one.cabinet and f"{one.dram / one.cabinet:.3f}") for one in seen])]


def _beside(climbed):
    """How the top rung stands to each yardstick."""
    rates = {one.kernel: one.tflops for one in climbed}
    top = [name for name in RUNGS if name in rates][-1:]
    return [f"{ours} reaches {rates[ours] / rates[other]:.3f} of {other}'s rate"
            for ours in top for other in BESIDE if other in rates]


def _bytes(value):
    return value and quantity(value)


def _whole(value):
    return value and f"{value:,.0f}"
