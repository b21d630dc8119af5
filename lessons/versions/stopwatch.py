"""The timeline held against the stopwatch: how busy tensor cores are over a long text, modelled and timed."""

import streamlit as st

from lessons.versions import tempo
from lessons.versions.roles import MODES
from lessons.views.numbers import exact, percent
from simulator import gpu

CLOCKWORK_TILES, TILES, SEED = 256, 2048, 0       # of a long text; chance evens out only over many


@st.cache_data(show_spinner=False, max_entries=8)
def paces(d: int) -> dict[str, tuple[float, float]]:
    """{mode: tensor cores' share like clockwork and by chance}; whoever asks while they run waits for them."""
    return {mode: pace(d, mode) for mode in MODES}


def pace(d: int, mode: str, missing: int = 0) -> tuple[float, float]:
    """The tensor cores' share in a mode like clockwork and by chance, without so many of the readers."""
    return (tempo.pace(mode, d, tempo.KERNELS_GPU, CLOCKWORK_TILES, missing=missing),
            tempo.pace(mode, d, tempo.KERNELS_GPU, TILES, SEED, missing))


def rows(view, d: int) -> list[tuple[str, ...]]:
    """Rows of a table: a mode and its shares; the last mode is the kernel's, which was timed."""
    timed = dict.fromkeys(MODES, "—") | {MODES[-1]: percent(tempo.recorded(d).share)}
    return [(view.label(f"overlap.{mode}"), *map(percent, paces(d)[mode]), timed[mode]) for mode in MODES]


def caption(view, d: int) -> str:
    """Where the numbers come from."""
    run = tempo.recorded(d)
    problem = run.timing.problem
    return view.label("versions.caption_held", n=exact(problem.n), d=d, heads=problem.heads, dtype=problem.dtype,
                      device=run.record.device, date=run.record.date, modelled=view.badges("", "modelled"),
                      measured=view.badges("", "measured"))


def values(view, d: int) -> dict[str, str]:
    """What the text says: shares, by how many points each model is off, and what the time model makes of a round."""
    run, found = tempo.recorded(d), paces(d)
    clockwork, chance = found[MODES[-1]]
    said = {"clockwork": clockwork, "chance": chance, "model": run.modelled_share}
    return ({name: percent(share) for name, share in said.items()}
            | {f"{name}_off": points(view, share, run.share) for name, share in said.items()}
            | {"turns": percent(found["turns"][1]), "round": percent(tempo.queued(d, tempo.KERNELS_GPU))}
            | {"measured": percent(run.share), "tflops": f"{run.timing.tflops:.0f}", "d": d,
               "n": exact(run.timing.problem.n), "gpu": gpu(tempo.KERNELS_GPU).name})


def points(view, share: float, other: float) -> str:
    """By how many percentage points a share is above or below another, both as they are shown, in words."""
    apart = round(100 * share) - round(100 * other)
    return view.label(f"versions.off_{'above' if apart > 0 else 'below' if apart else 'none'}", points=abs(apart))
