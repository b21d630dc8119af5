"""The numbers that each answer of the page quotes, read from the bill that the reader sees."""

from lessons.count.bills import BESIDE, PIECES, Bill, desk_bytes, largest_piece
from lessons.settings import Settings
from lessons.views.numbers import exact, short, tick_text, times
from simulator import gpu


def bend(settings: Settings, bill: Bill) -> dict:
    """All three bills at the longest text, and how many pieces v2 makes of it."""
    longest = bill.chart.xs[-1]
    return {"longest": exact(longest), "pieces": exact(-(-longest // settings.br)),
            **{name: _size(bill.total(name, bill.ruler)[-1]) for name in bill.costs}}


def double(settings: Settings, bill: Bill) -> dict:
    """What both ways' bills do when the text doubles once more."""
    tiled, standard = bill.total("flash2", bill.ruler), bill.total("standard", bill.ruler)
    return {"short": exact(bill.chart.xs[3]), "long": exact(bill.chart.xs[4]), "rows": exact(settings.br),
            "before": _size(tiled[3]), "after": _size(tiled[4]), "tiled": times(tiled[4] / tiled[3]),
            "standard": times(standard[4] / standard[3])}


def halves(settings: Settings, bill: Bill) -> dict:
    """K and V's part at two heights of a piece, and the highest piece that fits."""
    parts = next(series.values for series in bill.chart.series if series.id == "flash2-kv")
    return {"low": exact(PIECES[2]), "high": exact(PIECES[3]), "before": _size(parts[2]), "after": _size(parts[3]),
            "factor": times(parts[3] / parts[2]), "gpu": gpu(settings.gpu).name,
            "largest": exact(largest_piece(bill.costs["flash2"], settings))}


def wins(settings: Settings, bill: Bill) -> dict:
    """From which height of a piece v2 carries less than the standard way on the paper ruler."""
    both = zip(PIECES, bill.total("flash2", "paper"), bill.total("standard", "paper"), strict=True)
    return {"d": exact(settings.d), "half": exact(settings.d / 2),
            "first": exact(next((piece for piece, tiled, standard in both if tiled < standard), None))}


def wider(settings: Settings, bill: Bill) -> dict:
    """How each bill answers to a head twice as wide."""
    grown = {f"{name}_{ruler}": times(bill.total(name, ruler)[3] / bill.total(name, ruler)[2])
             for name in ("standard", "flash2") for ruler in ("paper", "desk")}
    return {"narrow": exact(bill.chart.xs[2]), "wide": exact(bill.chart.xs[3]), "rows": exact(settings.br),
            "limit": exact(2 * settings.br), **grown}


def flat(settings: Settings, bill: Bill) -> dict:
    """The standard way's bill on both rulers at two sizes of the desk."""
    paper, desk = bill.total("standard", "paper"), bill.total("standard", "desk")
    return {"small": _desk(bill.chart.xs[2]), "large": _desk(bill.chart.xs[3]), "paper": _size(paper[2]),
            "before": _size(desk[2]), "after": _size(desk[3])}


def falls(settings: Settings, bill: Bill) -> dict:
    """What v2's bill does when the desk doubles."""
    tiled = bill.total("flash2", "desk")
    return {"small": _desk(bill.chart.xs[2]), "large": _desk(bill.chart.xs[3]), "before": _size(tiled[2]),
            "after": _size(tiled[3]), "factor": times(tiled[3] / tiled[2])}


def desk(settings: Settings) -> dict:
    """One worker's desk on the chosen GPU, and the B_c beside which pieces follow it."""
    spec = gpu(settings.gpu)
    return {"gpu": spec.name, "bc": exact(BESIDE), "desk": _desk(desk_bytes(spec)),
            "top": _desk(spec.shared_per_block_bytes), "hands": _desk(spec.registers_per_sm_bytes)}


def _size(count: int) -> str:
    return short(count, "B")


def _desk(count: int) -> str:
    return tick_text(count, "B", binary=True)


VALUES = {answer.__name__: answer for answer in (bend, double, halves, wins, wider, flat, falls)}
