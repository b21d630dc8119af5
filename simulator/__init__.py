"""Desk and Cabinet's simulator: attention on a memory hierarchy, every byte counted.

    from simulator import Problem, Tiling, simulate
    simulate(Problem(n=1024, d=64), Tiling(br=64, bc=64), gpu="h200").cost.desk.by_tensor["K"].read
"""

from . import accounting
from .errors import SimulatorError
from .hardware import gpu, gpus
from .online_softmax import Card
from .problem import Problem, Tiling
from .run import Run, simulate

__all__ = ["Card", "Problem", "Run", "SimulatorError", "Tiling", "accounting", "gpu", "gpus", "simulate"]
