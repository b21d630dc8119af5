"""What stays empty over the size of a page, and idle over the number of slots, as charts to take along."""

from dataclasses import replace

from lessons.neighbours import facts
from lessons.sweeps import today
from lessons.views.chart import Axis, Chart, Series


def empty(view, settings) -> Chart:
    """Slots kept and empty, in the mean of all steps: by pages of every size, and by reservations."""
    ask = facts.asked(settings)
    told = {"tag": "counted", "note": view.label("tag.counted")}
    flat = (facts.memories(ask)["contiguous"].unused,) * len(facts.PAGES)
    return Chart(
        title=view.label("neighbours.chart"), x=Axis(view.label("field.page"), "", "log2"),
        y=Axis(view.label("neighbours.unused"), "", "linear"), xs=facts.PAGES,
        series=(Series("contiguous", view.label("neighbours.way_contiguous", longest=ask.longest), flat, "standard",
                       **told),
                Series("paged", view.label("neighbours.paged"), facts.unused_by_page(ask), "flash1", "dashed", "square",
                       **told)),
        caption=(view.label("neighbours.chart_caption", requests=ask.requests, room=view.number(ask.room),
                            longest=ask.longest, seed=ask.seed), view.label("tag.counted"), today()),
        link=view.link, lang=view.lang,
        file=f"pages-requests{ask.requests}-slots{ask.slots}-longest{ask.longest}-seed{ask.seed}")


def idle(view, settings) -> Chart:
    """Cells in which nothing is written until all requests are done, with static batches and without, by slots."""
    ask = facts.asked(settings)
    told = {"tag": "counted", "note": view.label("tag.counted")}
    found = [facts.timelines(replace(ask, slots=count)) for count in facts.SLOTS]
    looks = {"static": ("standard", "solid", "circle"), "continuous": ("flash1", "dashed", "square")}
    return Chart(
        title=view.label("neighbours.chart_idle"), x=Axis(view.label("field.slots"), "", "linear"),
        y=Axis(view.label("neighbours.idle_axis"), "", "linear"), xs=facts.SLOTS,
        series=tuple(
            Series(way, view.label(f"neighbours.way_{way}"), tuple(one[way].idle for one in found), *look, **told)
            for way, look in looks.items()),
        caption=(view.label("neighbours.idle_caption", requests=ask.requests, longest=ask.longest // 4, seed=ask.seed),
                 view.label("tag.counted"), today()),
        link=view.link, lang=view.lang, file=f"slots-requests{ask.requests}-longest{ask.longest}-seed{ask.seed}")
