"""What fits one SM, as plain objects."""

from dataclasses import asdict

from ..tiling import ROOM, fits, largest_blocks, papers_rule

SIZES = (16, 32, 64, 128, 256, 512)


def room(asked):
    """The largest blocks of each algorithm, a table of sizes, and the first paper's rule beside them."""
    p, spec = asked.problem, asked.gpu
    rule = papers_rule(p.d, spec.shared_per_block_bytes, p.storage.bytes)
    return {"gpu": spec.key, "d": p.d, "dtype": p.dtype, "stages": asked.tiling.stages, "tag": "computed",
            "capacity": {"shared_bytes": spec.shared_per_block_bytes, "registers_bytes": spec.registers_per_sm_bytes},
            "largest": {name: _largest(name, asked) for name in ROOM},
            "grid": {name: {str(br): {str(bc): _short_of(_peak(name, asked, br, bc), spec) for bc in SIZES}
                            for br in SIZES} for name in ROOM},
            "papers_rule": {"br": rule[0], "bc": rule[1]}}


def _largest(name, asked):
    best = largest_blocks(name, asked.problem.d, asked.problem.dtype, asked.gpu, asked.tiling.stages)
    return {"square": _block(name, asked, best.square, best.square),
            "beside_bc_64": _block(name, asked, best.br_at_bc_64, 64)}


def _block(name, asked, br, bc):
    """A block's sizes and room, None where not even one row fits."""
    return {"br": br, "bc": bc} | asdict(_peak(name, asked, br, bc)) if br else None


def _peak(name, asked, br, bc):
    peak = ROOM[name](br, bc, asked.problem.d, asked.problem.storage, asked.tiling.stages)
    return type(peak)(int(peak.shared_bytes), int(peak.registers_bytes))


def _short_of(peak, spec):
    """ "fits", or the areas that are too small."""
    if fits(peak, spec):
        return "fits"
    areas = {"shared": peak.shared_bytes > spec.shared_per_block_bytes,
             "registers": peak.registers_bytes > spec.registers_per_sm_bytes}
    return " and ".join(area for area, over in areas.items() if over)
