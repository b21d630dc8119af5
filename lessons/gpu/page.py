"""On the GPU: the ladder of kernels, which block is faster, kernel beside program, what the compiler made of it."""

from html import escape
from itertools import groupby

import streamlit as st

from lessons import measured
from lessons.gpu import assembly, built, facts, ideas, ladder, live, speed, twins
from lessons.predict import predict
from lessons.settings import Flag, Powers, Tabs
from lessons.tabs import scenes
from lessons.text import Several
from lessons.views.chart.live import show, take
from lessons.views.numbers import percent
from lessons.views.table import table
from lessons.views.twins import twins as listings
from simulator.designs import READER

FIELDS = {
    "n": Powers(4096, 512, 16_384),
    "d": Powers(128, 64, 128),
    "causal": Flag(),
    "measure": Tabs("tflops", ("tflops", "ms")),
    "algorithm": Tabs("flash2", tuple(twins.MIRRORS)),
    "shows": Tabs("none", ("none", *assembly.FORMS)),
    "arch": Tabs("90", assembly.ARCHS, {arch: f"sm_{arch}" for arch in assembly.ARCHS}),
    "scene": Tabs("ladder", ("ladder", "rates", "ideas")),               # on the projector
}
WEIGHED = ("readers", "level", "stay", "edge", "turns", "overlap")        # the ideas of which the text speaks
EVERY_S = 3                             # how often a page looks whether the timing is done


def page(view):
    """Draw the page: the ladder, a guess about two blocks, the timings, the two listings, the compiled kernels."""
    bench = _bench()
    if view.present:
        _projected(view, bench) if bench else programs(view)
        return
    view.section("lead")
    view.controls("d", "causal")
    if not bench:
        view.section("none")
    else:
        climb(view, bench)
        timed(view, bench)
    _timing(view)
    view.section("code")
    view.controls("algorithm")
    programs(view)
    compiled(view, bench)
    written(view)
    view.section("computer")


def _bench():
    """The timings to show: those made here, else the newest that were recorded."""
    made_here = live.possible() and live.stopwatch().state == "done"
    recorded = measured.benches()
    return live.stopwatch().bench() if made_here else recorded[0] if recorded else None


def _projected(view, bench):
    """Draw one picture for the wall, and offer the others."""
    drawn = [name for name in PICTURES if name != "ideas" or ideas.timed(bench)]
    scenes(view, drawn)
    PICTURES[view.settings.scene if view.settings.scene in drawn else drawn[0]](view, bench)


# One kernel above the other.


def climb(view, bench):
    """Ask which step of the ladder speeds it up most, show it, and ask what the last step saves."""
    found = ladder.climbed(bench, view.settings)
    if sum(one.desk is not None for one in found) < len(ladder.RUNGS):
        return
    view.section("ladder")
    view.controls("n")
    numbers = _steps(view, bench, found)
    if facts.clear(found):
        options, right, _ = facts.steps(found)
        if not predict(view, "rung", options, right, **numbers):
            return
    else:
        view.section("rung", **numbers)
    rungs(view, bench)
    _swept(view, bench)
    if not facts.waits_less(found):
        view.section("faster")
    elif not predict(view, "faster", ("bytes", "arithmetic", "waiting"), "waiting", **numbers):
        return
    without(view, bench)


def _steps(view, bench, found):
    """What the text quotes of the steps: which is worth most, and whether v1 had thread blocks enough."""
    _, right, numbers = facts.steps(found)
    d, n = view.settings.d, view.settings.n
    numbers |= facts.one_block_a_head(bench, d, n) | {"d": view.number(d), "spread": percent(facts.SPREAD)}
    most, dealt = right if facts.clear(found) else "near", "few" if facts.few_heads(bench, d, n) else "enough"
    return numbers | {"most": view.label(f"gpu.most.{most}", **numbers),
                      "dealt": view.label(f"gpu.dealt.{dealt}", **numbers)}


def _swept(view, bench):
    """Say how v2's own block stands to the best of a sweep at this size."""
    found = facts.swept(bench, view.settings)
    if found:
        own, best = found
        view.section("swept" if best.tflops > (1 + facts.SPREAD) * own.tflops else "settled", own=_launch(view, own),
                     best=_launch(view, best), rate=f"{best.tflops:.0f}")


def _launch(view, timing):
    """A block with its warps and stages in words."""
    return view.label("gpu.launch", br=timing.tiling.br, bc=timing.tiling.bc, warps=timing.warps,
                      stages=timing.tiling.stages)


def rungs(view, bench):
    """Draw the ladder at the scene's size."""
    found = ladder.climbed(bench, view.settings)
    if found:
        st.html(ladder.draw(view, bench, found))


def without(view, bench):
    """Draw what each idea of the top rung bought, where it was timed without them."""
    row = ideas.timed(bench)
    if row:
        counts = Several(view.label("gpu.readers_at", d=d, count=count) for d, count in ideas.readers(bench).items())
        view.section("ideas", n=view.number(row["n"]), kernel=speed.name(row["kernel"], view.lang), rows=READER,
                     readers=counts, spread=percent(facts.SPREAD))
        st.html(ideas.draw(bench, view.lang))
        said = ideas.spans(bench) | ideas.fewer_readers(bench) | {"spread": percent(facts.SPREAD)}
        if all(f"{name}_low" in said for name in WEIGHED):
            view.section("weighed", **said)


# Beside PyTorch, over N.


