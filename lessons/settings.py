"""The scene's state: Settings, read from a URL's query and written back to it.

A page declares the fields it uses and of which kind each is; a kind knows its default, its range and
how a text becomes the nearest sensible value. What could not be taken as written comes back as a Note,
whose label and numbers a page puts into the reader's language.
"""

import re
from dataclasses import dataclass, field, fields, replace

from lessons.text import Several
from simulator.hardware import gpus
from simulator.problem import PASSES, Problem, Tiling

ALGORITHMS = ("standard", "flash1", "flash2")
DTYPES = ("fp32", "fp16", "bf16", "fp8")


@dataclass(frozen=True)
class Settings:
    """What one scene asks: fields named as the command line's flags. None follows n, heads or br."""

    n: int = 8
    n_kv: int | None = None
    d: int = 8
    br: int = 4
    bc: int | None = None
    batch: int = 1
    heads: int = 1
    kv_heads: int | None = None
    dtype: str = "fp16"
    causal: bool = False
    window: tuple[int, int] = (-1, -1)
    lse: bool = False
    stages: int = 1
    gpu: str = "h200"
    algorithm: str = "flash2"
    passes: tuple[str, ...] = ()
    seed: int = 0
    step: int = 0
    vary: str = "n"
    ruler: str = "desk"
    axes: str = "log"
    scores: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    piece: int = 1
    push: int = 0
    subtract: bool = False
    merges: tuple[tuple[int, int], ...] = ()
    workers: int = 1
    shelf: int = 24
    measure: str = "tflops"
    shows: str = "none"
    arch: str = "90"
    layers: int = 1
    scene: str = ""
    pads: int = 2
    alike: bool = False
    term: str = ""
    lesson: str = ""
    call: str = "sdpa"
    q: tuple[int, ...] = ()
    k: tuple[int, ...] = ()
    v: tuple[int, ...] = ()
    claim: str = "c1"
    verdict: str = "all"
    length: int = 4096
    account: str = "algorithms"
    overlap: str = "serial"
    splits: int = 1
    pack_gqa: bool = False
    requests: int = 1
    slots: int = 1
    page: int = 16
    longest: int = 64
    tick: int = 0
    block: int = 32
    kernel: str = ""

    def problem(self) -> Problem:
        """Return the attention problem these settings ask; raises BadProblem."""
        return Problem(n=self.n, n_kv=self.n_kv, d=self.d, batch=self.batch, heads=self.heads,
                       kv_heads=self.kv_heads, dtype=self.dtype, causal=self.causal, window=self.window,
                       lse=self.lse, passes=self.passes, seed=self.seed)

    def tiling(self) -> Tiling:
        """Return the block sizes these settings ask; raises BadProblem."""
        return Tiling(br=self.br, bc=self.br if self.bc is None else self.bc, stages=self.stages)


NOTHING = "–"                           # what a note shows in place of no value
NAMES = tuple(f.name for f in fields(Settings))


@dataclass(frozen=True)
class Note:
    """Something in the URL that could not be taken as written: the label `note.<reason>` and its values."""

    reason: str
    flag: str
    asked: str
    used: str = ""
    possible: str | Several = ""


@dataclass(frozen=True)
class Whole:
    """A whole number from low to high, in steps; a default of None means "follow another field"."""

    default: int | None
    low: int
    high: int
    step: int = 1

    def read(self, text):
        """Return the value nearest to a text and why it differs, or None where it is as written."""
        number = whole(text)
        if number is None:
            return self.default, "number"
        near = self.nearest(number)
        return near, None if near == number else "range"

    def nearest(self, number):
        """Return the allowed value nearest to a number."""
        number = min(max(number, self.low), self.high)
        return min(self.low + round((number - self.low) / self.step) * self.step, self.high)

    def write(self, value):
        """Return the value as the URL has it."""
        return str(value)

    @property
    def possible(self):
        """The range in words."""
        return f"{self.low:,} … {self.high:,}"


