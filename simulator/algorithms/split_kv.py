"""Flash-Decoding (Dao, Haziza, Massa, Sizov 2023): K and V are dealt to many thread blocks, and the parts merged."""

from math import sqrt

from ..problem import FP32
from ..values import log, maximum
from .running import blank, merge, update


def split_kv(gpu, Q, K, V, tiling, mask):
    """Each split attends to its own range of K/V blocks; a second kernel merges them by their logsumexps.

    Q (N_q, d), K and V (N_k, d) and the result O (N_q, d) lie in HBM, and between the two kernels
    O_partial (splits × N_q, d) and L_partial (splits × N_q, 1) in fp32. The rows of Q are those of
    one query head, or of a group of them below each other.
    """
    sram, (N_q, d), B_c, splits = gpu.sram, Q.shape, tiling.bc, tiling.splits
    O = gpu.empty("O", (N_q, d), Q.dtype.table).split(N_q)
    O_partial = gpu.empty("O_partial", (splits * N_q, d), FP32).split(N_q)
    L_partial = gpu.empty("L_partial", (splits * N_q, 1), FP32).split(N_q)
    Q, K, V, seen = Q.split(N_q), K.split(B_c), V.split(B_c), mask.tiles(N_q, B_c)
    shares = dealt(seen.seen_by(0), splits)

    with sram.launch("split_kv"):
        for i in sram.grid("i", splits):                                  # one thread block per split
            Q_0 = sram.load(Q[0])                                         # (N_q, d), the only row block
            m_i, l_i, a_i = card = blank(sram, Q_0, d)
            for j in sram.loop("j", shares[i]):
                K_j = sram.load(K[j], buffers=tiling.stages)              # (B_c, d)
                V_j = sram.load(V[j], buffers=tiling.stages)
                S = sram.hold("S", (Q_0 @ K_j.T / sqrt(d)).where(seen.cells(0, j)))
                update(sram, card, S, V_j)
            sram.store(O_partial[i], a_i / maximum(l_i, 1))               # finished as if there were no other
            sram.store(L_partial[i], m_i + log(l_i))                      # its weight in the merge

    with sram.launch("combine"):
        for i in sram.grid("i", len(O)):
            _, l_i, a_i = card = blank(sram, O[i], d)
            for j in sram.loop("j", splits):
                O_j = sram.load(O_partial[j], into=sram.registers)        # (N_q, d)
                L_j = sram.load(L_partial[j], into=sram.registers)
                merge(sram, card, L_j, O_j)
            sram.store(O[i], a_i / maximum(l_i, 1))
    return O.tensor


def dealt(blocks, splits):
    """The K/V blocks as `splits` contiguous ranges that differ by at most one block."""
    return [blocks[s * len(blocks) // splits:(s + 1) * len(blocks) // splits] for s in range(splits)]
