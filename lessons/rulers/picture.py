"""The three rulers as bars on one scale, standard above tiled, with the measured bytes of each beneath it."""

from lessons.rulers.crossings import times
from lessons.views.lengths import Group, Length, Part, lengths
from simulator import gpu
from simulator.cost import Traffic

WAYS = ("standard", "flash2")


def draw(view, ways) -> str:
    """The bars as HTML; `ways` is {algorithm: Crossings} of WAYS."""
    ratios = times(*(ways[name] for name in WAYS))
    known = all(one.cabinet for one in ways.values())
    on_paper = view.label("rulers.ratio", ratio=view.ratio(ratios["paper"]))
    groups = [_group(view, "paper", "computed", ways, _paper, on_paper),
              _group(view, "desk", "computed", ways, _desk, _desk_verdict(view, ratios))]
    if known:
        groups.append(_group(view, "cabinet", "modelled", ways, _cabinet, _cabinet_verdict(view, ratios)))
    legend = [(look, view.label(f"rulers.{look}")) for look in ("read", "write", *(("left",) if known else ()))]
    return lengths(groups, legend, _source(view, ways))


def _group(view, ruler, tag, ways, bars, verdict):
    return Group(view.label(f"ruler.{ruler}"), view.label(f"tag.{tag}"), view.label(f"ruler_meaning.{ruler}"),
                 tuple(bar for one in ways.values() for bar in bars(view, one)), verdict)


def _paper(view, one):
    yield _bar(view, one.algorithm, one.paper)


def _desk(view, one):
    yield _bar(view, one.algorithm, one.desk)
    if one.measured:
        yield _seen(view, one, one.measured.desk)


def _cabinet(view, one):
    found = one.cabinet
    left = Part("left", found.left_dirty, view.label("rulers.part_left", bytes=view.bytes(found.left_dirty)))
    yield _bar(view, one.algorithm, Traffic(found.read, found.write), (left,) if found.left_dirty else ())
    if one.measured:
        yield _seen(view, one, one.measured.cabinet)


def _bar(view, algorithm, traffic, more=()):
    return Length(view.label(f"chart.{algorithm}"), algorithm, (*_parts(view, traffic), *more),
                  view.bytes(traffic.total))


def _seen(view, one, traffic):
    asked = view.settings.tiling()
    blocks = (asked.br, asked.bc) if (asked.br, asked.bc) in one.measured.blocks else one.measured.blocks[0]
    name = view.label("rulers.measured", blocks="/".join(map(str, blocks)))
    return Length(name, one.algorithm, _parts(view, traffic), view.bytes(traffic.total), slim=True)


def _parts(view, traffic):
    """Bytes read and written, in that order, each in words."""
    def part(look, size):
        return Part(look, size, view.label("rulers.part", words=view.label(f"rulers.{look}"), bytes=view.bytes(size)))

    return part("read", traffic.read), part("write", traffic.write)


def _desk_verdict(view, ratios):
    said = [view.label("rulers.ratio", ratio=view.ratio(ratios["desk"]))]
    if "seen_desk" in ratios:
        said.append(view.label("rulers.ratio_measured", desk=view.ratio(ratios["seen_desk"])))
    return " · ".join(said)


def _cabinet_verdict(view, ratios):
    shown = {name: view.ratio(ratios[name]) for name in ("during", "reads", "whole")}
    said = [view.label("rulers.ratio_cabinet", **shown)]
    if "seen_during" in ratios:
        said.append(view.label("rulers.ratio_cabinet_measured", during=view.ratio(ratios["seen_during"]),
                               reads=view.ratio(ratios["seen_reads"])))
    return " · ".join(said)


def _source(view, ways):
    """Where, when and with what the measured bytes were read."""
    records = dict.fromkeys(one.measured.record for one in ways.values() if one.measured)
    if not records:
        return view.label("rulers.none_measured", gpu=gpu(view.settings.gpu).name)
    undated = view.label("rulers.undated")
    return "; ".join(view.label("rulers.source", origin=record.origin(undated)) for record in records)