def timed(view, bench):
    """Ask which of two blocks is faster, then draw every kernel over N."""
    if _guess(view, bench):
        view.controls("measure")
        rates(view, bench)
        view.section("rates", **facts.against(bench, view.settings.d, view.settings.causal))


def _guess(view, bench):
    """Ask which of two blocks is faster, then show all that were timed; without a sweep there is nothing to guess."""
    asked = facts.blocks(bench, view.settings.d)
    if not asked:
        return True
    options, right, numbers = asked
    if not predict(view, "shape", options, right, **numbers):
        return False
    kernels = [name for name in speed.OURS if speed.shapes(bench, name, view.settings.d)]
    st.html(speed.bars(bench, kernels, view.settings.d, view.lang))
    return True


def rates(view, bench):
    """Draw every kernel over N."""
    settings = view.settings
    drawn = speed.chart(bench, settings.d, settings.causal, settings.measure, view.lang, view.link)
    show(drawn, key="gpu:chart")
    if not view.present:
        take(drawn, key="gpu:take")


PICTURES = {"ladder": rungs, "rates": rates, "ideas": without}


def programs(view):
    """Draw the simulator's program and the kernel side by side."""
    algorithm = view.settings.algorithm
    mirror = twins.MIRRORS[algorithm]
    titles = (view.label("gpu.program", file=f"simulator/algorithms/{mirror}.py"),
              view.label("gpu.kernel", file=f"kernels/{mirror}.py"))
    st.html(listings(twins.twins(algorithm), titles))


# Timed here and now.


def _timing(view):
    """Offer to time the kernels where there is a GPU, and say how far that is."""
    if not live.possible():
        view.section("recorded")
        return
    watch = live.stopwatch()
    if watch.state == "running":
        _waiting(view)
        return
    if watch.state == "failed":
        st.warning(view.label("gpu.failed"))
    if st.button(view.label("gpu.time_it"), key="gpu:time"):
        watch.start()
        st.rerun(scope="fragment")


@st.fragment(run_every=EVERY_S)
def _waiting(view):
    """Say that the timing runs, until it is done."""
    if live.stopwatch().state == "running":
        st.info(view.label("gpu.running"))
    else:
        st.rerun()


# Compiled for GPUs that need not be there.


def compiled(view, bench):
    """Draw what the compiler made of the kernels for four generations, beside the simulator's footprint."""
    rows, versions = built.built(view.settings.d)
    if not rows:
        return
    view.section("compiled", **{name: versions.get(name, "") for name in ("triton", "date")}, d=view.settings.d,
                 generations=Several(built.generation(arch) for arch in sorted({one.arch for one in rows})))
    columns = ("kernel", "arch", "shared", "footprint", "why", "registers", "spilled", "multiplies", "fetches")
    lines = [_compiled_row(view, "" if index else kernel, one) for kernel, ones in groupby(rows, lambda one: one.kernel)
             for index, one in enumerate(ones)]
    st.html(table([view.label(f"gpu.column_{name}") for name in columns], lines))
    if bench:
        view.section("compilers", timed=dict(bench.record.versions).get("triton", ""), triton=versions["triton"])
    _launched(view, rows)
    view.section("why")


def _launched(view, rows):
    """Say what warps and registers mean where a kernel's warps have roles."""
    for one in (one for one in rows if one.kernel == facts.FASTEST_OURS):
        view.section("launched", kernel=speed.name(one.kernel, view.lang), warps=one.warps, registers=one.registers,
                     readers=facts.READERS_REGISTERS[one.br // READER], fetchers=facts.FETCHERS_REGISTERS)


def _compiled_row(view, kernel, one):
    name = view.label("gpu.built", name=speed.name(kernel, view.lang), br=one.br, bc=one.bc, warps=one.warps,
                      stages=one.stages) if kernel else ""
    return (name, f"sm_{one.arch}", view.number(one.shared_bytes), view.number(int(one.footprint.shared_bytes)),
            view.label(f"gpu.why.{one.reason}"), view.number(one.registers), view.number(one.spilled_bytes),
            built.short(one.multiplies), built.short(one.fetches))


def written(view):
    """Offer the compiler's own text of the kernel above, and count in it what the kernel does."""
    settings = view.settings
    kernel = twins.MIRRORS[settings.algorithm]
    if not assembly.possible():
        sizes = f"--kernel {kernel} --d {settings.d} --arch {settings.arch}"
        view.section("uncompiled", command=f"`python -m kernels compile --show ptx {sizes}`")
        return
    view.section("text", kernel=f"`{kernel}`")
    view.controls("shows", "arch")
    if settings.shows == "none":
        return
    with st.spinner(view.label("gpu.compiling")):
        listing = assembly.listing(kernel, settings.d, settings.arch, settings.shows)
    if not listing:
        st.warning(view.label("gpu.no_text"))
        return
    rows = [(view.label(f"gpu.doing.{doing}"), family, view.number(times))
            for doing, family, times in assembly.tally(listing)]
    st.html(table([view.label(f"gpu.column_{name}") for name in ("doing", "instruction", "times")], rows,
                  view.badges("", "counted")))
    name = f"{kernel}-d{settings.d}-sm{settings.arch}.{settings.shows}"
    st.html(f'<pre class="dc-listing" tabindex="0" role="region" aria-label="{name}">{escape(listing)}</pre>')
    st.download_button(view.label("gpu.take_text"), listing, name, "text/plain", on_click="ignore")
