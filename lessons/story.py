"""The story's desk: just large enough for one block, so that a table of more blocks cannot stay on it."""

from dataclasses import replace

import numpy as np

from lessons.settings import ALGORITHMS
from simulator import gpu
from simulator.tiling import ROOM


def small_desk(problem, tiling, algorithms=ALGORITHMS):
    """A GPU whose SM holds exactly what one block of these sizes needs, whichever of the algorithms works at it."""
    br, bc = min(tiling.br, problem.n), min(tiling.bc, problem.n_k)
    rooms = [ROOM[name](br, bc, problem.d, problem.storage, tiling.stages) for name in algorithms]
    return replace(
        gpu("h200"), key="desk", name="the story's desk", source="made to measure", note="",
        shared_per_block_bytes=int(np.max([room.shared_bytes for room in rooms])),
        registers_per_sm_bytes=int(np.max([room.registers_bytes for room in rooms])))
