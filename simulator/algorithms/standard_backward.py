"""The backward pass of standard attention: P comes back, dP and dS follow it (Dao et al. 2022, Algorithm 3)."""

from math import sqrt

from ..values import rowsum


def standard_backward(gpu, Q, K, V, dO, P, tiling):
    """Five launches, dV = PᵀdO, dP = dO Vᵀ, dS = P ∘ (dP - rowsum(P ∘ dP)), dQ = dS K/√d, dK = dSᵀQ/√d.

    Q, dO (N_q, d), K, V (N_k, d), the table P (N_q, N_k) that the forward pass left, and the results
    dQ (N_q, d), dK and dV (N_k, d) lie in HBM. A mask needs no word: P is 0 where it hides.
    """
    sram, (N_q, d), N_k, B_r, B_c = gpu.sram, Q.shape, K.shape[0], tiling.br, tiling.bc
    table, stages = Q.dtype.table, tiling.stages
    dQ = gpu.empty("dQ", (N_q, d), table).split(B_r)
    dK, dV = gpu.empty("dK", (N_k, d), table).split(B_c), gpu.empty("dV", (N_k, d), table).split(B_c)
    dP, dS = gpu.empty("dP", (N_q, N_k), table).split(B_r, B_c), gpu.empty("dS", (N_q, N_k), table).split(B_r, B_c)
    Q, dO, K, V, P = Q.split(B_r), dO.split(B_r), K.split(B_c), V.split(B_c), P.split(B_r, B_c)

    with sram.launch("dv"):                                               # line 1
        for j in sram.grid("j", len(V)):
            dV_j = sram.full("dV", V[j], d)                               # (B_c, d)
            for i in sram.loop("i", len(dO)):
                P_ij = sram.load(P[i, j], buffers=stages)                 # (B_r, B_c)
                dO_i = sram.load(dO[i], buffers=stages)
                dV_j[:] = dV_j + P_ij.T @ dO_i
            sram.store(dV[j], dV_j)

    with sram.launch("dp"):                                               # line 2
        for i in sram.grid("i", len(dO)):
            for j in sram.grid("j", len(V)):                              # one thread block per tile
                dO_i, V_j = sram.load(dO[i]), sram.load(V[j], buffers=stages)
                dP_ij = sram.hold("dP", dO_i @ V_j.T)
                sram.store(dP[i, j], dP_ij)

    with sram.launch("ds"):                                               # line 3
        for i in sram.grid("i", len(P)):
            P_i, dP_i = sram.stream(P[i]), sram.stream(dP[i])             # (B_r, N_k), row by row
            D_i = sram.compute("D", rowsum(P_i * dP_i))
            sram.store(dS[i], P_i * (dP_i - D_i))

    with sram.launch("dq"):                                               # line 4
        for i in sram.grid("i", len(Q)):
            dQ_i = sram.full("dQ", Q[i], d)                               # (B_r, d)
            for j in sram.loop("j", len(K)):
                dS_ij = sram.load(dS[i, j], buffers=stages)
                K_j = sram.load(K[j], buffers=stages)
                dQ_i[:] = dQ_i + dS_ij @ K_j
            sram.store(dQ[i], dQ_i / sqrt(d))

    with sram.launch("dk"):                                               # line 5
        for j in sram.grid("j", len(K)):
            dK_j = sram.full("dK", K[j], d)                               # (B_c, d)
            for i in sram.loop("i", len(Q)):
                dS_ij = sram.load(dS[i, j], buffers=stages)
                Q_i = sram.load(Q[i], buffers=stages)
                dK_j[:] = dK_j + dS_ij.T @ Q_i
            sram.store(dK[j], dK_j / sqrt(d))
    return dQ.tensor, dK.tensor, dV.tensor
