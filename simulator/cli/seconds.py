"""Seconds of every kernel by resource, as a plain object and as lines for a person."""

from ..accounting import cost
from ..cache import cabinet
from ..ceilings import RESOURCES
from ..roofline import time
from ..tiling import fits
from .answers import configuration
from .show import title
from .tables import quantity, table

UNITS = {"tensor": "FLOP/s", "exp": "op/s", "other": "op/s", "l2": "B/s", "dram": "B/s", "launch": "s"}


def answer(asked, with_cabinet):
    """The Time of what is asked as `time --json` prints it; with_cabinet: DRAM bytes by the L2 model."""
    shelf = cabinet(asked.algorithm, asked.problem, asked.tiling, asked.gpu) if with_cabinet else None
    found = time(asked.algorithm, asked.problem, asked.tiling, asked.gpu, shelf)
    peak = cost(asked.algorithm, asked.problem, asked.tiling).peak
    return configuration(asked) | {
        "tag": "modelled", "fits": bool(fits(peak, asked.gpu)),
        "kernels": [_kernel(one) for one in found.kernels],
        "lower_s": found.lower_s, "upper_s": found.upper_s, "flops": {"paper": found.paper_flops},
        "tflops": {bound: found.paper_flops / seconds / 1e12
                   for bound, seconds in (("lower", found.upper_s), ("upper", found.lower_s))},
        "ceilings": {name: {"rate": one.rate, "unit": UNITS[name], "tag": one.tag, "source": one.source}
                     for name, one in ((name, getattr(found.ceilings, name)) for name in UNITS)}}


def lines(asked, answer):
    """The same for a person: a row for each kernel, the bounds, the ceilings with their sources."""
    kernels = answer["kernels"]
    rows = [(one["kernel"], *(_ms(one["seconds"][name]) for name in RESOURCES), one["binds"], _ms(one["lower_s"]),
             _ms(one["upper_s"]), _rate(one["tflops"]), f"{one['thread_blocks']:,} on {one['slots']:,}", one["waves"])
            for one in kernels]
    header = ("kernel, ms", *RESOURCES, "binds", "overlapped", "one by one", "TFLOP/s", "thread blocks", "waves")
    low, high = answer["tflops"]["lower"], answer["tflops"]["upper"]
    return [f"{title(asked)} · modelled", "", *table(rows, header), "",
            f"together {_ms(answer['lower_s'])} ms with everything overlapped, {_ms(answer['upper_s'])} ms with "
            f"nothing: {_rate(high)} to {_rate(low)} TFLOP/s as papers count · modelled", "",
            *_ceilings(answer["ceilings"]), *_too_large(asked, answer["fits"])]


def _ceilings(ceilings):
    """A row for each ceiling with the number of its source, and every source once."""
    sources = list(dict.fromkeys(one["source"] for one in ceilings.values()))
    rows = [(name, quantity(one["rate"], one["unit"]) if name != "launch" else f"{one['rate'] * 1e6:.2f} µs",
             one["tag"], f"[{sources.index(one['source']) + 1}]") for name, one in ceilings.items()]
    notes = [f"[{number}] {source}" for number, source in enumerate(sources, 1)]
    return [*table(rows, ("ceiling", "", "tag", "source")), "", *notes]


def _kernel(one):
    return {"kernel": one.kernel, "seconds": dict(one.seconds), "binds": one.binds,
            "lower_s": one.lower_s, "upper_s": one.upper_s, "launch_s": one.launch_s, "flops": one.flops,
            "tflops": one.flops / one.lower_s / 1e12, "l2_bytes": one.l2_bytes, "dram_bytes": one.dram_bytes,
            "intensity": one.intensity, "thread_blocks": one.blocks, "slots": one.slots, "waves": one.waves}


def _ms(seconds):
    return f"{seconds * 1e3:.4f}"


def _rate(tflops):
    return f"{tflops:.1f}"


def _too_large(asked, fits):
    if fits:
        return []
    return ["", f"no such time: one thread block does not fit one SM of {asked.gpu.name}; choose smaller blocks"]
