"""Kernels compiled for a GPU that need not be there: shared memory, registers, spills, PTX and TTGIR.

Triton keeps what it compiled in its own cache on disk. Does not work in a process where
TRITON_INTERPRET is set.
"""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from .errors import NoDevice
from .launch import StorageType


@dataclass(frozen=True)
class Compiled:
    """One launch as machine code: bytes of shared memory a block, registers a thread, spilled bytes a thread."""

    name: str
    arch: int
    shared_bytes: int
    registers: int
    spilled_bytes: int
    ptx: str
    ttgir: str


@dataclass(frozen=True)
class Sketch:
    """A tensor that is nowhere: enough of one to compile for, contiguous and aligned."""

    shape: tuple[int, ...]
    dtype: StorageType

    def stride(self):
        """Strides in elements."""
        steps = [1]
        for size in reversed(self.shape[1:]):
            steps.insert(0, steps[0] * size)
        return tuple(steps)

    def new_empty(self, shape, dtype=None):
        """Another one."""
        return Sketch(tuple(shape), StorageType(dtype or self.dtype))

    def data_ptr(self):
        """An aligned address."""
        return 0


def compiled(launch, arch):
    """The Compiled of a Launch for compute capability `arch` (90 for sm_90)."""
    refuse_without_compiler()
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.experimental.gluon._runtime import GluonASTSource

    signature, constants, attributes = {}, {(name,): value for name, value in launch.constants.items()}, {}
    for at, name in enumerate(launch.kernel.arg_names):
        if name in launch.constants:
            signature[name] = "constexpr"
        elif launch.kernel.params[at].do_not_specialize:
            signature[name] = "i32"
        else:
            signature[name] = _kind(launch.args[name], (at,), constants, attributes)
    constants = {tuple(launch.kernel.arg_names.index(k) if isinstance(k, str) else k for k in path): value
                 for path, value in constants.items()}
    kind = GluonASTSource if launch.kernel.is_gluon() else ASTSource
    source = kind(launch.kernel, signature, constants, attributes)
    options = dict(num_warps=launch.warps, num_stages=launch.stages, enable_fp_fusion=True)
    binary = triton.compile(source, target=GPUTarget("cuda", arch, 32), options=options)
    registers, spilled = _resources(binary.asm["cubin"])
    return Compiled(launch.name, arch, binary.metadata.shared, registers, spilled,
                    binary.asm["ptx"], binary.asm["ttgir"])


def refuse_without_compiler():
    """Raise NoDevice where Triton's compiler cannot run."""
    found = None if find_spec("triton") else "Triton is not installed"
    found = found or ("TRITON_INTERPRET is set" if os.environ.get("TRITON_INTERPRET") == "1" else None)
    if found:
        raise NoDevice(asked="compile", possible="Triton's compiler, on Linux", found=found,
                       remedy="kernels/measurements/triton-compiled.json holds what it made")


def _kind(value, path, constants, attributes):
    """Triton's name of an argument's type; notes what is known of its value when compiling."""
    if isinstance(value, tuple):
        return tuple(_kind(part, (*path, at), constants, attributes) for at, part in enumerate(value))
    if value is None or (value == 1 and isinstance(value, int)):
        constants[path] = value
        return "constexpr"
    if isinstance(value, float):
        return "fp32"
    if isinstance(value, int):
        if value % 16 == 0:
            attributes[path] = [["tt.divisibility", 16]]
        return "i32" if -2**31 <= value < 2**31 else "i64"
    if hasattr(value, "block_shape"):
        layout = f",{value.layout!r}" if hasattr(value, "layout") else ""
        return f"tensordesc<{value.base.dtype}[{', '.join(map(str, value.block_shape))}]{layout}>"
    attributes[path] = [["tt.divisibility", 16]]
    return f"*{value.dtype}"


def _resources(cubin):
    """(registers, spilled bytes) of a kernel's machine code, by the cuobjdump in Triton's package."""
    from triton import knobs

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "kernel.cubin")
        file.write_bytes(cubin)
        said = subprocess.run([knobs.nvidia.cuobjdump.path, "-res-usage", file],
                              capture_output=True, text=True, check=True)
    found = re.search(r"REG:(\d+) STACK:(\d+)", said.stdout)
    return int(found[1]), int(found[2])
