"""The workbench: any sizes, any mask, any GPU; every tile, every line, every byte."""

import streamlit as st

from lessons.played import played, stage_scene, watchable
from lessons.settings import ALGORITHMS, DTYPES, Choice, Flag, Pair, Powers, Subset, Whole, any_gpu
from lessons.views.stage import stage
from lessons.views.table import Tensor, table
from lessons.workbench import challenges
from simulator import Problem, accounting, gpu, simulate
from simulator.bounds import compulsory
from simulator.errors import DoesNotFit
from simulator.problem import LARGEST_N
from simulator.tiling import fits, largest_blocks

FIELDS = {
    "algorithm": Choice("flash2", ALGORITHMS),
    "n": Whole(256, 1, LARGEST_N),
    "d": Whole(64, 1, 512),
    "br": Powers(64, 1, 1024),
    "bc": Powers(64, 1, 1024),
    "heads": Whole(1, 1, 1024),
    "dtype": Choice("fp16", DTYPES),
    "causal": Flag(),
    "gpu": any_gpu("h200"),
    "n_kv": Whole(None, 1, LARGEST_N),
    "kv_heads": Whole(None, 1, 1024),
    "batch": Whole(1, 1, 4096),
    "window": Pair((-1, -1), -1, LARGEST_N),
    "stages": Whole(1, 1, 8),
    "lse": Flag(),
    "passes": Subset(),
    "seed": Whole(0, 0, 2**32 - 1),
    "step": Whole(0, 0, 10**7),
}
MORE = (("n_kv", "kv_heads", "batch", "stages"), ("window", "passes", "seed", "lse"))


def page(view):
    """Draw the page: the settings, the run on the stage or why it cannot be watched, the ledger, things to find."""
    settings = view.settings
    view.section("lead")
    view.controls("algorithm", "gpu", "n", "d")
    view.controls("br", "bc", "heads", "dtype", "causal")
    _more(view)
    problem, tiling, spec = settings.problem(), settings.tiling(), gpu(settings.gpu)
    cost = accounting.cost(settings.algorithm, problem, tiling)
    if not fits(cost.peak, spec):
        _refuse(view, problem, tiling, spec)
    elif not watchable(problem, tiling):
        tiles = -(-problem.n // tiling.br) * -(-problem.n_k // tiling.bc)
        st.info(view.label("workbench.toolarge", tiles=view.number(tiles)))
    shown = fits(cost.peak, spec) and watchable(problem, tiling) and _watch(view, problem)
    tag = "counted" if shown else "computed"
    _bill(view, problem, cost, tag)
    _ledger(view, cost, tag)
    view.section("find")
    if not view.present:
        challenges.draw(view)
    view.section("computer")


def _more(view):
    """Draw the rarer settings when asked for, or when the scene already uses one of them."""
    if view.present:
        return
    used = any(getattr(view.settings, name) != FIELDS[name].default for line in MORE for name in line)
    if st.toggle(view.label("workbench.more"), value=used, key="workbench:more"):
        for line in MORE:
            view.controls(*line)


def _watch(view, problem):
    """Play one head of the run on the stage; the chosen row of the card is the browser's."""
    row = st.session_state.get("workbench:row")
    row = row if row is None or row < problem.n else None
    told = stage(scene(view, row), key="workbench:stage")
    if told.row is not None and told.row < problem.n and told.row != row:
        st.session_state["workbench:row"] = told.row
        st.rerun(scope="fragment")
    return True


def scene(view, row=None) -> str:
    """The JSON text of the page's stage: one head, and the card of a row."""
    algorithm, problem, tiling = view.settings.algorithm, view.settings.problem(), view.settings.tiling()
    spec = gpu(view.settings.gpu)
    shown = played(_one_head(problem), tiling, spec, algorithm, view.label(f"algorithm.{algorithm}"), "lines", row)
    caption = view.label("workbench.caption", n=problem.n, keys=problem.n_k, d=problem.d, br=tiling.br, bc=tiling.bc,
                         dtype=problem.dtype, gpu=spec.name, badges=view.badges("desk", "counted"))
    name = f"workbench-{algorithm}-n{problem.n}-d{problem.d}-br{tiling.br}-bc{tiling.bc}-{problem.dtype}"
    return stage_scene(view, shown, file=name, caption=caption)


def _one_head(problem):
    """The problem of one head: heads and batches are alike and independent, one is watched and the bytes multiplied."""
    return Problem(n=problem.n, d=problem.d, n_kv=problem.n_kv, dtype=problem.dtype, causal=problem.causal,
                   window=problem.window, lse=problem.lse, passes=problem.passes, seed=problem.seed)


def _refuse(view, problem, tiling, spec):
    """Say which tile does not fit, by running into it with one tile's worth of work, and what would fit."""
    algorithm = view.settings.algorithm
    one_tile = Problem(n=min(problem.n, tiling.br), n_kv=min(problem.n_k, tiling.bc), d=problem.d, dtype=problem.dtype)
    largest = largest_blocks(algorithm, problem.d, problem.dtype, spec, tiling.stages)
    try:
        simulate(one_tile, tiling, spec, algorithm, execute=True)
    except DoesNotFit as error:
        view.problem(error)
    st.info(view.label("workbench.largest" if largest.square else "workbench.nothing", gpu=spec.name, d=problem.d,
                       square=largest.square))


def _bill(view, problem, cost, tag):
    """The bytes by ruler, what must move whatever is done, and the work."""
    must = compulsory(problem)
    view.figures(
        ("workbench.read", view.bytes(cost.desk.read), "desk", tag),
        ("workbench.written", view.bytes(cost.desk.write), "desk", tag),
        ("workbench.paper", view.size(cost.paper.total), "paper", "computed"),
        ("workbench.compulsory", view.size(must.total), "desk", "computed"),
        ("workbench.moves", view.number(cost.tile_moves), "desk", tag),
        ("workbench.flops", view.number(cost.flops.matmul), "", tag),
        ("workbench.exps", view.number(cost.flops.exp), "", tag),
        ("workbench.intensity", f"{cost.flops.matmul / cost.desk.total:,.1f}", "desk", tag))


def _ledger(view, cost, tag):
    """The ledger by kernel and tensor."""
    rows = [(kernel, Tensor(tensor), view.number(t.read), view.number(t.write))
            for (kernel, tensor), t in cost.desk.moves.items()]
    head = [view.label(f"workbench.column_{name}") for name in ("kernel", "tensor", "read", "written")]
    st.html(table(head, rows, f"{view.label('workbench.ledger')} · {view.badges('desk', tag)}",
                  (view.label("workbench.total"), "", view.number(cost.desk.read), view.number(cost.desk.write))))
