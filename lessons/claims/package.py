"""Claims about what the packages take: lengths and formats."""

from lessons.claims.published import quoted
from lessons.claims.quantity import Found, count, named, power
from simulator import Problem, Tiling, simulate
from simulator.problem import DTYPES

LENGTHS = (1, 63, 65, 100)


def any_length() -> Found:
    """The largest difference from float64 in executed runs of lengths that are multiples of nothing in particular."""
    multiple = quoted("package")["head_dim_multiple"]
    d = 5 * multiple
    runs = [simulate(Problem(n=n, d=d), Tiling(64, 64), execute=True) for n in LENGTHS]
    padded = sum(run.cost.desk.by_tensor["O"].write // (run.problem.storage.bytes * d) - n
                 for run, n in zip(runs, LENGTHS, strict=True))
    return Found({"said": count(64)},
                 {"error": power(max(run.max_error for run in runs), 1), "lengths": named(tuple(map(str, LENGTHS))),
                  "d": count(d), "multiple": count(multiple), "padded": count(padded)})


def formats() -> Found:
    """The formats that the packages take, and those in which the program runs here."""
    package = quoted("package")
    for name in DTYPES:
        simulate(Problem(n=16, d=8, dtype=name), Tiling(16, 16), execute=True)
    return Found({}, {"v2": named(tuple(package["flash2_dtypes"])), "adds": named(tuple(package["flash3_adds"])),
                      "here": named(tuple(DTYPES))})
