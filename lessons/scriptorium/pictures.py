"""The pictures beside the stage: the master's day, and the trial in one unit or in two."""

from lessons.scriptorium import facts
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact
from lessons.views.yardstick import Part, Row, Yardstick
from simulator import gpu

ROLES = {"master": "standard", "batched": "floor", "scribe": "flash2"}
OWN_UNITS = {"master": "lists", "scribe": "batches"}


def day(view, settings) -> Yardstick:
    """The master's day as one bar: what goes into walking, what into counting."""
    spec = gpu(settings.gpu)
    walking, counting = facts.day(spec)
    share = walking / (walking + counting)
    parts = (Part(0.0, share, "card", view.label("scriptorium.walking"), "striped"),
             Part(share, 1.0, "S", view.label("scriptorium.counting")))
    rows = (Row(view.label("scriptorium.day"), parts, view.ratio(walking / counting), spec.name),)
    return Yardstick(rows=rows, lang=view.lang, present=view.present,
                     summary=view.label("scriptorium.day_words", share=f"{100 * share:.0f}\u00a0%", gpu=spec.name),
                     caption=view.label("scriptorium.day_caption", n=exact(facts.TRIAL.n), d=facts.TRIAL.d,
                                        walking=_micro(walking), counting=_micro(counting),
                                        badges=view.badges("paper", "modelled")))


def _micro(seconds):
    return f"{1e6 * seconds:.3g} µs"


def trial(view, settings) -> Yardstick:
    """The bills: of the two, each in the tale's own unit, or of all in tiles."""
    units = dict.fromkeys(facts.TRIED, "tiles") if settings.alike else OWN_UNITS
    counts = {way: getattr(facts.trial(way), unit) for way, unit in units.items()}
    place = Scale("linear", 0, 1.04 * max(counts.values()), ()).place
    rows = tuple(Row(view.label(f"scriptorium.{way}"), (Part(0.0, place(counts[way]), ROLES[way]),), exact(counts[way]),
                     view.label(f"scriptorium.unit_{units[way]}", rows=facts.VOLUMES)) for way in units)
    return Yardstick(rows=rows, lang=view.lang, present=view.present,
                     summary="; ".join(f"{row.name}: {row.number} ({row.note})" for row in rows),
                     caption=view.label("scriptorium.trial_caption", n=exact(facts.TRIAL.n), volumes=facts.VOLUMES,
                                        badges=view.badges("desk", "computed")))
