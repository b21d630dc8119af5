"""What one GPU can do at most, resource by resource: measured where it was measured, else from the data sheet."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

RESOURCES = ("tensor", "exp", "other", "l2", "dram")
PER_CLOCK = {"exp": 16, "half": 64, "l2": 64}
"""A clock and SM: exponentials, comparisons or conversions (CUDA C++ programming guide, arithmetic throughput, compute
capability 7 to 9); bytes from L2 (5120 B a clock on an A100, by its white paper)."""
FULL_RATE = 128                         # additions a clock and SM of compute capability 9.0, by the same guide


@dataclass(frozen=True)
class Ceiling:
    """A rate per second (of "launch": seconds), how it was found, and where it stands."""

    rate: float
    tag: str                            # "measured" or "published"
    source: str


@dataclass(frozen=True)
class Ceilings:
    """The ceilings of a GPU: FLOP/s of matrix products, operations/s of arithmetic units, bytes/s, seconds a launch."""

    gpu: str
    sms: int
    tensor: Ceiling
    exp: Ceiling                        # special function units
    half: Ceiling                       # compare, maximum, convert
    full: Ceiling                       # add, multiply, fused multiply-add
    l2: Ceiling                         # L2 -> SM
    dram: Ceiling
    launch: Ceiling

    @property
    def other(self):
        """Arithmetic beside matrix products and exponentials."""
        return self.full


def ceilings(spec):
    """The Ceilings of a GPUSpec."""
    found = {name: Ceiling(rate, "published", _sheet(name, spec)) for name, rate in _published(spec).items()}
    record = records().get(spec.key, {})
    found |= {name: Ceiling(record[key] * unit, "measured", f"{record['device']}, {record['date']}: {record['source']}")
              for name, (key, unit) in MEASURED.items() if key in record}
    if found["exp"].tag == "measured":
        found |= {name: _beside(found["exp"], name) for name in ("half", "full")}
    found.setdefault("launch", _launch())
    return Ceilings(gpu=spec.key, sms=spec.sms, **found)


MEASURED = {"tensor": ("tensor_TFLOPS", 1e12), "exp": ("exp_Tops", 1e12), "l2": ("l2_TBps", 1e12),
            "dram": ("dram_TBps", 1e12), "launch": ("launch_us", 1e-6)}


@cache
def records():
    """The tables of `ceilings.toml`, by a GPU's key."""
    return tomllib.loads(files(__package__).joinpath("ceilings.toml").read_text(encoding="utf-8"))


def _published(spec):
    clocks = {name: each * spec.sms * spec.clock_hz for name, each in PER_CLOCK.items()}
    whole = {"tensor": spec.tensor_flops_per_s, "full": spec.fp32_flops_per_s / 2, "dram": spec.memory_bytes_per_s}
    return whole | clocks                                 # a multiply-add is two FLOP and one instruction


def _sheet(name, spec):
    if name in PER_CLOCK:
        return f"{PER_CLOCK[name]} a clock and SM, {spec.sms} SMs at {spec.clock_hz / 1e6:.0f} MHz ({spec.source})"
    return spec.source


def _beside(exp, name):
    """Units that share the clock of the exponentials do so many times as much: measured for one, known for all."""
    times = {"full": FULL_RATE, **PER_CLOCK}[name] // PER_CLOCK["exp"]
    return Ceiling(times * exp.rate, exp.tag, f"{times} times the exponentials; {exp.source}")


def _launch():
    """No data sheet says what a launch costs: what it cost on an H200."""
    record = records()["h200"]
    return Ceiling(record["launch_us"] * 1e-6, "measured", f"{record['device']}, {record['date']}")
