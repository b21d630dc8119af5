"""Three versions: who carries O, how many workers have work, what is done beside products, what overlaps, fp8."""

import streamlit as st

from lessons.played import at_one_desk, stage_scene
from lessons.predict import predict
from lessons.settings import Choice, Powers, Tabs, Whole, any_gpu
from lessons.tabs import scenes
from lessons.versions import facts, lanes, leftout, pictures, step, stopwatch, tempo, timeline
from lessons.versions.chart import chart
from lessons.versions.pictures import scientific
from lessons.versions.roles import MODES
from lessons.versions.timeline import micro
from lessons.views.chart.live import show, take
from lessons.views.numbers import percent, short
from lessons.views.stage import stage
from lessons.views.table import Tensor, table
from lessons.views.yardstick import yardstick
from simulator import Problem, Tiling, fp8, gpu, orders
from simulator.problem import FP16

FIELDS = {
    "n": Whole(8, 2, 16),
    "br": Powers(4, 2, 8),
    "gpu": any_gpu(),
    "heads": Powers(8, 1, 64),
    "batch": Powers(1, 1, 64),
    "length": Powers(4096, pictures.LENGTHS[0], pictures.LENGTHS[-1]),
    "d": Powers(128, 64, 128),
    "overlap": Choice(MODES[0], MODES),
    "seed": Whole(0, 0, 7),
    "scene": Tabs("stage", ("stage", "floor", "time", "step", "accuracy")),  # on the projector
    "step": Whole(0, 0, 10**7),
}
TEXTS = {"heads": 8, "batch": 1, "length": 4096, "gpu": "h200"}          # what the question about workers is about


def page(view):
    """Draw the page: one question for each thing that changed, and the picture that answers it."""
    if view.present:
        scenes(view, PICTURES)
        PICTURES[view.settings.scene](view)
        return
    view.section("lead")
    _carried(view)
    _workers(view)
    _beside(view)
    _overlap(view)
    _rotated(view)
    _order(view)
    view.section("computer")


def two_workers(view):
    """Draw the stage: v1 on the left, v2 on the right."""
    stage(scene(view), key="versions:stage")


def scene(view) -> str:
    """The JSON text of the page's stage."""
    settings = view.settings
    problem, tiling = Problem(n=settings.n, d=facts.WIDTH), Tiling(settings.br, settings.br)
    workers = at_one_desk(view, problem, tiling, facts.desk(problem, tiling), facts.WAYS)
    caption = view.label("walk.caption", n=problem.n, d=problem.d, block=tiling.br,
                         badges=view.badges("desk", "counted"))
    return stage_scene(view, *workers, file=f"versions-n{problem.n}-d{problem.d}-b{tiling.br}", caption=caption)


def floor(view):
    """Draw the SMs with and without work."""
    yardstick(pictures.floor(view, view.settings), key="versions:floor", moved=view.turns("length", pictures.LENGTHS))


def time(view):
    """Draw the lanes of an SM in time."""
    yardstick(timeline.time(view, view.settings), key="versions:time", moved=view.turns("overlap", MODES))


def one_step(view):
    """Draw a reader's step."""
    st.html(step.draw(view))


def accuracy(view):
    """Draw the errors of the fp8 experiment."""
    yardstick(pictures.accuracy(view, view.settings), key="versions:accuracy")


PICTURES = {"stage": two_workers, "floor": floor, "time": time, "step": one_step, "accuracy": accuracy}


def _carried(view):
    """Ask what v1 carries to and fro, show it on the stage, then at full size by tensor."""
    asked = predict(view, "carried", ("kv", "olm", "table"), "olm")
    view.section("watch")
    view.controls("n", "br", n="walk.people", br="walk.block")
    two_workers(view)
    if asked:
        bills = facts.bills()
        head = [view.label(f"versions.column_{name}") for name in ("tensor", *facts.WAYS)]
        foot = (view.label("versions.both"), *(view.size(bills[way].desk.total) for way in bills))
        st.html(table(head, _by_tensor(view), _size(view, view.badges("desk", "computed")), foot))
        view.section("traffic", crossings=facts.crossings("flash1"),
                     ratio=view.ratio(bills["flash1"].desk.total / bills["flash2"].desk.total))


def _by_tensor(view):
    """Rows of a table: a tensor, and the bytes of it that either version moves."""
    moved = {way: facts.bills()[way].desk.by_tensor for way in facts.WAYS}
    return [(Tensor(name), *(view.size(moved[way][name].total) if name in moved[way] else "—" for way in facts.WAYS))
            for name in "QKVOlm"]


def _size(view, badges):
    size, block = facts.SIZE, facts.BLOCKS.br
    return view.label("versions.caption_size", n=view.number(size.n), d=size.d, heads=size.heads, block=block,
                      dtype=size.dtype, badges=badges)


