"""Answers for a person: aligned tables, with ruler, tag and unit beside every number."""

from ..masks import UNLIMITED
from .answers import flat
from .events import CARD
from .tables import quantity, short, table

NAMES = {None: "Attention", "standard": "Standard attention", "flash1": "FlashAttention", "flash2": "FlashAttention-2",
         "decode": "Decoding", "split_kv": "Flash-Decoding",
         "standard_backward": "Standard attention, backward", "flash1_backward": "FlashAttention, backward",
         "flash2_backward": "FlashAttention-2, backward"}
SIZES = {"n": "N", "n_kv": "N_k", "d": "d", "br": "B_r", "bc": "B_c"}
WORK = {"flops.matmul": ("matrix products, tiles as executed", "FLOP"),
        "flops.paper": ("matrix products, as papers count", "FLOP"),
        "flops.exp": ("exponentials", ""),
        "flops.other": ("other arithmetic", "FLOP"),
        "tile_moves": ("tile moves", "")}
CONVENTIONS = ("paper", "flops.paper")  # computed by definition, also beside an executed run
FIGURES = {"memory_bytes": ("memory", "B", "memory_GB"),
           "memory_bytes_per_s": ("bandwidth", "B/s", "memory_TBps"),
           "l2_bytes": ("L2", "B", "l2_MiB"),
           "tensor_flops_per_s": ("tensor, fp16", "FLOP/s", "tensor_fp16_dense_TFLOPS"),
           "fp32_flops_per_s": ("fp32", "FLOP/s", "fp32_TFLOPS"),
           "clock_hz": ("clock", "Hz", "clock_MHz")}


def title(asked, **varies):
    """The configuration in a line; `varies` gives the values of a size that takes several."""
    p, t = asked.problem, asked.tiling
    sizes = {"n": p.n, "n_kv": p.n_kv, "d": p.d, "br": t.br, "bc": t.bc, "heads": p.heads}
    shown = {name: f"{size:,}" for name, size in sizes.items() if size is not None}
    shown |= {name: f"{values[0]:,} … {values[-1]:,}" for name, values in varies.items()}
    return " · ".join([NAMES.get(asked.algorithm, asked.algorithm),
                       *(f"{letter} = {shown[name]}" for name, letter in SIZES.items() if name in shown),
                       p.dtype, *_options(p, t, shown["heads"]), asked.gpu.name])


def _options(p, t, heads):
    """What differs from the plain case, in words."""
    said = {f"batch {p.batch:,}": p.batch > 1, f"{heads} heads": heads != "1",
            f"{p.groups:,} K/V heads": p.kv_heads, "causal": p.causal,
            "window {} {}".format(*p.window): p.window != (UNLIMITED, UNLIMITED), "logsumexp": p.lse,
            f"passes {', '.join(p.passes)}": p.passes, f"{t.stages} stages": t.stages > 1,
            f"{t.splits:,} splits": t.splits > 1, "packed groups": t.pack_gqa}
    return [words for words, differs in said.items() if differs]


def count(asked, answer):
    """One answer: bytes by ruler, then work, then room."""
    tag, rulers = answer["tag"], answer["rulers"]
    moves = [(name, _tag(name, ruler, tag), f"{part} {of}", *_bytes(t)) for name, ruler in rulers.items()
             for part in ("kernel", "tensor") for of, t in ruler.get(f"by_{part}", {}).items()]
    moves += [(name, _tag(name, ruler, tag), "total", *_bytes(ruler)) for name, ruler in rulers.items()]
    numbers = flat(answer)
    work = [(what, numbers[path], unit, _tag(path, {}, tag)) for path, (what, unit) in WORK.items()]
    if answer["max_error"] is not None:
        work.append(("largest difference from float64", short(answer["max_error"]), "", tag))
    return [title(asked), "",
            *table(moves, ("ruler", "tag", "what", "read, B", "written, B", "together")), *_dirty(rulers), "",
            *table(work, ("work", "", "unit", "tag")), "", *_kept(answer.get("kept")),
            *table(_room(asked.gpu, answer), ("room of one thread block", "needed, B", "there, B", "used", "tag")), "",
            _verdict(asked.gpu, answer["fits"])]


def compare(asked, each):
    """The algorithms in columns; bytes by ruler, work and room in rows."""
    numbers = {name: flat(answer) for name, answer in each.items()}
    rows = [row for ruler in ("desk", "paper") for row in _by_ruler(ruler, numbers)]
    rows += [(what, *(n[path] for n in numbers.values()), unit) for path, (what, unit) in WORK.items()]
    rows += [(f"{area}, one thread block", *(n[f"peak.{key}"] for n in numbers.values()), "B")
             for area, key in (("shared memory", "shared_bytes"), ("registers", "registers_bytes"))]
    rows.append(("fits one SM", *(_yes(answer["fits"]) for answer in each.values()), ""))
    return [f"{title(asked)} · computed", "", *table(rows, ("", *each, "unit"))]


def sweep(swept, rows):
    """One line for each value."""
    flag = f"--{swept.vary.replace('_', '-')}"
    columns = {"desk read, B": "rulers.desk.read", "desk written, B": "rulers.desk.write",
               "paper read, B": "rulers.paper.read", "paper written, B": "rulers.paper.write",
               "products, FLOP": "flops.matmul", "tile moves": "tile_moves",
               "shared, B": "peak.shared_bytes", "registers, B": "peak.registers_bytes"}
    cells = [(row[swept.vary], *(row[path] for path in columns.values()), _yes(row["fits"])) for row in rows]
    return [f"{title(swept.asked[0], **{swept.vary: swept.values})} · computed", "",
            *table(cells, (flag, *columns, "fits"))]


