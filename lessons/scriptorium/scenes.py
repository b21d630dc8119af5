"""The five scenes of the older tale: the master's walks, the footsteps, the lamp, the batches, the trial."""

from urllib.parse import urlencode

import streamlit as st

from lessons import controls
from lessons import settings as asked
from lessons.card import asking
from lessons.card import facts as card_facts
from lessons.card.scenes import card_scene
from lessons.card.trail import trail
from lessons.card.written import figure
from lessons.played import played, stage_scene
from lessons.predict import predict
from lessons.scriptorium import facts, pictures
from lessons.story import small_desk
from lessons.views.bars import bars
from lessons.views.stage import stage
from lessons.views.table import table
from lessons.views.yardstick import yardstick
from simulator import gpu

VALUES = (2.0, 6.0, 4.0, 8.0)           # what stands on the four slips
RIGHT_DAY = "several"                   # two to a dozen times, on every GPU of the catalogue


def master(view):
    """One passage of the master's on the stage; how often its list crosses the courtyard."""
    n, volumes = view.settings.n, view.settings.br
    numbers = {"n": n, "volumes": volumes, "story_n": view.number(facts.TRIAL.n), "story_volumes": facts.VOLUMES}
    view.section("master", **numbers)
    _sizes(view)
    problem, blocks = facts.passage(n), facts.tiling("master", volumes)
    cost = _watch(view, "master", problem, blocks)
    all_of_them = facts.worked("master", n, volumes).cost
    carried = facts.lists_carried(cost, problem)
    numbers |= {"carries": carried, "all": view.number(facts.lists_carried(all_of_them, facts.bureau(n))),
                "fetched": facts.times_fetched(all_of_them, facts.bureau(n))}
    if predict(view, "walks", ("1", "2", str(carried)), str(carried), **numbers):
        view.figures(("scriptorium.lists_one", carried, "desk", "counted"),
                     ("scriptorium.lists_all", numbers["all"], "desk", "counted"),
                     ("scriptorium.fetched", numbers["fetched"], "desk", "counted"))


def feet(view):
    """The footsteps: how much of the day is walking, on a GPU of the reader's choice."""
    view.section("feet")
    walking, counting = facts.day(gpu(view.settings.gpu))
    values = {"gpu": gpu(view.settings.gpu).name, "ratio": f"{walking / counting:.2g}"}
    if view.present or predict(view, "steps", ("alike", "several", "hundred"), RIGHT_DAY, **values):
        view.controls("gpu")
        yardstick(pictures.day(view, view.settings), key="scriptorium:day")
        view.section("draft")


def lamp(view):
    """The slips under the lamp: the running card itself, held back until the question is answered."""
    scores = (*facts.SLIPS, facts.NEXT)
    known = asked.Settings(scores=scores, values=VALUES, piece=1, step=view.settings.step)
    found = card_facts.shrink(scores, VALUES)
    view.section("lamp", scores=found["scores"])
    answered = view.present or predict(view, "fourth", ("again", "factor", "wait"), "factor", **_sums(scores, found))
    until = None if answered or view.settings.step > len(facts.SLIPS) else len(facts.SLIPS)
    bars(card_scene(view, known, {}, until) | {"fixed": True}, key="scriptorium:lamp")
    query = urlencode({"lang": view.lang, "step": len(scores)})
    view.section("hand", link=f"card?{query}")


def _sums(scores, found):
    """The sums before and after the last slip."""
    before, after = trail(asking.ask(scores, VALUES, 1), VALUES)[-2:]
    return found | {"before": f"{before.l:.3f}", "after": f"{after.l:.3f}"}


def batches(view):
    """The scribe's batches on the stage; how often every passage is fetched."""
    n, volumes = view.settings.n, view.settings.br
    view.section("batches", volumes=volumes)
    _sizes(view)
    problem = facts.bureau(n)
    cost = _watch(view, "scribe", problem, facts.tiling("scribe", volumes))
    fetched = facts.times_fetched(cost, problem)
    numbers = {"n": n, "volumes": volumes, "batches": -(-n // volumes), "fetched": fetched,
               "master": facts.times_fetched(facts.worked("master", n, volumes).cost, problem),
               "lists": facts.lists_carried(cost, problem), "apart": figure(facts.apart(n, volumes))}
    if predict(view, "often", tuple(map(str, sorted({1, fetched, n}))), str(fetched), **numbers):
        view.figures(("scriptorium.batches_count", numbers["batches"], "desk", "counted"),
                     ("scriptorium.fetched", fetched, "desk", "counted"),
                     ("scriptorium.lists_all", numbers["lists"], "desk", "counted"),
                     ("scriptorium.apart", numbers["apart"], "", "counted"))


def trial(view):
    """The trial as the tale counts it, and counted alike."""
    bills = {way: facts.trial(way) for way in facts.TRIED}
    tiles = {way: bill.tiles for way, bill in bills.items()}
    numbers = {"n": view.number(facts.TRIAL.n), "volumes": facts.VOLUMES, "master": view.number(bills["master"].lists),
               "scribe": view.number(bills["scribe"].batches), "times": f"{tiles['master'] / tiles['scribe']:.3g}",
               **{f"{way}_tiles": view.number(count) for way, count in tiles.items()}}
    view.section("trial", **numbers)
    if not view.present and not predict(view, "unit", ("same", "two"), "two", **numbers):
        return
    _toggle(view)
    yardstick(pictures.trial(view, view.settings), key="scriptorium:trial")
    if not view.present:
        _units(view, bills)
    view.section("moral", **numbers)


def _units(view, bills):
    """All bills in every unit."""
    rows = [(view.label(f"scriptorium.unit_{unit}", rows=facts.VOLUMES),
             *(view.number(getattr(bill, unit)) for bill in bills.values()))
            for unit in ("lists", "batches", "tiles", "bytes")]
    head = [view.label("scriptorium.unit_column"), *(view.label(f"scriptorium.{way}") for way in bills)]
    st.html(table(head, rows, view.badges("desk", "computed")))


def _toggle(view):
    """Count both alike or not; a teacher can throw the switch on a projected page too."""
    kinds = view.page.module.FIELDS
    controls.control("alike", kinds["alike"], view.settings.alike, kinds, view.lang, view.label("field.alike"))


def _sizes(view):
    view.controls("n", "br", n="scriptorium.passages", br="scriptorium.volumes")


def _watch(view, way, problem, blocks):
    """Play a run on the stage; return what it cost."""
    stage(_staged(view, way, problem, blocks), key=f"scriptorium:{way}")
    return _played(view, way, problem, blocks).cost


def staged(view) -> str:
    """The JSON text of the stage of a scene that has one."""
    way, problem = STAGED[view.settings.scene]
    return _staged(view, way, problem(view.settings.n), facts.tiling(way, view.settings.br))


def _played(view, way, problem, blocks):
    """A run at a desk made to measure."""
    return played(problem, blocks, small_desk(problem, blocks), facts.ALGORITHM[way], view.label(f"scriptorium.{way}"))


def _staged(view, way, problem, blocks):
    """The run in the words of the tale."""
    caption = view.label("scriptorium.caption", asking=problem.n, n=problem.n_k, d=problem.d, volumes=blocks.bc,
                         badges=view.badges("desk", "counted"))
    return stage_scene(view, _played(view, way, problem, blocks), caption=caption, words="scriptorium.stage",
                       file=f"scriptorium-{way}-n{problem.n_k}-b{blocks.bc}")


STAGED = {"master": ("master", facts.passage), "batches": ("scribe", facts.bureau)}
SCENES = {scene.__name__: scene for scene in (master, feet, lamp, batches, trial)}
