"""What is left of the kernel's rate without one of its ideas: by the timeline's two models, and by the stopwatch."""

import streamlit as st

from kernels.ideas import WHOLE, ideas
from lessons import measured
from lessons.versions import stopwatch, tempo
from lessons.views.numbers import exact, percent

MODELLED = {"overlap": {"mode": "turns"}, "readers": {"mode": "all", "missing": 1}}
"""{idea: how the timeline leaves it out}; without turns the models know of no order."""
LEFT = (*MODELLED, "turns")


def timed() -> tuple[measured.Record, list[dict]]:
    """The newest recorded timings of the kernel without its ideas, and the rows that name them."""
    found = ((one.record, [row for row in one.rows if row.get("without")]) for one in measured.benches()
             if one.record.gpu == tempo.KERNELS_GPU)
    return next((record, rows) for record, rows in found if rows)


def kept(d: int) -> dict[str, float]:
    """{idea: what was left of the rate without it}, unmasked."""
    return {one.key: one.shares[d, False] for one in ideas(timed()[1]) if (d, False) in one.shares}


@st.cache_data(show_spinner=False, max_entries=8)
def foretold(d: int) -> dict[str, tuple[float, float]]:
    """{idea: what is left like clockwork, and by chance}."""
    whole = stopwatch.paces(d)["all"]
    return {name: tuple(part / all_of_it for part, all_of_it in zip(stopwatch.pace(d, **how), whole, strict=True))
            for name, how in MODELLED.items()}


def rows(view, d: int) -> list[tuple[str, ...]]:
    """Rows of a table: what is left out, and what is then left of the rate."""
    left = kept(d)
    models = dict.fromkeys(LEFT, ("—", "—")) | {name: tuple(map(percent, both)) for name, both in foretold(d).items()}
    return [(view.label(f"versions.without.{name}"), *models[name], percent(left[name])) for name in LEFT]


def caption(view, d: int) -> str:
    """Where the numbers come from."""
    record, found = timed()
    n = next(row["n"] for row in found if row["without"] == WHOLE)
    return view.label("versions.caption_without", n=exact(n), d=d, device=record.device, date=record.date,
                      modelled=view.badges("", "modelled"), measured=view.badges("", "measured"))


def values(d: int) -> dict[str, str]:
    """What the text says: what was left by the stopwatch, what chance had said, and how busy it has tensor cores."""
    left, found = kept(d), stopwatch.paces(d)
    return ({name: percent(left[name]) for name in LEFT}
            | {f"{name}_chance": percent(chance) for name, (_, chance) in foretold(d).items()}
            | {f"{mode}_busy": percent(found[mode][1]) for mode in ("turns", "all")})
