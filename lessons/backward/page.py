"""Going backward: store the table P or compute it again; what waits in between; Figure 2 of the first paper rebuilt."""

from functools import lru_cache

import streamlit as st

from lessons.backward import facts, pictures
from lessons.backward.chart import chart
from lessons.played import at_one_desk, stage_scene
from lessons.predict import predict
from lessons.settings import Powers, Tabs, Whole, any_gpu
from lessons.tabs import scenes
from lessons.views.chart.live import show, take
from lessons.views.stage import stage
from lessons.views.table import table
from lessons.views.yardstick import yardstick
from simulator import Problem, Tiling, figure2, gpu

FIELDS = {
    "n": Whole(8, 2, 16),
    "br": Powers(4, 2, 8),
    "algorithm": Tabs(facts.WAYS[-1], facts.WAYS[1:]),
    "d": Powers(128, pictures.WIDTHS[0], pictures.WIDTHS[-1]),
    "gpu": any_gpu(),
    "length": Powers(4096, pictures.LENGTHS[0], pictures.LENGTHS[-1]),
    "account": Tabs(facts.ACCOUNTS[0], facts.ACCOUNTS),
    "bc": Whole(figure2.RELEASED, pictures.BLOCKS[0], pictures.BLOCKS[-1], step=64),
    "scene": Tabs("stage", ("stage", "prices", "waiting", "figure", "curve")),              # on the projector
    "step": Whole(0, 0, 10**7),
}


def page(view):
    """Draw the page: three questions with their pictures, the stage between them, and the figure rebuilt."""
    if view.present:
        scenes(view, PICTURES)
        PICTURES[view.settings.scene](view)
        return
    view.section("lead")
    _cheaper(view)
    view.section("watch")
    view.controls("n", "br", "algorithm", n="walk.people", br="walk.block", algorithm="backward.right")
    two_workers(view)
    _products(view)
    _waiting(view)
    _figure(view)
    view.section("computer")


def two_workers(view):
    """Draw the stage: the table carried on the left, computed again on the right."""
    stage(scene(view), key="backward:stage")


def scene(view) -> str:
    """The JSON text of the page's stage."""
    settings = view.settings
    problem, tiling = Problem(n=settings.n, d=facts.WIDTH), Tiling(settings.br, settings.br)
    workers = at_one_desk(view, problem, tiling, facts.desk(problem, tiling), (facts.WAYS[0], settings.algorithm))
    caption = view.label("walk.caption", n=problem.n, d=problem.d, block=tiling.br,
                         badges=view.badges("desk", "counted"))
    name = f"backward-{settings.algorithm}-n{problem.n}-d{problem.d}-b{tiling.br}"
    return stage_scene(view, *workers, file=name, caption=caption, words="backward.stage")


def prices(view):
    """Draw the price of a cell."""
    yardstick(pictures.prices(view, view.settings), key="backward:prices", moved=view.turns("d", pictures.WIDTHS))


def waiting(view):
    """Draw what waits between the passes."""
    yardstick(pictures.waiting(view, view.settings), key="backward:waiting",
              moved=view.turns("length", pictures.LENGTHS))


def figure(view):
    """Draw the left panel of Figure 2, rebuilt."""
    yardstick(pictures.figure(view, view.settings), key="backward:figure", moved=view.turns("bc", pictures.BLOCKS))


def curve(view):
    """Draw the middle panel of Figure 2, rebuilt."""
    drawn = chart(view)
    show(drawn, key="backward:curve")
    if not view.present:
        take(drawn, key="backward:take")


PICTURES = {"stage": two_workers, "prices": prices, "waiting": waiting, "figure": figure, "curve": curve}


def _cheaper(view):
    """Ask whether to carry the table or to compute it again, then weigh the two in seconds."""
    key, d = view.settings.gpu, facts.LAYER.d
    found = facts.price(d, key)
    values = {"gpu": gpu(key).name, "d": d, "carried": f"{found.carried * pictures.PICO:.2f}",
              "again": f"{found.again * pictures.PICO:.2f}", "even": view.number(round(facts.even(key))),
              "flops": 2 * d, "bytes": Problem(n=1, d=d).storage.table.bytes * len(found.carries)}
    if predict(view, "cheaper", ("carry", "again", "same"), "again", **values):
        view.controls("gpu")
        prices(view)
        view.section("price", **values)


