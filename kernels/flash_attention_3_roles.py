"""What the warps of `flash_attention_3` do, each role and each step of it a function.

A thread block stays on its SM and works through a list of row blocks. Its warps have roles:

    two fetchers, 1 warp each         readers, 4 warps each, 64 query rows each
    Q, one row block ahead       ─▶  q    two buffers for each reader
    K and V, tile after tile     ─▶  k, v   a ring of stages each; every tile serves all readers
                                     o  ─▶  O, by the same tensor memory accelerator

A barrier for each buffer says "full" (the tile has landed), another "empty" (its readers are done with it).
A reader's stream never runs dry: it starts the scores of the next tile, also when that is the first of the
next row block, before the shares of the last one have met V; and while it does its exponentials, it is the
other readers' turn at the tensor cores. Tiles pass from the last to the first, so that those which the
mask's edge cuts come first.
"""

import triton.experimental.gluon.language as gl
from triton.experimental import gluon
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

from .hopper import aggregate, barrier, barriers, ring, tma_store
from .hopper_card import ROWS, blank, masked, update
from .tiles import seen_keys

LN2 = gl.constexpr(0.6931471805599453)


@aggregate
class Task:
    """What is asked, how the tiles are laid out in registers, and whose turn it is at the tensor cores."""

    turn: gl.shared_memory_descriptor
    N_q: gl.tensor
    N_k: gl.tensor
    above: gl.tensor
    left: gl.tensor
    right: gl.tensor
    scale: gl.tensor
    D: gl.constexpr
    B_c: gl.constexpr
    READERS: gl.constexpr
    MASKED: gl.constexpr
    LEFT: gl.constexpr
    HELD: gl.constexpr
    TURNS: gl.constexpr
    OVERLAP: gl.constexpr
    EDGE: gl.constexpr
    S: gl.constexpr
    a: gl.constexpr
    Q: gl.constexpr
    P: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, turn, N_q, N_k, above, left, right, scale, D, B_c, READERS, MASKED, LEFT,
                 HELD, TURNS, OVERLAP, EDGE):
        self.turn, self.N_q, self.N_k, self.above = turn, N_q, N_k, above
        self.left, self.right, self.scale = left, right, scale
        self.D, self.B_c, self.READERS = gl.constexpr(D), gl.constexpr(B_c), gl.constexpr(READERS)
        self.MASKED, self.LEFT = gl.constexpr(MASKED), gl.constexpr(LEFT)
        self.HELD, self.TURNS = gl.constexpr(HELD), gl.constexpr(TURNS)
        self.OVERLAP, self.EDGE = gl.constexpr(OVERLAP), gl.constexpr(EDGE)
        self.S = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, B_c, 16]))
        self.a = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, D, 16]))
        self.Q = gl.constexpr(gl.DotOperandLayout(0, self.S, 2))
        self.P = gl.constexpr(gl.DotOperandLayout(0, self.a, 2))

    @gluon.jit
    def row(self, i, ME: gl.constexpr):
        """The first query row of a reader in row block i; negative for a reader that has none in the first one."""
        return (i * self.READERS + ME) * ROWS - self.above

    @gluon.jit
    def tiles(self, i):
        """(first, end): the K/V tiles that some row of row block i sees."""
        low, high = seen_keys(self.row(i, 0), self.READERS * ROWS, self.N_q, self.N_k, self.left, self.right)
        return low // self.B_c, gl.cdiv(high, self.B_c)

    @gluon.jit
    def take_turn(self, n, ME: gl.constexpr):
        """Wait until the reader before has started its products of the n-th tile: reader 0 of the tile before."""
        if self.TURNS:
            first: gl.constexpr = 1 if ME == 0 else 0
            mbarrier.wait(self.turn.index(ME), n & 1 ^ first)

    @gluon.jit
    def give_turn(self, ME: gl.constexpr):
        """Let the next reader start its products."""
        if self.TURNS:
            mbarrier.arrive(self.turn.index((ME + 1) % self.READERS), count=1)


