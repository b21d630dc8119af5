"""The compiler lets a reader's products run by themselves: it never waits for each one before it starts the next."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

CASES = [(64, 4096, True, (-1, -1)), (128, 1000, False, (300, 3))]     # d, N, causal, window
SAY = """
import subprocess, sys, tempfile
from triton.backends.nvidia.compiler import get_ptxas
from kernels import flash_attention_3 as kernel
from kernels.compiled import Sketch, compiled
from kernels.launch import Case, StorageType
for d, n, causal, window in {cases}:
    x = Sketch((1, 4, n, d), StorageType("bf16"))
    case = Case.of(x, x, x, causal, window, lse=True)
    made = compiled(kernel.launches(case, x, x, x, kernel.default_blocks(case), **kernel.results(case, x))[0], 90)
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(made.ptx)
        file.flush()
        said = subprocess.run([get_ptxas(90).path, "-v", "-arch=sm_90a", file.name, "-o", "/dev/null"],
                              capture_output=True, text=True).stderr
    print(d, n, causal, "registers" in said, "serialized" in said)
"""


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("triton"), reason=f"Triton has no package for {sys.platform}")
def test_the_third_versions_products_are_not_serialised():
    """ptxas says C7510 to C7514 where it serialises; the kernel then runs at two thirds of its rate."""
    said = subprocess.run([sys.executable, "-c", SAY.format(cases=CASES)], capture_output=True, text=True)
    assert said.stdout.splitlines() == [f"{d} {n} {causal} True False" for d, n, causal, *_ in CASES], said.stderr
