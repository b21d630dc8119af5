"""Who waits for whom in `kernels/flash_attention_3_roles.py`: the jobs of a row block, in modes with ever fewer waits.

Two fetchers copy: one Q and K, the other V, into rings of buffers. Each reader multiplies 64 query rows by every tile
and works out their softmax. The last mode is the kernel's own order, and there a reader starts its products when it
is its turn. Tiles are numbered as they pass; the kernel takes them from the last to the first.
"""

from itertools import pairwise

from lessons.versions.lanes import Job

MODES = ("serial", "copies", "turns", "all")
"""One job after another; copies run ahead; readers alternate; and a reader's next scores start before its last a."""
TOOLS = {"Q": "copy", "K": "copy", "V": "copy", "S": "product", "a": "product", "P": "softmax", "rescale": "softmax",
         "turn": "turn"}
"""{kind of work, named after what it brings or makes: its tool}; a turn is handed on in no time."""
LANES = ("copy", "product", "softmax")


def rules(mode: str, readers: str, stages: int, tiles: int) -> dict[Job, tuple[Job, ...]]:
    """{job: the jobs it waits for} of one row block over so many tiles, with rings of `stages` buffers."""
    steps, frees = (_ahead, _frees_late) if mode == "all" else (_plain, _frees)
    needs = {Job("Q", r, 0): [] for r in readers}
    for j in range(tiles):
        for work in "KV":
            freed = [job for r in readers for job in frees(work, r, j - stages)]
            needs[Job(work, "", j)] = [Job(work, "", j - 1), *(freed if j >= stages else ())]
        for r in readers:
            needs |= {job: wanted for job, wanted in steps(r, j).items() if (job.work, j) != ("rescale", 0)}
    if mode == "all":
        _take_turns(needs, readers, tiles)
    for earlier, later in pairwise(_line(mode, readers, tiles)):
        needs[later].append(earlier)
    return {job: tuple(dict.fromkeys(need for need in wanted if need in needs)) for job, wanted in needs.items()}


def _plain(r, j):
    """A reader's step as one would write it down: scores, softmax, rescale a, add P V; then the next tile."""
    return {Job("S", r, j): [Job("Q", r, 0), Job("K", "", j), Job("a", r, j - 1)],
            Job("P", r, j): [Job("S", r, j)],
            Job("rescale", r, j): [Job("P", r, j)],
            Job("a", r, j): [Job("P", r, j), Job("rescale", r, j), Job("V", "", j)]}


def _ahead(r, j):
    """A reader's step in the kernel: S of this tile, then a += P V of the last; softmax waits for S alone.

    It asks for V before it looks at S, and for the next K before it waits for a.
    """
    return {Job("S", r, j): [Job("Q", r, 0), Job("K", "", j), Job("P", r, j - 1), Job("rescale", r, j - 1)],
            Job("P", r, j): [Job("S", r, j), Job("V", "", j - 1)],
            Job("rescale", r, j): [Job("P", r, j), Job("K", "", j + 1), Job("a", r, j - 1)],
            Job("a", r, j): [Job("P", r, j), Job("rescale", r, j), Job("S", r, j + 1), Job("V", "", j)]}


def _take_turns(needs, readers, tiles):
    """Each reader starts its products of a tile after the reader before; the first, after the last at the tile before.

    A turn is over when both products are started, the second as soon as V is there.
    """
    before = None
    for j in range(tiles):
        for r in readers:
            turn = Job("turn", r, j)
            needs[Job("S", r, j)].append(before)
            needs[turn] = [*needs[Job("S", r, j)], Job("V", "", j - 1)]
            before = turn


def _frees(work, r, j):
    """What a reader has done when it is through with a buffer: the product that reads it."""
    return [Job({"K": "S", "V": "a"}[work], r, j)]


def _frees_late(work, r, j):
    """Likewise in the kernel, where a reader says so only when it comes by."""
    passed = {"K": [Job("V", "", j - 1)], "V": [Job("P", r, j + 1), Job("K", "", j + 2)]}
    return _frees(work, r, j) + passed[work]


def _line(mode, readers, tiles):
    """The jobs that a mode does strictly one after another."""
    if mode not in MODES[:2]:
        return []
    copies = [Job("Q", r, 0) for r in readers]
    line = [] if mode == "copies" else copies
    for j in range(tiles):
        line += [] if mode == "copies" else [Job("K", "", j), Job("V", "", j)]
        line += [Job("S", r, j) for r in readers]
        line += [Job(work, r, j) for r in readers for work in ("P", "rescale")[:1 + (j > 0)]]
        line += [Job("a", r, j) for r in readers]
    return line
