"""What the compiler makes of the kernels for GPUs that need not be there, beside the simulator's own footprint."""

import re
from dataclasses import dataclass
from pathlib import Path

from lessons import measured
from simulator.hardware import gpus
from simulator.problem import dtype
from simulator.tiling import ROOM

SHOWN = {"flash_attention_1": "flash1", "flash_attention_2": "flash2"}
SMALL = 4096                            # bytes: barriers and scratch, less than any tile


@dataclass(frozen=True)
class Built:
    """One launch for one generation (90 is sm_90): bytes of shared memory a block; a thread's registers and spills."""

    kernel: str
    launch: str
    arch: int
    d: int
    dtype: str
    br: int
    bc: int
    warps: int
    stages: int
    shared_bytes: int
    registers: int
    spilled_bytes: int
    multiplies: str | None
    fetches: str | None

    @property
    def footprint(self):
        """The simulator's Peak for a thread block with this tile."""
        return ROOM[SHOWN[self.launch]](self.br, self.bc, self.d, dtype(self.dtype), self.stages)

    @property
    def registers_bytes(self) -> int:
        """Bytes of registers of a whole thread block."""
        return 4 * self.registers * 32 * self.warps

    @property
    def reason(self) -> str:
        """Why the compiler's shared memory is not the simulator's: "same", "q_in_hands", "barriers" or "other"."""
        more = self.shared_bytes - self.footprint.shared_bytes
        q = dtype(self.dtype).bytes * self.d * self.br
        if more == 0:
            return "same"
        if 0 < more < SMALL:
            return "barriers"
        return "q_in_hands" if 0 <= more + q < SMALL else "other"


def built(d: int, folder: Path = measured.FOLDER) -> tuple[tuple[Built, ...], dict]:
    """The launches of heads of width d that the simulator holds against an SM, and what compiled them."""
    names = Built.__dataclass_fields__
    for record, rows in measured.files("compiled", folder):
        found = tuple(Built(**{name: row[name] for name in names}) for row in rows
                      if row["d"] == d and row["launch"] in SHOWN)
        return found, {"date": record.date, **dict(record.versions)}
    return (), {}


def generation(arch: int) -> str:
    """A compute capability as the compiler calls it, with a GPU of the catalogue that has it: "sm_90 (H100 SXM)"."""
    known = [spec.name for spec in gpus().values() if spec.compute_capability == f"{arch // 10}.{arch % 10}"]
    return f"sm_{arch} ({known[0]})" if known else f"sm_{arch}"


def short(instruction: str | None) -> str:
    """The family of an instruction, as people call it: "wgmma", "mma.sync", "cp.async.bulk"; a dash for none."""
    return re.sub(r"\.(mma|mma_async|tensor|cg|ca)$", "", instruction) if instruction else "–"