def _products(view):
    """Ask how much arithmetic the backward pass takes, then show all the counts at full size."""
    standard, flash = facts.WAYS[0], facts.WAYS[-1]
    values = {"flash": facts.products(flash), "standard": facts.products(standard),
              "ratio": view.ratio(facts.against_forward(flash)), "less": view.ratio(facts.against_forward(standard)),
              "forward": round(facts.products(flash) / facts.against_forward(flash))}
    if predict(view, "products", ("×2", "×2.5", "×4"), values["ratio"], **values):
        st.html(table([view.label(f"backward.column_{name}") for name in COLUMNS], _counts(view), _size(view)))
        view.section("counts", **_bytes(view))


COLUMNS = ("way", "read", "written", "paper", "products", "flops", "ratio", "kept")


def _counts(view):
    """Rows of a table: a way, its bytes on two rulers, its products, and what it needs kept."""
    return [(view.label(f"algorithm.{way}"), view.size(cost.desk.read), view.size(cost.desk.write),
             view.size(cost.paper.total), facts.products(way), f"{cost.flops.paper / 1e9:,.1f} G",
             view.ratio(facts.against_forward(way)), view.size(facts.kept(way, facts.SIZE.n, facts.SIZE.d)))
            for way, cost in facts.bills().items()]


def _size(view):
    size, block = facts.SIZE, facts.BLOCKS.br
    return view.label("backward.caption_counts", n=view.number(size.n), d=size.d, heads=size.heads, block=block,
                      dtype=size.dtype, desk=view.badges("desk", "computed"), paper=view.badges("paper", "computed"))


def _bytes(view):
    bills = facts.bills()
    standard, flash = bills[facts.WAYS[0]], bills[facts.WAYS[-1]]
    tables = sum(standard.desk.by_tensor[name].total for name in facts.TABLES)
    return {"ratio": view.ratio(standard.desk.total / flash.desk.total), "passes": facts.passes(),
            "tables": view.size(tables), "share": f"{100 * tables / standard.desk.total:.0f}\u00a0%"}


def _waiting(view):
    """Ask how what is kept grows with N, then show it grow past the GPU's memory."""
    way, n = facts.WAYS[-1], view.settings.length
    values = {"flash": view.ratio(facts.kept(way, 2 * n) / facts.kept(way, n)),
              "table": view.ratio(facts.kept(facts.WAYS[0], 2 * n) / facts.kept(facts.WAYS[0], n)),
              "n": view.number(n), "standard_bytes": view.size(facts.kept(facts.WAYS[0], n)),
              "flash_bytes": view.size(facts.kept(way, n))}
    if predict(view, "waits", ("×1", "×2", "×4"), values["flash"], **values):
        waiting(view)


def _figure(view):
    """Ask what the printed algorithms come to against the printed gigabytes, then rebuild both panels."""
    values = _accounts()
    view.section("figure", **values)
    if not predict(view, "printed", ("less", "same", "more"), "less", **values):
        return
    view.controls("account")
    figure(view)
    view.section("misfits", **values)
    curve(view)
    view.section("middle", **values)


@lru_cache(maxsize=1)
def _accounts():
    """Every number of the reconstruction that the words name."""
    p, (arxiv, neurips) = figure2.WORKLOAD, figure2.PRINTED
    plain, masked, dropped = facts.standard_accounts().values()
    coarse, fine, released = (facts.flash_account(bc) for bc in (384, figure2.RELEASED, None))
    standard, flash = figure2.flops()
    accounts = {"plain": plain, "masked": masked, "dropped": dropped, "coarse": coarse, "fine": fine,
                "released": released}
    return {name: pictures.gigabytes(one.bytes) for name, one in accounts.items()} | {
        "n": f"{p.n:,}", "d": p.d, "heads": p.heads, "batch": p.batch, "tables": f"{plain.tables:g}",
        "matrices": plain.matrices, "all_tables": f"{dropped.tables:g}", "coarse_bc": coarse.bc, "fine_bc": fine.bc,
        "arxiv": f"{arxiv.gigabytes[0]} GB", "neurips": f"{neurips.gigabytes[0]} GB",
        "flash": f"{arxiv.gigabytes[1]} GB", "apart": pictures.signed(dropped.against(arxiv.gigabytes[0])),
        "half": f"{100 * figure2.table_bytes(1) / (arxiv.gigabytes[0] * 1e9):.1f}\u00a0%",
        "masked_apart": pictures.signed(masked.against(neurips.gigabytes[0])),
        "slow": arxiv.milliseconds[1], "slower": neurips.milliseconds[1],
        "gflops": " / ".join(map(str, arxiv.gflops)), "true": f"{standard / 1e9:.1f} / {flash / 1e9:.1f}"}
