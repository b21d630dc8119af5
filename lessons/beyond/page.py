"""Beyond: the same thinking elsewhere, as a roofline, kernel by kernel, in a matrix product, against a stopwatch."""

import streamlit as st

from lessons.beyond import clock, facts, kernels, products, roof
from lessons.predict import predict
from lessons.settings import Flag, Powers, Tabs, any_gpu
from lessons.views.chart.live import show, take
from simulator import accounting, gpu
from simulator.tiling import fits, largest_blocks

FIELDS = {
    "n": Powers(4096, 512, 16384),
    "d": Powers(128, 32, 256),
    "heads": Powers(16, 1, 64),
    "br": Powers(128, 32, 256),
    "bc": Powers(64, 32, 256),
    "gpu": any_gpu("h200"),
    "block": Powers(32, 8, 128),
    "kernel": Tabs("flash_attention_3", clock.KERNELS),
    "causal": Flag(),
}


def page(view):
    """Draw the page: a guess before every number, then roofline, kernels, matrix product, stopwatch and rules."""
    if view.present:
        name = st.segmented_control(view.label("beyond.picture"), PICTURES, default="roof", required=True,
                                    label_visibility="collapsed", key="beyond:picture",
                                    format_func=lambda one: view.label(f"beyond.pictures.{one}"))
        PICTURES[name](view)
        return
    view.section("lead")
    if _ask(view, "ridge", facts.ridge_question()):
        roofline(view)
    view.section("product")
    multiply(view)
    view.section("seconds")
    forecast(view)
    view.section("rules", **facts.rules())
    view.section("computer", **facts.stopwatch()[2])


def roofline(view):
    """Draw the roofline of the settings and the work for each byte, then ask about the kernels one by one."""
    view.controls("n", "d", "heads", "br", "bc", "gpu")
    if not _fit(view):
        return
    roofs(view)
    st.html(roof.rows(view))
    view.section("rulers")
    if predict(view, "bound", ("memory", "tensor"), "tensor", **facts.wide()):
        st.html(kernels.rows(view))
        view.section("kernels")


def roofs(view):
    """Draw the roofline alone."""
    _draw(view, roof.chart(view.settings, view.lang, view.link), "roof")


def multiply(view):
    """Ask what twice the tile does, then show the product counted and by its closed form."""
    if predict(view, "tile", ("same", "half", "quarter"), "half", **facts.doubling()):
        view.controls("block")
        st.html(products.rows(view))


def forecast(view):
    """Ask how well the model does, then show it beside the stopwatch, with every miss."""
    if not _ask(view, "clock", facts.stopwatch()):
        return
    view.controls("kernel", "causal")
    watch(view)
    st.html(clock.tally(view))
    view.section("misses", **facts.stopwatch()[2])
    st.html(clock.misses(view))
    view.section("reasons")


def watch(view):
    """Draw one kernel, measured and modelled."""
    _draw(view, clock.chart(view.settings, view.lang, view.link), "clock")


PICTURES = {"roof": roofs, "clock": watch}


def _ask(view, name, question):
    options, right, numbers = question
    return predict(view, name, options, right, **numbers)


def _draw(view, drawn, name):
    show(drawn, key=f"beyond:chart:{name}")
    if not view.present:
        take(drawn, key=f"beyond:take:{name}")


def _fit(view):
    """Whether both ways' thread blocks fit an SM of the GPU; where they do not, say what would."""
    settings = view.settings
    problem, tiling, spec = settings.problem(), settings.tiling(), gpu(settings.gpu)
    if all(fits(accounting.cost(way, problem, tiling).peak, spec) for way in facts.WAYS):
        return True
    square = largest_blocks("flash2", problem.d, problem.dtype, spec).square
    st.info(view.label("rulers.refused", gpu=spec.name, d=problem.d, square=square or 0))
    return False