@gluon.jit(do_not_specialize=("width", "unseen", "B", "H", "group", "N_q", "N_k", "above", "left", "right"))
def flash_attention_3_kernel(Q, K, V, O, L, lists, width, unseen, B, H, group, N_q, N_k, above, left, right, scale,
                             D: gl.constexpr, B_c: gl.constexpr, READERS: gl.constexpr, STAGES: gl.constexpr,
                             MASKED: gl.constexpr, LEFT: gl.constexpr, HELD: gl.constexpr, TURNS: gl.constexpr,
                             OVERLAP: gl.constexpr, EDGE: gl.constexpr):
    """Buffers and barriers, then every warp to its role."""
    q = ring(Q, ROWS, D, 2, READERS, 1)
    k, v = ring(K, B_c, D, STAGES, 1, READERS), ring(V, B_c, D, STAGES, 1, READERS)
    o = gl.allocate_shared_memory(O.dtype, [READERS, 1, 1, ROWS, D], O.layout)
    task = Task(barriers(READERS, 1), N_q, N_k, above, left, right, scale, D, B_c, READERS, MASKED, LEFT,
                HELD, TURNS, OVERLAP, EDGE)
    lists += gl.program_id(0) * width
    if READERS == 1:
        gl.warp_specialize([(reader, (0, O, L, q, k, v, o, task, lists, unseen, B, H)),
                            (fetcher_of_q_and_k, (Q, K, q, k, task, lists, group)),
                            (fetcher_of_v, (V, v, task, lists, group))], [1, 1], [24, 24])
    elif READERS == 2:
        gl.warp_specialize([(reader, (0, O, L, q, k, v, o, task, lists, unseen, B, H)),
                            (reader, (1, O, L, q, k, v, o, task, lists, unseen, B, H)),
                            (fetcher_of_q_and_k, (Q, K, q, k, task, lists, group)),
                            (fetcher_of_v, (V, v, task, lists, group))], [4, 1, 1], [240, 24, 24])
    else:
        gl.warp_specialize([(reader, (0, O, L, q, k, v, o, task, lists, unseen, B, H)),
                            (reader, (1, O, L, q, k, v, o, task, lists, unseen, B, H)),
                            (reader, (2, O, L, q, k, v, o, task, lists, unseen, B, H)),
                            (fetcher_of_q_and_k, (Q, K, q, k, task, lists, group)),
                            (fetcher_of_v, (V, v, task, lists, group))], [4, 4, 1, 1], [160, 160, 24, 24])


