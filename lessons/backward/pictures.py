"""The page's bars: the price of a cell, what waits between the passes, and Figure 2 of the first paper rebuilt."""

from lessons.backward import facts
from lessons.views.chart.layout import Scale
from lessons.views.numbers import exact, short
from lessons.views.yardstick import Knob, Mark, Part, Row, Yardstick
from simulator import figure2, gpu

WIDTHS = tuple(2**power for power in range(4, 11))
LENGTHS = tuple(2**power for power in range(9, 21))
BLOCKS = tuple(range(64, 513, 64))
PICO = 1e12
COLOURS = {"standard_backward": "standard", "flash1_backward": "flash1", "flash2_backward": "flash2"}


def prices(view, settings) -> Yardstick:
    """A cell of P carried three times, and computed again, in picoseconds; the knob turns d."""
    found, spec = facts.price(settings.d, settings.gpu), gpu(settings.gpu)
    place = Scale("linear", 0, 1.1 * max(found.carried, found.again), ()).place
    carried = _stretches(place, [("P", view.label(f"backward.part_{name}"), size) for name, size in
                                 zip(("filed", "fetched", "fetched"), found.carries, strict=True)])
    again = _stretches(place, [("S", view.label("backward.part_product"), found.product),
                               ("card", view.label("backward.part_exp"), found.exp)])
    rows = (Row(view.label("backward.row_carried"), carried, _pico(found.carried), view.label("backward.note_carried")),
            Row(view.label("backward.row_again"), again, _pico(found.again),
                view.label("backward.note_again", d=settings.d), alarm=found.again > found.carried))
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, summary=_summary(rows),
        knob=Knob(view.label("field.d"), WIDTHS.index(settings.d), tuple(map(exact, WIDTHS))),
        caption=view.label("backward.caption_price", gpu=spec.name, badges=view.badges("cabinet", "modelled")))


def _stretches(place, parts):
    """Parts one behind the other, each (role, word, size)."""
    ends = [sum(size for *_, size in parts[:k]) for k in range(len(parts) + 1)]
    return tuple(Part(place(ends[k]), place(ends[k + 1]), role, word, "striped" if k % 2 else "full")
                 for k, (role, word, _) in enumerate(parts))


def _pico(seconds):
    return f"{seconds * PICO:.2f} ps"


def waiting(view, settings) -> Yardstick:
    """What waits between the passes, on a scale of tens beside the GPU's memory; the knob turns N."""
    spec, found = gpu(settings.gpu), {way: facts.kept(way, settings.length) for way in facts.WAYS}
    place = Scale("log10", 1e3, 1e14, ()).place
    rows = tuple(Row(view.label(f"algorithm.{way}"), (Part(0.0, place(size), COLOURS[way]),), short(size, "B"),
                     view.label(f"backward.kept_{way}"), alarm=size > spec.memory_bytes) for way, size in found.items())
    memory = view.label("table.mark_cabinet", size=short(spec.memory_bytes, "B"))
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, summary=_summary(rows),
        marks=(Mark(place(spec.memory_bytes), memory),),
        ticks=tuple((place(10.0**power), short(10.0**power, "B")) for power in range(3, 14, 3)),
        knob=Knob(view.label("field.length"), LENGTHS.index(settings.length), tuple(map(exact, LENGTHS))),
        caption=view.label("backward.caption_kept", gpu=spec.name, d=facts.LAYER.d, heads=facts.LAYER.heads,
                           dtype=facts.LAYER.dtype, badges=view.badges("", "computed")))


def figure(view, settings) -> Yardstick:
    """The left panel's gigabytes: counted by an account and a B_c, beside both printed versions; the knob turns B_c."""
    account = facts.standard_accounts()[settings.account]
    flash, released = facts.flash_account(settings.bc), facts.flash_account()
    arxiv, neurips = figure2.PRINTED
    both = view.label("list.comma").join((arxiv.version, neurips.version))
    place = Scale("linear", 0, 44e9, ()).place
    rows = (_counted(view, "standard", account, 0, place),
            _printed(view, "standard", arxiv.version, arxiv.gigabytes[0], place),
            _printed(view, "standard", neurips.version, neurips.gigabytes[0], place),
            _counted(view, "flash1", flash, 1, place), _counted(view, "released", released, 1, place),
            _printed(view, "flash1", both, arxiv.gigabytes[1], place))
    p = figure2.WORKLOAD
    return Yardstick(
        rows=rows, lang=view.lang, present=view.present, summary=_summary(rows),
        ticks=tuple((place(size * 1e9), f"{size} GB") for size in range(0, 41, 10)),
        knob=Knob(view.label("backward.figure_bc"), BLOCKS.index(settings.bc), tuple(map(exact, BLOCKS))),
        caption=view.label("backward.caption_figure", n=exact(p.n), d=p.d, heads=p.heads, batch=p.batch, dtype=p.dtype,
                           badges=view.badges("paper", "computed"), published=view.label("tag.published")))


def _counted(view, name, account, column, place):
    """An account of figure2, with how far it lies from each printed number."""
    apart = " · ".join(f"{printed.version} {signed(account.against(printed.gigabytes[column]))}"
                       for printed in figure2.PRINTED[:1 if column else None])
    passes = view.label(f"backward.passes_{'matrices' if column else 'tables'}", tables=f"{account.tables:g}",
                        matrices=account.matrices)
    role = "standard" if name == "standard" else "flash1"
    return Row(view.label(f"backward.figure_{name}", bc=account.bc or ""), (Part(0.0, place(account.bytes), role),),
               gigabytes(account.bytes), f"{passes} · {apart}")


def _printed(view, role, version, size, place):
    return Row(view.label("backward.figure_printed"), (Part(0.0, place(size * 1e9), role, look="outline"),),
               f"{size} GB", version)


def signed(share: float) -> str:
    """A share as a signed percentage: −37.4 %, +0.7 %."""
    return f"{100 * share:+.1f}\u00a0%".replace("-", "−")


def gigabytes(size: float) -> str:
    """Bytes as gigabytes of two decimals, as the page compares them with printed ones."""
    return f"{size / 1e9:.2f} GB"


def _summary(rows):
    return "; ".join(f"{row.name}, {row.note}: {row.number}" for row in rows)
