"""A program of the simulator and the kernel that mirrors it, line beside line: both are read as text."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from simulator.run import program

KERNELS = Path(__file__).parents[2] / "kernels"
MIRRORS = {"standard": "standard", "flash1": "flash_attention_1", "flash2": "flash_attention_2"}


@dataclass(frozen=True)
class Line:
    """One line of a file: its number and its text without the indentation that all lines share."""

    number: int
    text: str


@dataclass(frozen=True)
class Pair:
    """Lines that do the same on both sides, or a line that only one side needs."""

    left: Line | None
    right: Line | None


# What a line does, whatever it is written in: the first of these that it matches, and what it is called.
DOINGS = (
    (r"= tl\.where\((visible)\(", "{}"),
    (r"^\w+(?:, \w+)* = (head)\(", "{}"),
    (r'with sram\.launch\("(\w+)"\)|def (\w+)_kernel\(', "launch {}"),
    (r"for (\w) in .*(?:grid|loop|range)", "for {}"),
    (r"(\w), (?:b|j)\b.* = (?:row_block|tile)", "for {}"),
    (r"(?:^|\W)(?:store\w*|sram\.store)\((\w)\b", "store {}"),
    (r"tl\.store\((\w)\b", "store {}"),
    (r"^(\w+?)(?:_i|_ij|_j)?(?:\[:\])?(?:, \w+)* = ", "{}"),
)


@cache
def twins(algorithm: str) -> tuple[Pair, ...]:
    """The simulator's program and its kernel, launch by launch, aligned by what every line does."""
    left, right = _launches(_simulated(algorithm)), _launches(_kernel(algorithm))
    return tuple(pair for name, lines in left.items() for pair in _aligned(lines, right.get(name, [])))


def _launches(lines):
    """{launch: its lines}, what stands before the first under ""."""
    found, name = {}, ""
    for line in lines:
        said = doing(line.text) or ""
        name = said if said.startswith("launch") else name
        found.setdefault(name, []).append(line)
    return found


def _aligned(left, right):
    matcher = SequenceMatcher(None, [doing(line.text) or f"left {k}" for k, line in enumerate(left)],
                              [doing(line.text) or f"right {k}" for k, line in enumerate(right)], autojunk=False)
    return [pair for tag, *ends in matcher.get_opcodes() for pair in _pairs(tag, left, right, *ends)]


def doing(text: str) -> str | None:
    """What a line does, in a few words that are the same on both sides; None for what only one side would say."""
    code = text.split("#")[0].strip()
    for pattern, words in DOINGS:
        found = re.search(pattern, code)
        if found:
            return words.format(next(filter(None, found.groups())))
    return None


def _pairs(tag, left, right, i1, i2, j1, j2):
    if tag == "equal":
        return [Pair(*both) for both in zip(left[i1:i2], right[j1:j2], strict=True)]
    return [*(Pair(line, None) for line in left[i1:i2]), *(Pair(None, line) for line in right[j1:j2])]


def _simulated(algorithm):
    text = program(algorithm)
    lines = text.source.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith(f"def {text.name}("))
    return _function(lines, start)


def _kernel(algorithm):
    """Every function of the kernel's file that runs on the GPU, in order."""
    lines = (KERNELS / f"{MIRRORS[algorithm]}.py").read_text(encoding="utf-8").splitlines()
    starts = [k + 1 for k, line in enumerate(lines) if line.startswith("@triton.jit") and "_kernel(" in lines[k + 1]]
    return [line for start in starts for line in _function(lines, start)]


def _function(lines, start):
    """The signature's first line and the body of the function at a line, without its documentation."""
    outside = (k for k in range(start + 1, len(lines)) if lines[k] and not lines[k].startswith((" ", ")")))
    end = next(outside, len(lines))
    quotes = [k for k in range(start, end) if '"""' in lines[k]]
    first = quotes[0 if lines[quotes[0]].count('"""') == 2 else 1] + 1 if quotes else start + 1
    body = [Line(k + 1, re.sub(r"(?<=\S) {2,}#", "  #", lines[k])) for k in range(first, end) if lines[k].strip()]
    return [Line(start + 1, lines[start]), *body]
