"""The four scenes of a word at a time: the row, the floor of workers, the bytes, the cache."""

import streamlit as st

from lessons.card.written import figure
from lessons.decode import facts, pictures
from lessons.decode.chart import chart
from lessons.played import played, stage_scene
from lessons.predict import predict
from lessons.story import small_desk
from lessons.views.chart.live import show, take
from lessons.views.stage import stage
from lessons.views.table import table
from lessons.views.yardstick import yardstick
from simulator import Problem, Tiling, gpu
from simulator.kv_cache import models
from simulator.workers import seated

ASKED = 4                               # workers of the small row in the question about merging


def row(view):
    """The newest word's row on the stage, whole or dealt; what its workers have to hand over."""
    view.section("row", n=facts.PEOPLE, some=ASKED)
    view.controls("splits", splits="decode.splits")
    stage(staged(view), key="decode:stage")
    run = _played(view, ASKED)
    moved = run.cost.desk.by_tensor
    values = {"workers": ASKED, "people": facts.PEOPLE, "bytes": view.bytes(moved["L_partial"].write // ASKED),
              "output": view.bytes(moved["O_partial"].write // ASKED), "apart": figure(run.max_error)}
    if predict(view, "hands", ("output", "one", "scores"), "one", **values):
        parts = moved["O_partial"].total + moved["L_partial"].total
        view.figures(("decode.kv_read", view.bytes(moved["K"].read + moved["V"].read), "desk", "counted"),
                     ("decode.parts", view.bytes(parts), "desk", "counted"),
                     ("decode.apart", values["apart"], "", "counted"))


def floor(view):
    """The workers of a real step; how many have any work, and what splitting costs."""
    alone, values = _alone(view)
    view.section("floor", **values)
    if not view.present:
        options = ("1", str(alone.busy), str(alone.sms))
        if not predict(view, "busy", options, str(alone.busy), **values):
            return
    yardstick(pictures.floor(view, view.settings), key="decode:floor", moved=view.turns("splits", pictures.SPLITS))
    view.controls("batch", "heads", "kv_heads", "pack_gqa", batch="decode.texts")
    view.controls("n_kv", "gpu", n_kv="decode.tokens")
    if not view.present:
        _price(view)


def _alone(view):
    """The model's step on the questions' GPU without splitting, and its numbers in words."""
    model, spec = facts.MODEL, gpu(facts.GPU)
    problem = Problem(n=1, n_kv=facts.LONG, d=model.d, heads=model.heads, kv_heads=model.kept.kv_heads)
    alone = seated(problem, Tiling(1, facts.TILE, pack_gqa=True), spec)
    return alone, {"model": model.name, "heads": model.heads, "kv": model.kept.kv_heads, "gpu": spec.name,
                   "group": model.heads // model.kept.kv_heads, "sms": alone.sms, "busy": alone.busy,
                   "idle": alone.sms - alone.busy,
                   "share": f"{100 * alone.busy / alone.sms:.1f}\u00a0%"}


def _price(view):
    """The present scene in numbers: thread blocks, turns, the longest walk, and the bytes that splitting adds."""
    settings = view.settings
    seating, price = facts.seating(settings), facts.price(settings)
    view.figures(("decode.blocks", view.number(seating.blocks), "", "computed"),
                 ("decode.waves", view.number(seating.waves), "", "computed"),
                 ("decode.tiles", view.number(seating.tiles * seating.waves), "", "computed"),
                 ("decode.kv_read", view.size(price.cache), "desk", "computed"),
                 ("decode.parts", view.size(price.parts), "desk", "computed"))
    view.section("price", sms=seating.sms)


def phases(view):
    """The bytes of a whole text read at once and of its next word; what tiling saves, and operations for each byte."""
    spec = gpu(view.settings.gpu)
    values = {"n": view.number(facts.LONG), "prefill": view.ratio(facts.saving("prefill")),
              "decode": view.ratio(facts.saving("decode")), "d": facts.MODEL.d, "gpu": spec.name,
              "kv": view.size(facts.bill("decode", "flash2").desk.by_tensor["K"].read * 2),
              "alone": f"{facts.intensity(facts.phase('decode')):.2g}",
              "grouped": f"{facts.intensity(facts.phase('decode', kv_heads=facts.MODEL.kept.kv_heads)):.2g}",
              "heads": facts.MODEL.heads, "groups": facts.MODEL.kept.kv_heads,
              "group": facts.MODEL.heads // facts.MODEL.kept.kv_heads,
              "together": view.number(round(facts.intensity(facts.phase("prefill")))),
              "balance": f"{facts.balance(spec):.0f}"}
    view.section("phases", **values)
    if not view.present and not predict(view, "helps", ("more", "same", "hardly"), "hardly", **values):
        return
    yardstick(pictures.bills(view), key="decode:bills")
    rates = (values["alone"], values["balance"], values["together"])
    if view.present or predict(view, "rate", rates, values["alone"], **values):
        yardstick(pictures.intensities(view, view.settings), key="decode:intensities")
        view.controls("gpu")
        view.section("balance", **values)


def cache(view):
    """What every token leaves behind, by four ways of keeping it."""
    model, layers = facts.MODEL, facts.MODEL.layers
    kept = {way: one.bytes(layers) for way, one in facts.shapes().items()}
    values = {"layers": layers, "heads": model.heads, "d": model.d, "kv": model.kept.kv_heads,
              **{way: view.binary(size) for way, size in kept.items()},
              "tokens": view.number(facts.LONG), "long": view.binary(kept["mha"] * facts.LONG),
              "groups": f"{kept['mla'] / kept['mqa']:.3g}"}
    view.section("cache", **values)
    options = tuple(view.binary(size) for size in (kept["mha"] // layers, kept["mha"], kept["mha"] * layers))
    if not view.present and not predict(view, "leaves", options, values["mha"], **values):
        return
    made = chart(view, view.settings)
    show(made, key="decode:chart")
    view.controls("batch", "gpu", batch="decode.texts")
    if not view.present:
        take(made, key="decode:take")
        _models(view)


def _models(view):
    """Some models' caches, with every head's K and V for contrast."""
    view.section("models")
    rows = [(model.name, view.label(f"decode.way_{model.kept.way}", kv=model.kept.kv_heads), view.number(model.layers),
             view.binary(model.bytes()), view.binary(model.unshared.bytes(model.layers)),
             view.binary(model.bytes(facts.LONG))) for model in models().values()]
    head = [view.label(f"decode.column_{name}", n=view.number(facts.LONG))
            for name in ("model", "way", "layers", "token", "unshared", "text")]
    caption = view.label("decode.models_caption", badges=view.badges("", "computed"),
                         sources="; ".join(dict.fromkeys(model.source for model in models().values())))
    st.html(table(head, rows, caption))


def _played(view, splits):
    """The small row, run at a desk made to measure."""
    problem, tiling, algorithm = facts.row(splits)
    return played(problem, tiling, small_desk(problem, tiling, (algorithm,)), algorithm,
                  view.label(f"decode.title_{algorithm}", workers=tiling.splits), row=0)


def staged(view) -> str:
    """The JSON text of the stage."""
    problem, tiling, algorithm = facts.row(view.settings.splits)
    caption = view.label("decode.caption", n=problem.n_k, d=problem.d, piece=tiling.bc, workers=tiling.splits,
                         badges=view.badges("desk", "counted"))
    return stage_scene(view, _played(view, view.settings.splits), caption=caption, words=f"decode.stage_{algorithm}",
                       file=f"decode-n{problem.n_k}-splits{tiling.splits}")


SCENES = {scene.__name__: scene for scene in (row, floor, phases, cache)}
