"""What stays empty over the size of a page, as a chart to take along."""

from lessons.neighbours import facts
from lessons.sweeps import today
from lessons.views.chart import Axis, Chart, Series


def chart(view, settings) -> Chart:
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
