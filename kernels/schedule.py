"""Where the row blocks of a head lie, and which of them each of a fixed number of programs works through."""

from dataclasses import replace
from heapq import heapreplace

READER = 64                             # query rows of one reader: what four warps multiply at once
HALF_L2_BYTES = 25 * 2**20


def deal(problem, br, bc, programs):
    """A list of (b, h, i) for each of at most `programs` programs: every row block i that sees a key, once.

    One head after another; where row blocks differ in length, the longest first in groups of heads whose K and V
    stay in L2 together. Each goes to the program with the least to do so far.
    """
    mask, heads = problem.mask.tiles(br, bc), problem.batch * problem.heads
    length = {i: tiles for i in range(-(-problem.n // br)) if (tiles := len(mask.seen_by(i)))}
    together = _heads_at_once(problem) if len(set(length.values())) > 1 else 1
    lists = [[] for _ in range(min(programs, len(length) * heads))]
    loads = [(0, program) for program in range(len(lists))]
    for first in range(0, heads, together):
        for i in sorted(length, key=lambda i: -length[i]):
            for head in range(first, min(first + together, heads)):
                load, program = loads[0]
                lists[program].append((*divmod(head, problem.heads), i))
                heapreplace(loads, (load + length[i] + 1, program))
    return lists


def in_order(problem, br, bc, programs):
    """The same row blocks in the order of heads and rows, dealt out in turn whatever their length."""
    mask, heads = problem.mask.tiles(br, bc), problem.batch * problem.heads
    seeing = [i for i in range(-(-problem.n // br)) if mask.seen_by(i)]
    blocks = [(*divmod(head, problem.heads), i) for head in range(heads) for i in seeing]
    return [blocks[program::programs] for program in range(min(programs, len(blocks)))]


def rows_above(n, br):
    """Rows that the first row block has above the text, in whole readers: so the last row block is full, and the one
    that is not is where a mask that hides the future leaves least to do.
    """
    readers = -(-n // READER)
    return -readers % (br // READER) * READER


def taller(problem, rows):
    """The same problem with so many rows above it; the others see what they saw."""
    return replace(problem, n=problem.n + rows, n_kv=problem.n_k)


def unseen(problem, br):
    """How many row blocks at the top of a head see no key."""
    return sum(not problem.mask.tiles(br, 1).seen_by(i) for i in range(-(-problem.n // br)))


def flat(lists):
    """(numbers, width): for each list its length and its row blocks, padded to one width with a row block to spare."""
    width = 4 + 3 * max(map(len, lists))
    rows = [[len(mine), *(x for block in mine for x in block)] for mine in lists]
    return [x for row in rows for x in (*row, *[0] * (width - len(row)))], width


def read(blocks):
    """Which numbers of a list of so many row blocks its program reads: all, and where the one to spare would lie."""
    return [*range(1 + 3 * blocks), 3 + 3 * blocks]


def _heads_at_once(problem):
    k_and_v = 2 * problem.n_k * problem.d * problem.storage.bytes
    return max(1, HALF_L2_BYTES // k_and_v) * (problem.heads // problem.groups)
