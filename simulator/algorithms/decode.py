"""Decoding: FlashAttention-2 for the few rows of a step, which are one row block (Dao 2023, Algorithm 1)."""

from math import sqrt

from ..values import maximum
from .running import blank, update


def decode(gpu, Q, K, V, tiling, mask):
    """One thread block lets all of K and V pass by its few rows.

    Q (N_q, d), K and V (N_k, d) and the result O (N_q, d) lie in HBM; the rows of Q are those of one
    query head, or of a group of them below each other.
    """
    sram, (N_q, d), B_c = gpu.sram, Q.shape, tiling.bc
    O = gpu.empty("O", (N_q, d), Q.dtype.table).split(N_q)
    Q, K, V, seen = Q.split(N_q), K.split(B_c), V.split(B_c), mask.tiles(N_q, B_c)

    with sram.launch("decode"):
        for i in sram.grid("i", len(Q)):                                  # the only row block
            Q_i = sram.load(Q[i])                                         # (N_q, d), stays on the desk
            _, l_i, a_i = card = blank(sram, Q_i, d)
            for j in sram.loop("j", seen.seen_by(i)):
                K_j = sram.load(K[j], buffers=tiling.stages)              # (B_c, d)
                V_j = sram.load(V[j], buffers=tiling.stages)
                S = sram.hold("S", (Q_i @ K_j.T / sqrt(d)).where(seen.cells(i, j)))
                update(sram, card, S, V_j)
            sram.store(O[i], a_i / maximum(l_i, 1))                       # a row that sees nothing gives 0
    return O.tensor
