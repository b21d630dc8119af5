"""The kernels by name: how to prepare one, and what it is called in the simulator."""

from dataclasses import dataclass
from importlib import import_module

SIMULATED = {"standard": "standard", "flash_attention_1": "flash1", "flash_attention_2": "flash2",
             "flash_attention_2_tma": "flash2", "flash_attention_3": "flash2"}

HOPPER_ALONE = ("flash_attention_3",)
ARCHITECTURES = (80, 90, 100, 120)      # compute capabilities to compile for, without the point


def runnable(capability):
    """The names of the kernels that run on a GPU of this compute capability, (9, 0) for Hopper."""
    return [name for name in SIMULATED if name not in HOPPER_ALONE or capability == (9, 0)]


def architectures(name):
    """The compute capabilities that a kernel compiles for: (80, 90), …"""
    return (90,) if name in HOPPER_ALONE else ARCHITECTURES


@dataclass(frozen=True)
class Prepared:
    """Launches that wait to run, and every tensor they touch by the name it has in the simulator's ledger."""

    launches: list
    tensors: dict

    def go(self):
        """Run the launches; returns O."""
        for launch in self.launches:
            launch.go()
        return self.tensors["O"]


def prepare(name, case, q, k, v, blocks=None, **more):
    """The Prepared kernel called `name` (a key of SIMULATED) on a Case and its tensors; `more` for its launches."""
    module = import_module(f".{name}", __package__)
    made = module.results(case, q)
    launches = module.launches(case, q, k, v, blocks or module.default_blocks(case), **made, **more)
    return Prepared(launches, dict(Q=q, K=k, V=v, **made))
