"""FlashAttention (Dao et al. 2022, Algorithm 1): K and V outside, O travels."""

from math import sqrt

import numpy as np

from ..online_softmax import NOTHING
from ..problem import FP32
from ..values import exp, maximum, rowmax, rowsum


def flash_attention_1(gpu, Q, K, V, tiling, mask):
    """For each K/V block, every row block's O, l and m come from HBM and go back.

    Q (N_q, d), K and V (N_k, d) and the result O (N_q, d) lie in HBM, l and m (N_q, 1) in fp32.
    One exponential a cell and one a row: P is taken against the new maximum at once.
    """
    sram, (N_q, d), B_r, B_c = gpu.sram, Q.shape, tiling.br, tiling.bc
    O = gpu.empty("O", (N_q, d), Q.dtype.table).split(B_r)
    l = gpu.empty("l", (N_q, 1), FP32).split(B_r)
    m = gpu.empty("m", (N_q, 1), FP32).split(B_r)
    Q, K, V, seen = Q.split(B_r), K.split(B_c), V.split(B_c), mask.tiles(B_r, B_c)

    with sram.launch("init"):                                             # line 2
        for i in sram.grid("i", len(O)):
            sram.store(O[i], np.zeros(O[i].shape))
            sram.store(l[i], np.zeros(l[i].shape))
            sram.store(m[i], np.full(m[i].shape, NOTHING))

    with sram.launch("flash_attention_1"):
        for j in sram.loop("j", filter(seen.that_see, range(len(K)))):    # line 5
            K_j = sram.load(K[j], buffers=tiling.stages)                  # (B_c, d), stay on the desk
            V_j = sram.load(V[j], buffers=tiling.stages)
            for i in sram.loop("i", seen.that_see(j)):                    # line 7
                Q_i = sram.load(Q[i])
                O_i = sram.load(O[i], into=sram.registers)                # travels for every j
                l_i = sram.load(l[i], into=sram.registers)
                m_i = sram.load(m[i], into=sram.registers)
                S = sram.hold("S", (Q_i @ K_j.T / sqrt(d)).where(seen.cells(i, j)))
                m_new = sram.compute("m", maximum(m_i, rowmax(S)))
                P = sram.compute("P", exp(S - m_new, out=S))
                c = sram.compute("rescale", exp(m_i - m_new))
                l_new = sram.compute("l", c * l_i + rowsum(P))
                a = sram.compute("a", c * l_i * O_i + P @ V_j)            # O_i is normalised: undo, add
                sram.store(O[i], a / maximum(l_new, 1))                    # line 12
                sram.store(l[i], l_new)
                sram.store(m[i], m_new)
    return O.tensor