@dataclass(frozen=True)
class Powers:
    """A power of two from low to high."""

    default: int
    low: int
    high: int

    @property
    def options(self):
        """The powers of two in the range."""
        return tuple(2**k for k in range(self.low.bit_length() - 1, self.high.bit_length()) if 2**k >= self.low)

    def read(self, text):
        """Return the power nearest to a text and why it differs, or None where it is as written."""
        number = whole(text)
        if number is None:
            return self.default, "number"
        near = min(self.options, key=lambda power: (abs(power - number), power))
        return near, None if near == number else "choice"

    write = Whole.write

    @property
    def possible(self):
        """The powers in words."""
        return Several(f"{power:,}" for power in self.options)


@dataclass(frozen=True)
class Choice:
    """One of a few names; `titles` gives the words of those that have a name of their own (GPUs)."""

    default: str
    options: tuple[str, ...]
    titles: dict = field(default_factory=dict, hash=False)

    def read(self, text):
        """Return the name a text gives and why it differs, or None where it is as written."""
        name = text.strip().lower()
        return (name, None) if name in self.options else (self.default, "choice")

    write = Whole.write

    @property
    def possible(self):
        """The names, listed."""
        return Several(self.options)


@dataclass(frozen=True)
class Tabs(Choice):
    """One of very few names, all in sight beside each other."""


@dataclass(frozen=True)
class Flag:
    """Yes or no."""

    default: bool = False
    possible = Several(("0", "1"))

    def read(self, text):
        """Return the flag a text sets (a bare flag is yes) and why it differs, or None."""
        word = text.strip().lower()
        if word in ("", "1", "true", "yes", "on"):
            return True, None
        return (False, None) if word in ("0", "false", "no", "off") else (self.default, "choice")

    def write(self, value):
        """Return the value as the URL has it."""
        return str(int(value))


@dataclass(frozen=True)
class Pair:
    """Two whole numbers, (left, right), each from low to high."""

    default: tuple[int, int]
    low: int
    high: int

    def read(self, text):
        """Return the pair nearest to "left,right" and why it differs, or None where it is as written."""
        numbers = [whole(part) for part in re.split(r"[,\s]+", text.strip())]
        if len(numbers) != 2 or None in numbers:
            return self.default, "pair"
        near = tuple(min(max(number, self.low), self.high) for number in numbers)
        return near, None if near == tuple(numbers) else "range"

    def write(self, value):
        """Return the value as the URL has it."""
        return ",".join(map(str, value))

    possible = Whole.possible


@dataclass(frozen=True)
class Subset:
    """Any of a few names, in their own order."""

    options: tuple[str, ...] = PASSES
    default: tuple[str, ...] = ()

    def read(self, text):
        """Return the names a comma-separated text gives and why they differ, or None."""
        asked = [part for part in re.split(r"[,\s]+", text.strip().lower()) if part]
        named = tuple(name for name in self.options if name in asked)
        return named, None if set(asked) <= set(self.options) else "choice"

    def write(self, value):
        """Return the value as the URL has it."""
        return ",".join(value)

    possible = Choice.possible


@dataclass(frozen=True)
class Numbers:
    """From `least` to `most` numbers, each from low to high and of one decimal."""

    default: tuple[float, ...]
    low: float
    high: float
    least: int
    most: int

    def read(self, text):
        """Return the numbers nearest to "7,4.5,3" and why they differ, or None where they are as written."""
        asked = [decimal(part) for part in re.split(r"[,\s]+", text.strip())]
        if None in asked or len(asked) < self.least:
            return self.default, "list"
        near = tuple(self.nearest(number) for number in asked[: self.most])
        return near, None if near == tuple(asked) else "list"

    def nearest(self, number):
        """Return the allowed number nearest to a number."""
        return round(min(max(number, self.low), self.high), 1)

    def write(self, value):
        """Return the numbers as the URL has them."""
        return listed(value)

    @property
    def possible(self):
        """How many, and of which size."""
        return f"{self.least}–{self.most} × ({self.low:g} … {self.high:g})"