@gluon.jit
def fetcher_of_q_and_k(Q, K, q, k, task, lists, group):
    """HBM -> desk: each row block's Q, then K from the last tile it sees to the first."""
    n = 0                                                             # tiles fetched so far
    for at in range(gl.load(lists)):
        b, h = head_of(lists, at)
        i = row_block(lists, at)
        for r in gl.static_range(task.READERS):
            q.fetch(Q, b, h, task.row(i, r), at, r, task.row(i, r) >= 0)
        first, end = task.tiles(i)
        for back in range(end - first):
            k.fetch(K, b, h // group, (end - 1 - back) * task.B_c, n, 0)
            n += 1


@gluon.jit
def fetcher_of_v(V, v, task, lists, group):
    """HBM -> desk: V likewise; on its own, for V's buffers are free later than K's."""
    n = 0
    for at in range(gl.load(lists)):
        b, h = head_of(lists, at)
        i = row_block(lists, at)
        first, end = task.tiles(i)
        for back in range(end - first):
            v.fetch(V, b, h // group, (end - 1 - back) * task.B_c, n, 0)
            n += 1


@gluon.jit
def head_of(lists, at):
    """(b, h) of a program's row block number `at`."""
    return gl.load(lists + 1 + 3 * at), gl.load(lists + 2 + 3 * at)


@gluon.jit
def row_block(lists, at):
    """Which row block of its head it is: i."""
    return gl.load(lists + 3 + 3 * at)


@gluon.jit
def reader(ME: gl.constexpr, O, L, q, k, v, o, task, lists, unseen, B, H):
    """64 rows of every row block: their card (m, l, a) stays in registers while K and V pass by.

    n counts the K/V tiles that passed; P holds the shares that have not yet met V.
    """
    count = gl.load(lists)
    i = row_block(lists, 0)
    first, start, stop, last, skipped = extent(task, i, ME, k.STAGES)
    n = 0
    n = let_pass(skipped, n, k, v, ME, task)
    Q = query(q, count * 0, ME, task)
    k.await_tile(n, 0)
    task.take_turn(n, ME)
    S = scores(Q, q, ME, k, n, task)
    task.give_turn(ME)
    S = warpgroup_mma_wait(0, deps=(S,))
    k.done(n, 0)
    if task.MASKED:
        S = masked(S, task, i, ME, last - 1)
    m, l = blank(task)
    m, l, p, _ = update(m, l, S, task.scale)
    P = gl.convert_layout(p.to(q.tiles.dtype), task.P)
    a = gl.zeros([ROWS, task.D], gl.float32, task.a)
    k.await_tile(n + 1, 0, pred=last - 1 > first)
    n += 1
    for at in range(count):
        following = row_block(lists, at + 1)                          # early, not to wait for it
        if task.MASKED:
            for back in range(last - 1 - stop):
                j = last - 2 - back
                S, a = products(Q, q, ME, k, n, v, n - 1, P, a, task)
                m, l, a, P = carry(m, l, a, P, masked(S, task, i, ME, j), k, v, n, j > first, task)
                n += 1
        for back in range(stop - start):
            S, a = products(Q, q, ME, k, n, v, n - 1, P, a, task)
            m, l, a, P = carry(m, l, a, P, S, k, v, n, stop - 1 - back > first, task)
            n += 1
        if task.LEFT:
            for back in range(start - first):
                j = start - 1 - back
                S, a = products(Q, q, ME, k, n, v, n - 1, P, a, task)
                m, l, a, P = carry(m, l, a, P, masked(S, task, i, ME, j), k, v, n, j > first, task)
                n += 1
        if not task.HELD:
            q.done(at, ME)
        if at + 1 < count:                                            # on to the first tile of the next row block
            before = n - 1
            b, h = head_of(lists, at)
            first, start, stop, last, skipped = extent(task, following, ME, k.STAGES)
            n = let_pass(skipped, n, k, v, ME, task)
            Q = query(q, at + 1, ME, task)
            k.await_tile(n, 0)
            S, a = products(Q, q, ME, k, n, v, before, P, a, task)
            if task.MASKED:
                S = masked(S, task, following, ME, last - 1)
            m_new, l_new = blank(task)
            m_new, l_new, p, _ = update(m_new, l_new, S, task.scale)
            k.await_tile(n + 1, 0, pred=last - 1 > first)
            a, P = warpgroup_mma_wait(0, deps=(a, P))
            v.done(before, 0)
            P = gl.convert_layout(p.to(P.dtype), task.P)
            put_away(O, L, o, ME, task, b, h, H, i, m, l, a)
            m, l, a = m_new, l_new, gl.zeros([ROWS, task.D], gl.float32, task.a)
            i = following
            n += 1
    a = warpgroup_mma_wait(0, deps=(shares(P, v, n - 1, a),))
    v.done(n - 1, 0)
    b, h = head_of(lists, count - 1)
    put_away(O, L, o, ME, task, b, h, H, i, m, l, a)
    m, l = blank(task)
    for z in range(gl.program_id(0), unseen * B * H, gl.num_programs(0)):         # row blocks that see nothing
        put_away(O, L, o, ME, task, z // unseen // H, z // unseen % H, H, z % unseen, m, l,
                 gl.zeros([ROWS, task.D], gl.float32, task.a))
    tma.store_wait(0)


@gluon.jit
def extent(task, i, ME: gl.constexpr, STAGES: gl.constexpr):
    """The K/V tiles of row block i that concern this reader: last - 1 … first, of them stop - 1 … start seen whole.

    The last tile counts as cut. `skipped` tiles before it are seen by other readers only: at most STAGES - 2,
    for this reader still holds the buffer of the tile before.
    """
    row, shift = task.row(i, ME), task.N_k - task.N_q
    first, end = task.tiles(i)
    last, start = end, first
    if task.MASKED:
        _, high = seen_keys(row, ROWS, task.N_q, task.N_k, task.left, task.right)
        last = gl.maximum(gl.maximum(gl.cdiv(high, task.B_c), end - (STAGES - 2)), first + 1)
    stop = last - 1
    if task.MASKED:
        stop = first
        if task.EDGE:
            whole = gl.minimum(row + shift + task.right + 1, task.N_k) // task.B_c
            stop = gl.minimum(gl.maximum(whole, first), last - 1)
    if task.LEFT:
        whole = gl.cdiv(row + ROWS - 1 + shift - task.left, task.B_c)
        start = gl.minimum(gl.maximum(whole, first), stop)
    return first, start, stop, last, end - last


@gluon.jit
def let_pass(tiles, n, k, v, ME: gl.constexpr, task):
    """Tiles that only other readers see: done with as soon as they land."""
    for _ in range(tiles):
        task.take_turn(n, ME)
        task.give_turn(ME)
        k.await_tile(n, 0)
        k.done(n, 0)
        v.await_tile(n, 0)
        v.done(n, 0)
        n += 1
    return n


@gluon.jit
def query(q, at, ME: gl.constexpr, task):
    """Q of row block number `at`, once it has landed: in registers where there is room, else its buffer's number."""
    q.await_tile(at, ME)
    if task.HELD:
        Q = q.tile(at, ME).load(task.Q)
        q.done(at, ME)
        return Q
    else:
        return at


@gluon.jit
def scores(Q, q, ME: gl.constexpr, k, n, task):
    """Start S = Q Kᵀ with the n-th tile, which has landed: (64, B_c), not there yet."""
    zero = gl.zeros([ROWS, task.B_c], gl.float32, task.S)
    K = k.tile(n, 0).permute((1, 0))
    if task.HELD:
        return warpgroup_mma(Q, K, zero, use_acc=False, is_async=True)
    else:
        return warpgroup_mma(q.tile(Q, ME), K, zero, use_acc=False, is_async=True)


@gluon.jit
def shares(P, v, n, a):
    """Start a += P V with the n-th tile, once it has landed: (64, D), not there yet."""
    v.await_tile(n, 0)
    return warpgroup_mma(P, v.tile(n, 0), a, is_async=True)


@gluon.jit
def products(Q, q, ME: gl.constexpr, k, n, v, before, P, a, task):
    """S of the n-th tile, there, and a with the tile before, still under way while the exponentials run.

    Both are started in this reader's turn: the other readers do their exponentials meanwhile.
    """
    task.take_turn(n, ME)
    S = scores(Q, q, ME, k, n, task)
    a = shares(P, v, before, a)
    task.give_turn(ME)
    if task.OVERLAP:
        S = warpgroup_mma_wait(1, deps=(S,))
    else:
        S, a = warpgroup_mma_wait(0, deps=(S, a))
    k.done(n, 0)
    return S, a


@gluon.jit
def carry(m, l, a, P, S, k, v, n, more, task):
    """The card after scores S of the n-th tile. If `more` tiles of this row block follow, see the next one land
    before waiting for a: else the compiler would do the exponentials after that wait.
    """
    m, l, p, c = update(m, l, S, task.scale)
    k.await_tile(n + 1, 0, pred=more)
    a, P = warpgroup_mma_wait(0, deps=(a, P))
    v.done(n - 1, 0)
    a = a * gl.convert_layout(c, gl.SliceLayout(1, task.a))[:, None]
    return m, l, a, gl.convert_layout(p.to(P.dtype), task.P)


@gluon.jit
def put_away(O, L, o, ME: gl.constexpr, task, b, h, H, i, m, l, a):
    """O = a / l of this reader's rows, registers -> shared memory -> HBM, and L; rows that see nothing give 0."""
    row = task.row(i, ME)
    l = gl.convert_layout(gl.sum(l, 1), gl.SliceLayout(1, task.S))
    share = gl.convert_layout(1 / gl.where(l == 0, 1.0, l), gl.SliceLayout(1, task.a))
    tma.store_wait(0)                                                 # the last O has left the buffer
    barrier()
    o.index(ME).reshape([ROWS, task.D]).store((a * share[:, None]).to(o.dtype))
    fence_async_shared()
    tma_store(O, [b, h, gl.where(row < 0, task.N_q, row), 0], o.index(ME))        # nothing is written beyond N_q
    if L is not None:
        rows = row + gl.arange(0, ROWS, layout=gl.SliceLayout(1, task.S))
        there = (rows >= 0) & (rows < task.N_q)
        gl.store(L + (b * H + h).to(gl.int64) * task.N_q + rows, (m + gl.log2(l)) * LN2, mask=there)
