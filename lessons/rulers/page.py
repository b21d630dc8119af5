"""Three rulers: one configuration, three lines at which bytes are counted, and the shelf that makes them differ."""

import streamlit as st

from lessons.predict import predict
from lessons.rulers import chart, facts, hallway, picture
from lessons.rulers.crossings import crossings
from lessons.settings import DTYPES, Choice, Flag, Powers, Whole, any_gpu
from lessons.text import Several
from lessons.views.chart.live import show, take
from lessons.views.stage import stage
from simulator import accounting, gpu
from simulator.tiling import fits, largest_blocks

FIELDS = {
    "n": Powers(4096, 512, 8192),
    "d": Powers(128, 64, 256),
    "heads": Powers(16, 1, 32),
    "br": Powers(128, 32, 256),
    "bc": Powers(128, 32, 256),
    "dtype": Choice("fp16", DTYPES),
    "causal": Flag(),
    "gpu": any_gpu("h200"),
    "workers": Whole(facts.FEW, 1, 4),
    "shelf": Whole(facts.PLACES, 4, 24),
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: the bars behind their question, the shelf on the stage, the knee behind its own."""
    if view.present:
        name = st.segmented_control(view.label("rulers.picture"), PICTURES, default="shelf", required=True,
                                    label_visibility="collapsed", key="rulers:picture",
                                    format_func=lambda one: view.label(f"rulers.pictures.{one}"))
        PICTURES[name](view)
        return
    view.section("lead")
    view.controls("n", "d", "heads", "br", "bc")
    view.controls("dtype", "gpu", "causal")
    three(view)
    view.section("shelf", **facts.shelf())
    view.controls("workers", "shelf")
    shelf(view)
    predict(view, "shelved", *facts.shelved_options(), **facts.shelved())
    if predict(view, "knee", *facts.long_options(), **facts.long()):
        waves(view)
        view.section("causal", **facts.masked())
    view.section("computer", **facts.shelf())


def three(view):
    """Ask where the saving is largest, then show the bars and ask which of them is the saving."""
    ways = _ways(view)
    if not ways:
        return
    if not facts.modelled(ways):            # a question about three lines needs all three
        _bars(view, ways)
        return
    numbers = facts.ratios(ways, view.settings)
    if predict(view, "line", ("paper", "desk", "cabinet", "same"), facts.saves_most(ways), **numbers):
        _bars(view, ways)
        predict(view, "saving", ("paper", "desk", "cabinet", "each"), "each", **numbers)


def bars(view):
    """Draw the bars alone."""
    ways = _ways(view)
    if ways:
        _bars(view, ways)


def shelf(view):
    """Draw the shelf on the stage."""
    stage(scene(view), key="rulers:stage")


def scene(view) -> str:
    """The JSON text of the page's stage."""
    workers, places = view.settings.workers, view.settings.shelf
    badges = f"{view.badges('desk', 'counted')} · {view.badges('cabinet', 'modelled')}"
    caption = view.label("rulers.caption", n=hallway.PEOPLE, d=hallway.WIDTH, block=hallway.BLOCK, workers=workers,
                         places=places, badges=badges)
    name = f"shelf-n{hallway.PEOPLE}-b{hallway.BLOCK}-workers{workers}-places{places}"
    return hallway.stage_scene(view, workers, places, file=name, caption=caption)


def waves(view):
    """Draw the knee."""
    drawn = chart.chart(view.settings.d, view.lang, view.link)
    show(drawn, key="rulers:chart")
    if not view.present:
        take(drawn, key="rulers:take")


PICTURES = {"shelf": shelf, "bars": bars, "chart": waves}


def _ways(view):
    """{algorithm: Crossings}, or None, said why, where the tile does not fit."""
    settings = view.settings
    problem, tiling, spec = settings.problem(), settings.tiling(), gpu(settings.gpu)
    if not all(fits(accounting.cost(name, problem, tiling).peak, spec) for name in picture.WAYS):
        square = largest_blocks("flash2", problem.d, problem.dtype, spec).square
        st.info(view.label("rulers.refused", gpu=spec.name, d=problem.d, square=square or 0))
        return None
    return {name: crossings(name, problem, tiling, settings.gpu) for name in picture.WAYS}


def _bars(view, ways):
    st.html(picture.draw(view, ways))
    left_out = [name for name, one in ways.items() if not one.cabinet]
    if left_out:
        commands = Several(f"`{command(view.settings, name)}`" for name in left_out)
        st.info(view.label("rulers.too_long", command=commands))


def command(settings, algorithm):
    """The command line that asks the cabinet ruler of `algorithm`, however long it takes."""
    sizes = f"--n {settings.n} --d {settings.d} --heads {settings.heads} --br {settings.br} --bc {settings.tiling().bc}"
    kind = f"--dtype {settings.dtype}{' --causal' if settings.causal else ''} --gpu {settings.gpu}"
    return f"python -m simulator count --algorithm {algorithm} {sizes} {kind} --cabinet"
