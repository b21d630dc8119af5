"""Executed runs, ready for the stage: played once for all readers who ask for the same scene."""

import json
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lessons import scene
from simulator import simulate
from simulator.cost import Cost

MOST_TILES = 256                        # a table of more tiles is too fine to watch, and too long to send
MOST_WORK = 2**26                       # N_q N_k d; a larger run would keep the other readers waiting


@dataclass(frozen=True)
class Played:
    """One executed run: its cost, its worker for the stage as JSON text, its output or gradients, largest error."""

    cost: Cost
    worker: str
    worker_id: str
    output: tuple
    max_error: float


def watchable(problem, tiling) -> bool:
    """Whether a run is small enough to execute on a page and to watch tile by tile."""
    tiles = -(-problem.n // tiling.br) * -(-problem.n_k // tiling.bc)
    return tiles <= MOST_TILES and problem.n * problem.n_k * problem.d <= MOST_WORK


@lru_cache(maxsize=1024)
def played(problem, tiling, gpu, algorithm, title, steps="acts", row=None) -> Played:
    """Execute a run with its values recorded, and make it a worker of the stage; raises DoesNotFit."""
    run = simulate(problem, tiling, gpu, algorithm, values=scene.shown_values(problem), execute=True)
    made = scene.worker(run, title, steps, row)
    text = json.dumps(made, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Played(run.cost, text, made["id"], tuple(map(tuple, np.vstack(run.output).tolist())), run.max_error)


def at_one_desk(view, problem, tiling, desk, algorithms) -> tuple[Played, ...]:
    """One run of the same problem for each algorithm, all at the same desk, under their names."""
    return tuple(played(problem, tiling, desk, name, view.label(f"algorithm.{name}")) for name in algorithms)


def stage_scene(view, *workers: Played, file: str, caption: str, words: str = "") -> str:
    """The JSON text of a scene of one worker, or of two; `words` is a table of labels in place of the stage's."""
    frame = scene.frame(view, " | ".join(w.worker_id for w in workers), file, caption)
    if words:
        frame["words"] = frame["words"] | view.labels(words)
    head = json.dumps(frame, ensure_ascii=False, separators=(",", ":"))
    return f'{head[:-1]},"workers":[{",".join(w.worker for w in workers)}]}}'
