"""The catalogue of GPUs: capacities and rates as data, each entry with its source."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from .errors import UnknownName

KIB = 1024
MIB = 1024 * KIB


@dataclass(frozen=True)
class GPUSpec:
    """One GPU: sizes in bytes, rates per second, as `gpus.toml` gives them."""

    key: str
    name: str
    compute_capability: str
    memory_bytes: int                   # HBM or GDDR: the cabinet
    memory_bytes_per_s: float
    l2_bytes: int                       # the shelf in the hallway
    sms: int                            # streaming multiprocessors: workers
    shared_per_sm_bytes: int
    shared_per_block_bytes: int         # the desk top of one thread block
    registers_per_sm_bytes: int         # the hands
    tensor_flops_per_s: float           # fp16, dense, fp32 accumulation
    fp32_flops_per_s: float
    clock_hz: float
    aliases: tuple[str, ...] = ()
    uncertain: tuple[str, ...] = ()     # names of the catalogue's figures that are not confirmed
    source: str = ""
    note: str = ""

    @property
    def shared_bytes_per_s(self):
        """Shared-memory bandwidth of the whole chip: 128 B a clock and SM."""
        return 128 * self.sms * self.clock_hz


@cache
def gpus():
    """The catalogue as {key: GPUSpec}, in the order of `gpus.toml`."""
    text = files(__package__).joinpath("gpus.toml").read_text(encoding="utf-8")
    return {key: _spec(key, entry) for key, entry in tomllib.loads(text).items()}


def gpu(key):
    """The GPUSpec called `key` (or by an alias, as "a100"), for example "h200"; raises UnknownName."""
    for spec in gpus().values():
        if key == spec.key or key in spec.aliases:
            return spec
    raise UnknownName(kind="GPU", asked=key, possible=", ".join(gpus()))


def _spec(key, entry):
    return GPUSpec(
        key=key,
        name=entry["name"],
        compute_capability=entry["compute_capability"],
        memory_bytes=int(entry["memory_GB"] * 1e9),
        memory_bytes_per_s=entry["memory_TBps"] * 1e12,
        l2_bytes=entry["l2_MiB"] * MIB,
        sms=entry["sms"],
        shared_per_sm_bytes=entry["shared_per_sm_KiB"] * KIB,
        shared_per_block_bytes=entry["shared_per_block_KiB"] * KIB,
        registers_per_sm_bytes=entry["registers_per_sm_KiB"] * KIB,
        tensor_flops_per_s=entry["tensor_fp16_dense_TFLOPS"] * 1e12,
        fp32_flops_per_s=entry["fp32_TFLOPS"] * 1e12,
        clock_hz=entry["clock_MHz"] * 1e6,
        aliases=tuple(entry.get("aliases", ())),
        uncertain=tuple(entry["uncertain"]),
        source=entry["source"],
        note=entry["note"],
    )
