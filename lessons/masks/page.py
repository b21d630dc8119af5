"""Masks: which tiles are fetched at all, what that saves on the desk and in the cabinet, and two ways to mask badly."""

import streamlit as st

from lessons.card.written import figure
from lessons.masks import facts, holes, pictures
from lessons.masks.chooser import chooser
from lessons.played import played, stage_scene
from lessons.predict import predict
from lessons.settings import Flag, Pair, Powers, Whole
from lessons.story import small_desk
from lessons.views.stage import stage
from lessons.views.table import table
from lessons.views.yardstick import yardstick
from simulator import Problem, Tiling, gpu

FIELDS = {
    "n": Whole(16, 4, 32),
    "br": Powers(4, 2, 16),
    "causal": Flag(True),
    "window": Pair((-1, -1), -1, 32),
    "pads": Whole(2, pictures.PADS[0], pictures.PADS[-1]),
    "push": Whole(0, pictures.LEVELS[-1], pictures.LEVELS[0]),
    "step": Whole(0, 0, 10**7),
}
WIDTH = 8                               # d on the stage


def page(view):
    """Draw the page: a masked table on the stage, three questions on what it saves, two on how not to mask."""
    settings = view.settings
    view.section("lead", n=view.number(settings.n))
    if not view.present:
        chooser(view, FIELDS)
        view.controls("n", "br", n="walk.people", br="walk.block")
    stage(scene(view), key="masks:stage")
    if view.present:
        return
    if _saves(view, settings.tiling()) and _cabinet(view):
        _grouped(view)
    view.section("badly")
    _pads(view)
    _stand_ins(view)
    view.section("computer")


def scene(view) -> str:
    """The JSON text of the page's stage: the masked run."""
    settings = view.settings
    problem = Problem(n=settings.n, d=WIDTH, causal=settings.causal, window=settings.window)
    tiling = settings.tiling()
    shown = played(problem, tiling, small_desk(problem, tiling), "flash2", view.label("algorithm.flash2"))
    left, right = problem.mask.left, problem.mask.right
    caption = view.label("masks.caption", n=problem.n, d=problem.d, block=tiling.br, left=_side(left),
                         right=_side(right), badges=view.badges("desk", "counted"))
    name = f"masks-n{problem.n}-b{tiling.br}-window{left},{right}"
    return stage_scene(view, shown, file=name, caption=caption)


def _side(width):
    return "∞" if width < 0 else str(width)


def _saves(view, tiling):
    """Ask what a causal mask saves of the fetching, in the sizes on the stage."""
    plain = Problem(n=view.settings.n, d=WIDTH)
    before, after = facts.seen(plain, tiling), facts.seen(facts.causal(plain), tiling)
    large = Problem(n=facts.NEAR.n, d=facts.NEAR.d)
    many, left = (facts.seen(one, Tiling(facts.ROWS, facts.ROWS)).tiles for one in (large, facts.causal(large)))
    values = {"cells": view.number(before.cells), "hidden": view.number(before.cells - after.cells),
              "hidden_share": _percent(1 - after.cells / before.cells),
              "saved": _percent(1 - after.fetched / before.fetched), "tiles": after.tiles, "all_tiles": before.tiles,
              "visible_share": _percent(after.cells / before.cells), "long": view.number(large.n),
              "rows": facts.ROWS, "long_share": _percent(left / many)}
    if not predict(view, "saves", ("less", "same", "none"), "less", **values):
        return False
    view.figures(("masks.cells_seen", f"{view.number(after.cells)} / {view.number(before.cells)}", "", "counted"),
                 ("masks.tiles_seen", f"{after.tiles} / {before.tiles}", "", "counted"),
                 ("masks.kv_plain", view.bytes(before.fetched), "desk", "computed"),
                 ("masks.kv_causal", view.bytes(after.fetched), "desk", "computed"))
    return True


def _percent(share):
    return f"{100 * share:.1f}\u00a0%"


def _cabinet(view):
    """Ask what a causal mask saves at the cabinet, while K and V fit the shelf and when they do not."""
    plain, masked = facts.bill(facts.NEAR), facts.bill(facts.causal(facts.NEAR))
    far, far_masked = facts.bill(facts.FAR), facts.bill(facts.causal(facts.FAR))
    values = {"gpu": gpu(facts.GPU).name, "n": view.number(facts.NEAR.n), "heads": facts.NEAR.heads,
              "desk": view.size(plain.desk), "desk_masked": view.size(masked.desk), "cabinet": view.size(plain.cabinet),
              "cabinet_masked": view.size(masked.cabinet), "kv": view.size(facts.kv_bytes(facts.NEAR)),
              "far": view.number(facts.FAR.n), "far_kv": view.size(facts.kv_bytes(facts.FAR)),
              "far_plain": view.size(far.cabinet), "far_masked": view.size(far_masked.cabinet),
              "factor": view.ratio(far_masked.cabinet / far.cabinet)}
    if not predict(view, "cabinet", ("half", "quarter", "none"), "none", **values):
        return False
    yardstick(pictures.bills(view, facts.NEAR, facts.causal(facts.NEAR), "masked"), key="masks:bills")
    view.section("far", **values)
    yardstick(pictures.bills(view, facts.FAR, facts.causal(facts.FAR), "masked", ("cabinet",)), key="masks:beyond")
    return True


def _grouped(view):
    """Ask which bill falls when several query heads share K and V."""
    plain, shared = facts.bill(facts.NEAR), facts.bill(facts.grouped(facts.NEAR))
    values = {"heads": facts.NEAR.heads, "groups": facts.GROUPS, "cabinet": view.size(plain.cabinet),
              "desk_shared": view.size(shared.desk), "cabinet_shared": view.size(shared.cabinet)}
    if predict(view, "grouped", ("desk", "cabinet", "both"), "cabinet", **values):
        yardstick(pictures.bills(view, facts.NEAR, facts.grouped(facts.NEAR), "shared"), key="masks:heads")


def _pads(view):
    """Ask what two appended keys of zeros take, then let them be counted and kept out."""
    first, second = holes.shares(4, 2)
    values = {"lost": _percent(1 - first - second), "each": _percent((1 - first - second) / 2)}
    if predict(view, "zeros", ("nothing", "little", "second"), "second", **values):
        yardstick(pictures.pads(view, view.settings), key="masks:pads",
                  moved=view.turns("pads", pictures.PADS))


def _stand_ins(view):
    """Ask when a large negative number fails to hide, then try some at every level of scores."""
    values = {"fill": pictures.low(holes.STAND_INS[0]), "lowest": pictures.low(holes.LOWEST_FP16)}
    if not predict(view, "fails", ("never", "high", "low"), "low", **values):
        return
    yardstick(pictures.stand_ins(view, view.settings), key="masks:stand",
              moved=view.turns("push", pictures.LEVELS))
    view.section("nobody", mean=figure(holes.alone(holes.STAND_INS[0])), zero=figure(holes.program_alone()))
    head = [view.label(f"masks.column_{name}") for name in ("fill", "result")]
    st.html(table(head, pictures.nobody(view), view.badges("", "counted")))
