"""What tests ask the simulator: one problem, answered by an executed run or by closed form."""

from simulator import Problem, Tiling, accounting, simulate

ALGORITHMS = ("standard", "flash1", "flash2")
DECODES = ("decode", "split_kv")        # all rows are one row block
BACKWARDS = ("standard_backward", "flash1_backward", "flash2_backward")
EVERY = (*ALGORITHMS, *DECODES, *BACKWARDS)


def run(algorithm, n, d, br, bc, stages=1, splits=1, pack_gqa=False, gpu="h200", **options):
    """An executed Run of one head, every number recorded."""
    values, inputs = options.pop("values", False), options.pop("inputs", None)
    return simulate(Problem(n=n, d=d, **options), Tiling(br, bc, stages, splits, pack_gqa), gpu, algorithm,
                    values=values, inputs=inputs, execute=True)


def counted(algorithm, n, d, br, bc, **options):
    """The Cost that an executed run counts."""
    return run(algorithm, n, d, br, bc, **options).cost


def computed(algorithm, n, d, br, bc, stages=1, splits=1, pack_gqa=False, **options):
    """The Cost by closed form."""
    return accounting.cost(algorithm, Problem(n=n, d=d, **options), Tiling(br, bc, stages, splits, pack_gqa))


WAYS = (counted, computed)              # both must say the same
