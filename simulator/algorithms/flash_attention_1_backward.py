"""The backward pass of FlashAttention: P is computed again, dQ travels (Dao et al. 2022, Algorithm 4)."""

from math import sqrt

import numpy as np

from ..problem import FP32
from ..values import exp, maximum, rowsum


def flash_attention_1_backward(gpu, Q, K, V, dO, O, l, m, tiling, mask):
    """K/V blocks outside; for each, every row block comes by again, and its dQ goes back.

    Q, dO, O (N_q, d), K, V (N_k, d), and the l and m (N_q, 1) that the forward pass left, lie in HBM,
    as do the results dQ (N_q, d) in fp32, dK and dV (N_k, d).
    """
    sram, (N_q, d), N_k, B_r, B_c = gpu.sram, Q.shape, K.shape[0], tiling.br, tiling.bc
    dQ, stages = gpu.empty("dQ", (N_q, d), FP32).split(B_r), tiling.stages
    dK, dV = (gpu.empty(name, (N_k, d), Q.dtype.table).split(B_c) for name in ("dK", "dV"))
    Q, O, dO, l, m = (x.split(B_r) for x in (Q, O, dO, l, m))
    K, V, seen = K.split(B_c), V.split(B_c), mask.tiles(B_r, B_c)

    with sram.launch("init"):
        for i in sram.grid("i", len(dQ)):
            sram.store(dQ[i], np.zeros(dQ[i].shape))

    with sram.launch("flash_attention_1_backward"):
        for j in sram.loop("j", len(K)):
            K_j, V_j = sram.load(K[j]), sram.load(V[j])                   # (B_c, d), stay on the desk
            dK_j = sram.full("dK", K_j, d)
            dV_j = sram.full("dV", V_j, d)
            for i in sram.loop("i", seen.that_see(j)):
                Q_i = sram.load(Q[i], buffers=stages)                     # (B_r, d)
                O_i = sram.load(O[i], buffers=stages)
                dO_i = sram.load(dO[i], buffers=stages)
                dQ_i = sram.load(dQ[i], into=sram.registers)              # travels for every j
                l_i = sram.load(l[i], into=sram.registers)
                m_i = sram.load(m[i], into=sram.registers)
                S = sram.hold("S", (Q_i @ K_j.T / sqrt(d)).where(seen.cells(i, j)))
                P = sram.compute("P", exp(S - m_i, out=S) / maximum(l_i, 1))           # (B_r, B_c), not fetched
                dV_j[:] = dV_j + P.T @ dO_i
                dP = sram.hold("dP", dO_i @ V_j.T)
                D_i = sram.compute("D", rowsum(dO_i * O_i))               # (B_r, 1), for every j
                dS = sram.compute("dS", P * (dP - D_i))                   # takes dP's place
                sram.store(dQ[i], dQ_i + dS @ K_j / sqrt(d))
                dK_j[:] = dK_j + dS.T @ Q_i
            sram.store(dK[j], dK_j / sqrt(d))
            sram.store(dV[j], dV_j)
    return dQ.tensor, dK.tensor, dV.tensor