@dataclass(frozen=True)
class Links:
    """Fewer than `high` pairs of whole numbers from 1 to `high`, in order."""

    high: int
    default: tuple[tuple[int, int], ...] = ()

    def read(self, text):
        """Return the pairs that "1-2,1-3" writes and why they differ, or None where they are as written."""
        found = [re.fullmatch(r"(\d{1,4})-(\d{1,4})", part) for part in text.strip().split(",")]
        pairs = tuple((int(match[1]), int(match[2])) for match in found if match)
        good = tuple(pair for pair in pairs if pair[0] != pair[1] and 1 <= min(pair) and max(pair) <= self.high)
        return good[: self.high - 1], None if len(good) == len(found) < self.high else "list"

    def write(self, value):
        """Return the pairs as the URL has them."""
        return ",".join(f"{left}-{right}" for left, right in value)

    @property
    def possible(self):
        """The range in words."""
        return f"1-2 … {self.high - 1}-{self.high}"


def any_gpu(default: str = "h200") -> Choice:
    """Return the choice among all GPUs of the catalogue, by their names."""
    return Choice(default, tuple(gpus()), {key: spec.name for key, spec in gpus().items()})


def whole(text: str) -> int | None:
    """Return the whole number a text writes, held within ±10¹⁸, or None where it is none."""
    text = text.strip()
    if not re.fullmatch(r"[+-]?\d{1,400}", text):
        return None
    return min(max(int(text), -(10**18)), 10**18)


def decimal(text: str) -> float | None:
    """Return the decimal number a text writes, or None where it is none."""
    return float(text) if re.fullmatch(r"[+-]?\d{1,18}(\.\d{1,18})?", text) else None


def listed(numbers) -> str:
    """Return numbers as the URL lists them: 7,4.5,3."""
    return ",".join(f"{number:g}" for number in numbers)


def flag(name: str) -> str:
    """Return the URL's name of a field: n_kv is n-kv."""
    return name.replace("_", "-")


def read(query: dict, kinds: dict) -> tuple[Settings, tuple[Note, ...]]:
    """Return the nearest sensible Settings to a query, and a Note for all that was not taken as written."""
    values, notes = {}, []
    for name, kind in kinds.items():
        text = query.get(flag(name))
        value, reason = (kind.default, None) if text is None else kind.read(text)
        values[name] = value
        if reason:
            used = "" if value is None else kind.write(value)
            notes.append(Note(reason, flag(name), harmless(text), used or NOTHING, kind.possible))
    settings = Settings(**values)
    heads, note = _shared_heads(settings, "kv-heads" in query)
    notes += [note] if note else []
    notes += [Note("unused", flag(name), "") for name in NAMES if name not in kinds and flag(name) in query]
    values, note = _one_value_each(settings, "values" in query)
    notes += [note] if note else []
    return replace(settings, kv_heads=heads, values=values), tuple(notes)


def write(settings: Settings, kinds: dict) -> dict:
    """Return the query of the declared fields that are not at their defaults."""
    return {
        flag(name): kind.write(getattr(settings, name))
        for name, kind in kinds.items()
        if getattr(settings, name) != kind.default
    }


def harmless(text: str) -> str:
    """Return a text from outside cut to 24 characters, with everything but letters, digits and , . + - as a dot."""
    cut = text[:24] + ("…" if len(text) > 24 else "")
    return "".join(c if c.isalnum() or c in " ,.+-_…" else "·" for c in cut) or "·"


def _shared_heads(settings, noted):
    """The K/V heads nearest below those asked that divide the query heads; a Note where the link named them."""
    asked = settings.kv_heads
    if asked is None or settings.heads % asked == 0:
        return asked, None
    near = max(h for h in range(1, min(asked, settings.heads) + 1) if settings.heads % h == 0)
    return near, Note("divisor", "kv-heads", str(asked), str(near), str(settings.heads)) if noted else None


def _one_value_each(settings, asked):
    """As many values as scores: what is missing begins again from the first, what is over is left out."""
    people, values = len(settings.scores), settings.values
    if not values or len(values) == people:
        return values, None
    fitted = tuple(values[k % len(values)] for k in range(people))
    return fitted, Note("list", "values", listed(values), listed(fitted), f"{people} ×") if asked else None
