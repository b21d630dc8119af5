"""The bytes of a timed kernel by every ruler: paper and desk in closed form, cabinet by the L2 model, and counted.

A row is a line of a file of measurements, as a dict. Nothing here needs a GPU, PyTorch or Triton.
"""

from simulator import accounting
from simulator.cache import cabinet
from simulator.cost import Traffic
from simulator.errors import TooLarge
from simulator.problem import Problem, Tiling

from .catalogue import SIMULATED
from .schedule import deal, flat, read, rows_above, taller

SIZES = ("n", "n_kv", "d", "batch", "heads", "kv_heads", "dtype", "causal")
OPTIONS = ("window", "lse", "passes")   # of rows of counters
SECTOR_BYTES, NUMBER_BYTES = 32, 4     # what L2 hands out at least; one number of a list
STAYING = ("flash_attention_3",)        # one thread block stays on each SM
HEAVIEST_FIRST = ("flash_attention_2", "flash_attention_2_tma")     # where row blocks differ in length


def cost(row):
    """The Cost in closed form of a row with one of our kernels."""
    return accounting.cost(algorithm(row), problem(row), tiling(row))


def desk(row):
    """{launch: Traffic} by the desk ruler; for flash_attention_3 K and V pass by as often as its row blocks lie."""
    found, over = cost(row).desk, rows_above(row["n"], row["br"]) if row["kernel"] in STAYING else 0
    if not over:
        return found.by_kernel
    passing = accounting.cost(algorithm(row), taller(problem(row), over), tiling(row)).desk.by_tensor
    more = sum(passing[name].read - found.by_tensor[name].read for name in "KV")
    return {launch: Traffic(one.read + more, one.write) for launch, one in found.by_kernel.items()}


def lists_bytes(row, sms):
    """Bytes that flash_attention_3 reads of its lists on a GPU with so many SMs: each program's numbers, in sectors."""
    dealt = taller(problem(row), rows_above(row["n"], row["br"]))
    lists = deal(dealt, row["br"], row["bc"], sms)
    _, width = flat(lists)
    return sum(_sectors(program * width, read(len(mine))) for program, mine in enumerate(lists)) * SECTOR_BYTES


def _sectors(start, numbers):
    return len({(start + number) * NUMBER_BYTES // SECTOR_BYTES for number in numbers})


def modelled(row, spec):
    """{read, write, left_dirty}: DRAM bytes of all launches by the L2 model, each on an empty shelf as under the
    profiler; None where it takes too long.
    """
    order = "heaviest-first" if row["causal"] and row["kernel"] in HEAVIEST_FIRST else "launch"
    per_sm = 1 if row["kernel"] in STAYING else None
    try:
        model = cabinet(algorithm(row), problem(row), tiling(row), spec, per_sm, order)
    except TooLarge:
        return None
    return dict(read=model.read, write=model.write, left_dirty=model.left_dirty)


def counted(row, counters):
    """(desk, cabinet): bytes that hardware counters read at exactly this configuration, between L2 and the SMs and
    between L2 and DRAM, over all launches; None where one was not counted.
    """
    found = [next((one["measured"] for one in counters if _same(one, launch, row)), None)
             for launch in cost(row).desk.by_kernel]
    if None in found:
        return None
    return (Traffic(sum(one["l2_to_sm_read"] for one in found), sum(one["sm_to_l2_write"] for one in found)),
            Traffic(sum(one["dram_read"] for one in found), sum(one["dram_write"] for one in found)))


def _same(one, launch, row):
    """Whether a row of counters is a launch of the kernel of `row`, at its sizes and blocks; rows of a table that
    stream over the desk have blocks of their own.
    """
    ours = one["kernel"] == row["kernel"] or (one["kernel"] == launch and launch not in SIMULATED)
    plain = not one["lse"] and not one["passes"] and list(one["window"]) == [-1, -1]
    blocks = one["br"] == 1 or (one["br"], one["bc"]) == (row["br"], row["bc"])
    return one["launch"] == launch and ours and plain and blocks and all(one[name] == row[name] for name in SIZES)


def algorithm(row):
    """The simulator's name of a row's algorithm."""
    return row.get("algorithm") or SIMULATED[row["kernel"]]


def problem(row):
    """The Problem of a row."""
    return Problem(**{name: row[name] for name in SIZES}, **{name: row[name] for name in OPTIONS if name in row})


def tiling(row):
    """The Tiling of a row."""
    return Tiling(row["br"], row["bc"], row["stages"])