def _workers(view):
    """Ask how many SMs have work in v1, then show the floor and let the reader fill it."""
    spec = gpu(TEXTS["gpu"])
    values = {"gpu": spec.name, "sms": spec.sms, "heads": TEXTS["heads"], "n": view.number(TEXTS["length"]),
              "br": facts.BLOCKS.br, "enough": view.number(facts.all_busy(TEXTS["heads"], TEXTS["batch"], spec.sms)),
              "blocks": view.number(-(-TEXTS["length"] // facts.BLOCKS.br))}
    options = tuple(map(str, (TEXTS["heads"], spec.sms // 2, spec.sms)))
    if predict(view, "workers", options, options[0], **values):
        view.controls("gpu", "heads", "batch", batch="versions.texts")
        floor(view)
        drawn = chart(view, view.settings)
        show(drawn, key="versions:chart")
        take(drawn, key="versions:take")


def _beside(view):
    """Ask what an operation beside the products costs, then show how many of them each version has."""
    options = tuple(f"{count:g}" for count in (1, facts.dearer() / 4, facts.dearer()))
    if predict(view, "beside", options, options[-1], **facts.beside()):
        head = [view.label(f"versions.column_{name}") for name in ("version", "matmul", "exp", "other")]
        st.html(table(head, _operations(view), _size(view, view.badges("", "computed"))))


def _operations(view):
    """Rows of a table: operations of each version, what the second paper's GPU does a second, what v2 takes there."""
    named = {"gpu": gpu(facts.PAPERS_GPU).name, "way": view.label("algorithm.flash2")}
    rate, taken = (view.label(f"versions.row_{name}", badges=view.badges("", tag), **named)
                   for name, tag in (("rate", "published"), ("taken", "modelled")))
    return [*((view.label(f"algorithm.{way}"), *(f"{count / 1e9:,.2f} G" for count in facts.operations(way)))
              for way in facts.WAYS),
            (rate, *(short(each, "/s") for each in facts.rates())),
            (taken, *(f"{1e3 * seconds:.3f}\u00a0ms" for seconds in facts.taken("flash2")))]


def _overlap(view):
    """Ask how long softmax takes against the products, then overlap the two, step by step."""
    d, key = view.settings.d, view.settings.gpu
    values = {"gpu": gpu(key).name, "d": d, "tiles": tempo.TILES, "asked_gpu": gpu(TEXTS["gpu"]).name,
              "asked_d": facts.SIZE.d, "share": percent(tempo.beside(facts.SIZE.d, TEXTS["gpu"]))}
    for mode in MODES:
        spans = tempo.timeline(mode, d, key)
        values |= {mode: micro(lanes.length(spans)), f"{mode}_busy": percent(lanes.busy(spans, "product"))}
    view.section("third")
    if predict(view, "overlap", ("tenth", "half", "twice"), "half", **values):
        view.controls("d")
        time(view)
        view.section("hidden", **values)
        view.section("within", **{one.name: at for at, one in enumerate(step.STEPS, 1)}, held=facts.HELD_D,
                     stages=tempo.recorded(d).timing.tiling.stages)
        one_step(view)
        _held(view)


def _held(view):
    """Hold the timeline against the stopwatch, say how far off it is, and then leave things out."""
    d = view.settings.d
    models = [view.label(f"versions.column_{name}") for name in ("clockwork", "chance", "measured")]
    view.section("held", **stopwatch.values(view, d))
    mode, without = view.label("versions.column_overlap"), view.label("versions.column_without")
    st.html(table([mode, *models], stopwatch.rows(view, d), stopwatch.caption(view, d)))
    view.section("left_out", **leftout.values(d), **facts.ABLATION)
    st.html(table([without, *models], leftout.rows(view, d), leftout.caption(view, d)))


def _rotated(view):
    """Ask what a rotation does to the error of fp8, then run the experiment."""
    view.section("eighth", rare=f"{100 * fp8.RARE:g}\u00a0%", large=f"{fp8.LARGE:g}")
    if not predict(view, "rotated", ("smaller", "same", "larger"), "smaller"):
        return
    view.controls("seed")
    accuracy(view)
    found, printed = pictures.errors(view.settings.seed), fp8.PUBLISHED
    view.section("fits", ratio=view.ratio(found["tensor"] / found["both"]), block=fp8.BLOCK,
                 printed=view.ratio(printed["tensor"] / printed["both"]), fp8=scientific(found["both"]),
                 fp16=scientific(found["flash_fp16"]))


def _order(view):
    """Ask whether another order of the pieces gives the same result, then show four."""
    if predict(view, "order", ("bit", "last", "third"), "last", epsilon=scientific(FP16.epsilon / 2)):
        found = orders.outcomes(view.settings.seed)
        head = [view.label(f"versions.column_{name}") for name in ("order", "error", "moved")]
        rows = [(view.label(f"versions.order_{name}"), scientific(one.error), percent(one.moved))
                for name, one in found.items()]
        st.html(table(head, rows, view.label("versions.caption_order", rows=orders.ROWS, keys=view.number(orders.KEYS),
                                             d=orders.WIDTH, seed=view.settings.seed,
                                             badges=view.badges("", "counted"))))
