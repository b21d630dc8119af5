"""What one way of working moves, by all three rulers, with what a GPU was seen to move beside them."""

from dataclasses import dataclass

import streamlit as st

from lessons import measured
from lessons.measured import Measured
from simulator import accounting, gpu
from simulator.cache import Cabinet, blocks_per_sm, cabinet, touches
from simulator.cost import Traffic

MOST_TOUCHES = 400_000                  # tiles through the cache: half a second on a page that others read too


@dataclass(frozen=True)
class Crossings:
    """Bytes by ruler; `cabinet` is None where the model takes too long, `measured` where nobody has looked."""

    algorithm: str
    paper: Traffic
    desk: Traffic
    cabinet: Cabinet | None
    measured: Measured | None


def crossings(algorithm, problem, tiling, gpu_key) -> Crossings:
    """The Crossings of `algorithm` on a GPU of the catalogue."""
    cost = accounting.cost(algorithm, problem, tiling)
    spec = gpu(gpu_key)
    quick = touches(algorithm, problem, tiling, spec.sms * blocks_per_sm(cost.peak, spec)) <= MOST_TOUCHES
    return Crossings(algorithm, cost.paper, Traffic(cost.desk.read, cost.desk.write),
                     modelled(algorithm, problem, tiling, gpu_key) if quick else None,
                     measured.counters(algorithm, problem, tiling, gpu_key))


@st.cache_data(show_spinner=False, max_entries=512)
def modelled(algorithm, problem, tiling, gpu_key) -> Cabinet:
    """The cabinet ruler by the L2 model, every kernel on an empty shelf; worked out once for all readers."""
    return cabinet(algorithm, problem, tiling, gpu(gpu_key), order=launch_order(algorithm, problem))


def launch_order(algorithm, problem):
    """The kernels of flash2 launch their heaviest row blocks first under a causal mask."""
    return "heaviest-first" if algorithm == "flash2" and problem.causal else "launch"


def times(one: Crossings, other: Crossings) -> dict:
    """How many times the bytes of `other` `one` moves: by ruler, at the cabinet three ways; measured if both were."""
    ratios = {"paper": one.paper.total / other.paper.total, "desk": one.desk.total / other.desk.total}
    if one.cabinet and other.cabinet:
        a, b = one.cabinet, other.cabinet
        ratios |= {"reads": a.read / b.read, "during": (a.read + a.write) / (b.read + b.write),
                   "whole": (a.read + a.write + a.left_dirty) / (b.read + b.write + b.left_dirty)}
    if one.measured and other.measured:
        a, b = one.measured, other.measured
        ratios |= {"seen_desk": a.desk.total / b.desk.total, "seen_reads": a.cabinet.read / b.cabinet.read,
                   "seen_during": a.cabinet.total / b.cabinet.total}
    return ratios
