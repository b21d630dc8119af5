"""FlashAttention-2 (Dao 2023, Algorithm 1): Q outside, in parallel; O is written once."""

from math import sqrt

from ..online_softmax import NOTHING
from ..problem import FP32
from ..values import exp, log, maximum, rowmax, rowsum


def flash_attention_2(gpu, Q, K, V, tiling, mask, lse=False):
    """Each row block keeps its card (m, l, a) on the desk while K and V pass by.

    Q (N_q, d), K and V (N_k, d) and the result O (N_q, d) lie in HBM; with `lse` the logsumexp
    L (N_q, 1) is written too, in fp32, for a backward pass.
    """
    sram, (N_q, d), B_r, B_c = gpu.sram, Q.shape, tiling.br, tiling.bc
    O = gpu.empty("O", (N_q, d), Q.dtype.table).split(B_r)
    L = gpu.empty("L", (N_q, 1), FP32).split(B_r)
    Q, K, V, seen = Q.split(B_r), K.split(B_c), V.split(B_c), mask.tiles(B_r, B_c)

    with sram.launch("flash_attention_2"):
        for i in sram.grid("i", len(Q)):                                  # one thread block per row block
            Q_i = sram.load(Q[i])                                         # (B_r, d), stays on the desk
            m_i = sram.full("m", Q_i, 1, NOTHING)                         # running maximum
            l_i = sram.full("l", Q_i, 1)                                  # running sum
            a_i = sram.full("a", Q_i, d)                                  # running weighted sum
            for j in sram.loop("j", seen.seen_by(i)):                     # skipped tiles move nothing
                K_j = sram.load(K[j], buffers=tiling.stages)              # (B_c, d)
                V_j = sram.load(V[j], buffers=tiling.stages)
                S = sram.hold("S", (Q_i @ K_j.T / sqrt(d)).where(seen.cells(i, j)))
                m_new = maximum(m_i, rowmax(S))
                P = sram.compute("P", exp(S - m_new, out=S))              # (B_r, B_c), never leaves the desk
                c = sram.compute("rescale", exp(m_i - m_new))             # what came before shrinks
                l_i[:] = c * l_i + rowsum(P)
                a_i[:] = c * a_i + P @ V_j
                m_i[:] = m_new
            sram.store(O[i], a_i / maximum(l_i, 1))                       # a seen row has l ≥ 1, an unseen one gives 0
            if lse:
                sram.store(L[i], m_i + log(l_i))
    return O.tensor
