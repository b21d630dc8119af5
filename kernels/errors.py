"""What the machine cannot do, said in one line."""

from simulator.errors import SimulatorError


class NoDevice(SimulatorError, RuntimeError):
    """A command that needs a GPU, where there is none."""

    sentence = "{asked} needs {possible}: {found}; {remedy}"


class SanitizerRefused(SimulatorError, RuntimeError):
    """A machine without compute-sanitizer, or a kernel that failed under it."""

    sentence = "no check of memory accesses here: {found}; it comes with NVIDIA's CUDA toolkit"


class CountersRefused(SimulatorError, PermissionError):
    """A driver, or a machine without Nsight Compute, that gives no hardware counters."""

    sentence = (
        "no hardware counters here: {found}; an administrator can allow them "
        "(NVIDIA: ERR_NVGPUCTRPERM), or do without: {remedy}"
    )

    def __str__(self):                                    # OSError would print its own way
        return self.args[0]
