"""A kernel as the installed compiler writes it for one generation: Triton's own intermediate text, or PTX."""

import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).parents[2]
FORMS = ("ttgir", "ptx")
ARCHS = ("80", "90", "100", "120")
PATIENCE_S = 120
# What an instruction does, and how it is written in either text; the first that matches counts.
DOINGS = (
    ("multiply", r"wgmma\.mma_async|mma\.sync|tcgen05\.mma|ttng\.warp_group_dot\b(?!_)|ttng\.tc_gen5_mma|tt\.dot\b"),
    ("fetch", r"cp\.async\.bulk\.tensor\.[^ ]*shared::\w+\.global|cp\.async\.c[ag]|ld\.global"
              r"|ttg\.async_copy_global_to_local|ttng\.async_tma_copy_global_to_local|tt\.load\b"),
    ("file", r"cp\.async\.bulk\.tensor\.[^ ]*global\.shared|st\.global"
             r"|ttng\.async_tma_copy_local_to_global|tt\.store\b"),
    ("reach", r"ldmatrix|stmatrix|ld\.shared|st\.shared|tcgen05\.ld|tcgen05\.st|ttg\.local_(?:load|store|alloc)"
              r"|ttng\.tmem_(?:load|store|alloc)"),
    ("exp", r"ex2\.approx|math\.exp2?\b"),
    ("divide", r"div\.full|div\.rn|rcp\.approx|arith\.divf"),
)
COMMENT = re.compile(r"//.*")


def possible() -> bool:
    """Whether a compiler is installed that needs no GPU; imports nothing."""
    return find_spec("triton") is not None


@st.cache_data(max_entries=64, show_spinner=False)
def listing(kernel: str, d: int, arch: str, form: str) -> str:
    """The text of a kernel's launches, one after the other; "" where the compiler gives none."""
    asked = [sys.executable, "-m", "kernels", "compile", "--show", form, "--kernel", kernel, "--d", str(d),
             "--arch", arch]
    try:
        said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return ""
    return said.stdout if said.returncode == 0 else ""


def tally(listing: str) -> list[tuple[str, str, int]]:
    """(what it does, its family of instructions, how often it is written) in the order of DOINGS, the often first."""
    text = COMMENT.sub("", listing)
    return [(doing, family, times) for doing, pattern in DOINGS
            for family, times in Counter(map(short, re.findall(pattern, text))).most_common()]


def short(instruction: str) -> str:
    """An instruction without the details of its addressing: "cp.async.bulk.tensor"."""
    return re.sub(r"(cp\.async\.bulk\.tensor).*", r"\1", instruction)
