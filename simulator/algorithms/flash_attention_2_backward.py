"""The backward pass of FlashAttention-2: a thread block per K/V block, dQ by atomics (Dao 2023, Algorithm 2)."""

from math import sqrt

import numpy as np

from ..online_softmax import NOTHING
from ..problem import FP32
from ..values import exp, maximum, rowsum


def flash_attention_2_backward(gpu, Q, K, V, dO, O, L, tiling, mask):
    """D is computed once; each K/V block keeps its dK and dV while the row blocks pass by, and adds to their dQ.

    Q, dO, O (N_q, d), K, V (N_k, d), and the logsumexp L (N_q, 1) that the forward pass left, lie in
    HBM, as do D (N_q, 1) and the result dQ (N_q, d) in fp32, and the results dK and dV (N_k, d).
    """
    sram, (N_q, d), N_k, B_r, B_c = gpu.sram, Q.shape, K.shape[0], tiling.br, tiling.bc
    D, dQ = gpu.empty("D", (N_q, 1), FP32).split(B_r), gpu.empty("dQ", (N_q, d), FP32).split(B_r)
    dK, dV = (gpu.empty(name, (N_k, d), Q.dtype.table).split(B_c) for name in ("dK", "dV"))
    Q, O, dO, L, stages = Q.split(B_r), O.split(B_r), dO.split(B_r), L.split(B_r), tiling.stages
    K, V, seen = K.split(B_c), V.split(B_c), mask.tiles(B_r, B_c)

    with sram.launch("preprocess"):
        for i in sram.grid("i", len(O)):
            O_i, dO_i = sram.stream(O[i]), sram.stream(dO[i])             # (B_r, d), row by row
            sram.store(D[i], rowsum(dO_i * O_i))

    with sram.launch("init"):
        for i in sram.grid("i", len(dQ)):
            sram.store(dQ[i], np.zeros(dQ[i].shape))

    with sram.launch("flash_attention_2_backward"):
        for j in sram.grid("j", len(K)):                                  # one thread block per K/V block
            K_j, V_j = sram.load(K[j]), sram.load(V[j])                   # (B_c, d), stay on the desk
            dK_j = sram.full("dK", K_j, d)
            dV_j = sram.full("dV", V_j, d)
            for i in sram.loop("i", seen.that_see(j)):
                Q_i = sram.load(Q[i], buffers=stages)                     # (B_r, d)
                dO_i = sram.load(dO[i], buffers=stages)
                L_i = sram.load(L[i], into=sram.registers)
                D_i = sram.load(D[i], into=sram.registers)
                S = sram.hold("S", (Q_i @ K_j.T / sqrt(d)).where(seen.cells(i, j)))
                P = sram.compute("P", exp(S - maximum(L_i, NOTHING), out=S))           # (B_r, B_c), not fetched
                dV_j[:] = dV_j + P.T @ dO_i
                dP = sram.hold("dP", dO_i @ V_j.T)
                dS = sram.compute("dS", P * (dP - D_i))                   # takes dP's place
                sram.add(dQ[i], dS @ K_j / sqrt(d))                       # other thread blocks add to it, too
                dK_j[:] = dK_j + dS.T @ Q_i
            sram.store(dK[j], dK_j / sqrt(d))
            sram.store(dV[j], dV_j)
    return dQ.tensor, dK.tensor, dV.tensor
