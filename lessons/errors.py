"""A named error of the simulator, in the reader's words: what was asked, what is possible, what to do."""

from lessons import text
from simulator.errors import DoesNotFit, SimulatorError
from simulator.hardware import gpu
from simulator.tiling import largest_blocks


def words(error: SimulatorError, settings, lang: str) -> str:
    """Return an error as plain sentences; where blocks do not fit, with the largest that do."""
    key = f"error.{type(error).__name__}"
    if not text.has(key):
        return text.label("error.other", lang, error=error)
    said = text.label(key, lang, **{name: _shown(name, fact, lang) for name, fact in error.facts.items()})
    if not isinstance(error, DoesNotFit):
        return said
    return text.label("error.both", lang, said=said, largest=_largest(settings, lang))


def _shown(name, fact, lang):
    if name == "area":
        return text.label(f"area.{fact.replace(' ', '_')}", lang)
    if isinstance(fact, float):
        return f"{fact:,.0f}"
    return f"{fact:,}" if isinstance(fact, int) else str(fact)


def _largest(settings, lang):
    spec = gpu(settings.gpu)
    square = largest_blocks(settings.algorithm, settings.d, settings.dtype, spec, settings.stages).square
    if square is None:
        return text.label("error.none_fits", lang, gpu=spec.name)
    return text.label("error.largest", lang, gpu=spec.name, square=square)
