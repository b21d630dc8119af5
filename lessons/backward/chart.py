"""The middle panel of Figure 2 as a chart: bytes of the forward pass over B_c, by the algorithm and as released."""

from lessons.sweeps import today
from lessons.views.chart import Axis, Chart, Series
from lessons.views.numbers import exact
from simulator import figure2


def chart(view) -> Chart:
    """Algorithm 1, and the released code's partial sums in fp32, at the panel's block sizes."""
    sizes, by_algorithm, by_code = zip(*figure2.curve(), strict=True)
    p, badges = figure2.WORKLOAD, view.badges("paper", "computed")
    told = {"ruler": "paper", "tag": "computed", "note": badges}
    return Chart(
        title=view.label("backward.curve"), x=Axis(view.label("field.bc"), "", "log2"),
        y=Axis(view.label("backward.curve_bytes"), "B"), xs=sizes,
        series=(Series("algorithm", view.label("backward.curve_algorithm"), by_algorithm, "flash1", **told),
                Series("released", view.label("backward.curve_released"), by_code, "card", "dashed", "square", **told)),
        caption=(f"N = {exact(p.n)} · d = {p.d} · {p.batch} × {p.heads} · {p.dtype}",
                 view.label("backward.reconstruction"), badges, today()),
        link=view.link, lang=view.lang, file=f"figure2-middle-n{p.n}-d{p.d}-b{p.batch}-h{p.heads}")