def trace(asked, run, rows):
    """Every event in a line, and what the desk ruler adds up to."""
    rows = list(rows)
    cards = [name for name in CARD if name in rows[0]]
    cells = [(row["kernel"], row["op"], _place(row), row["bytes"], row["shared_resident"], row["registers_resident"],
              _index(row["i"]), _index(row["j"]), row["line"], *(short(row[name]) for name in cards)) for row in rows]
    header = ("kernel", "op", "what", "bytes", "shared, B", "registers, B", "i", "j", "line", *cards)
    desk = run.cost.desk
    return [f"{title(asked)} · events of one head · {run.tag}", "", *table(cells, header), "",
            f"desk ruler, all heads: {desk.read:,} B read, {desk.write:,} B written · {run.tag}"]


def fit(spec, answer):
    """The largest blocks of each algorithm on one SM, and which area other block sizes run out of."""
    rows = [(name, which, *(block.values() if block else ("none fits", "", "", "")))
            for name, largest in answer["largest"].items()
            for which, block in zip(("B_r = B_c", "beside B_c = 64"), largest.values(), strict=True)]
    rule = answer["papers_rule"]
    return [f"d = {answer['d']} · {answer['dtype']} · stages: {answer['stages']} · {spec.name} · computed", "",
            *table(rows, ("algorithm", "largest powers of two", "B_r", "B_c", "shared, B", "registers, B")), "",
            f"one thread block has {spec.shared_per_block_bytes:,} B of shared memory and "
            f"{spec.registers_per_sm_bytes:,} B of registers · published",
            f"the first paper's rule, for comparison: B_c = ⌈M/4d⌉ = {rule['bc']:,}, "
            f"B_r = min(B_c, d) = {rule['br']:,} · computed", *_grids(answer["grid"])]


def gpus(answer):
    """The catalogue: figures, then sources."""
    rows = [(g["key"], g["name"], *(_figure(g, field) for field in FIGURES), g["sms"],
             g["shared_per_block_bytes"], g["registers_per_sm_bytes"]) for g in answer]
    header = ("--gpu", "name", *(words for words, _, _ in FIGURES.values()), "SMs", "shared/block, B",
              "registers/SM, B")
    sources = [(g["key"], g["source"], g["note"]) for g in answer]
    return [*table(rows, header), "",
            "published figures; ? marks one that is unconfirmed or on which sources disagree", "",
            *table(sources, ("--gpu", "source", "note"))]


def _tag(name, ruler, tag):
    return "computed" if name in CONVENTIONS else ruler.get("tag", tag)


def _bytes(traffic):
    return traffic["read"], traffic["write"], quantity(traffic["read"] + traffic["write"])


def _dirty(rulers):
    if "cabinet" not in rulers:
        return []
    return [f"stored but still in L2 at the ends of the kernels: {rulers['cabinet']['left_dirty']:,} B · modelled"]


def _kept(kept):
    if kept is None:
        return []
    rows = [(name, size, quantity(size), "computed") for name, size in kept.items()]
    return [*table(rows, ("kept since the forward pass", "B", "", "tag")), ""]


def _by_ruler(ruler, numbers):
    ways = {way: [n[f"rulers.{ruler}.{way}"] for n in numbers.values()] for way in ("read", "write")}
    both = [sum(pair) for pair in zip(*ways.values(), strict=True)]
    return [(f"{ruler} ruler, read", *ways["read"], "B"), (f"{ruler} ruler, written", *ways["write"], "B"),
            (f"{ruler} ruler, together", *both, "B"),
            (f"{ruler} ruler, ÷ standard", *(f"{total / both[0]:.3f}" for total in both), "")]


def _room(spec, answer):
    areas = {"shared memory": ("shared_bytes", spec.shared_per_block_bytes),
             "registers": ("registers_bytes", spec.registers_per_sm_bytes)}
    return [(area, answer["peak"][key], there, f"{answer['peak'][key] / there:.0%}", answer["tag"])
            for area, (key, there) in areas.items()]


def _verdict(spec, fits):
    if fits:
        return f"one thread block fits one SM of {spec.name}"
    return f"one thread block does not fit one SM of {spec.name}: choose smaller blocks or fewer stages"


def _yes(fits):
    return "yes" if fits else "no"


def _place(row):
    return f"{row['tensor']}[{', '.join(map(str, row['block']))}]" if row["block"] else row["tensor"]


def _index(index):
    return "" if index is None else index


def _grids(grids):
    """Algorithms that take the same room share a table."""
    shared = {}
    for name, grid in grids.items():
        shared.setdefault(repr(grid), []).append(name)
    lines = []
    for names in shared.values():
        rows = [(f"B_r {br}", *columns.values()) for br, columns in grids[names[0]].items()]
        lines += ["", f"{', '.join(names)}: fits, or the area that is too small",
                  *table(rows, ("", *(f"B_c {br}" for br in grids[names[0]])))]
    return lines


def _figure(entry, field):
    """A published figure, with ? where it is not confirmed."""
    _, unit, catalogued = FIGURES[field]
    return quantity(entry[field], unit) + ("?" if catalogued in entry["uncertain"] else "")
