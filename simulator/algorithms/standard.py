"""Standard attention: the N×N tables S and P go to HBM and come back (Dao et al. 2022, Algorithm 0)."""

from math import sqrt

import numpy as np

from ..online_softmax import NOTHING
from ..problem import BYTE
from ..values import exp, maximum, rowmax, rowsum


def standard(gpu, Q, K, V, tiling, mask, passes=()):
    """Three launches, S = QKᵀ/√d, P = softmax(S), O = PV, with extra N² passes if asked for.

    Q (N_q, d), K and V (N_k, d) and the result O (N_q, d) lie in HBM. A mask moves no fewer bytes:
    the table is whole, and the scores are masked in passing.
    """
    sram, (N_q, d), N_k, B_r, B_c = gpu.sram, Q.shape, K.shape[0], tiling.br, tiling.bc
    O = gpu.empty("O", (N_q, d), Q.dtype.table)
    S = gpu.empty("S", (N_q, N_k), Q.dtype.table)
    P = gpu.empty("P", (N_q, N_k), Q.dtype.table)
    O, Q, K, V = O.split(B_r), Q.split(B_r), K.split(B_c), V.split(B_c)
    S, P, seen = S.split(B_r, B_c), P.split(B_r, B_c), mask.tiles(B_r, B_c)

    with sram.launch("scores"):
        for i in sram.grid("i", len(Q)):
            for j in sram.grid("j", len(K)):                              # one thread block per tile
                Q_i, K_j = sram.load(Q[i]), sram.load(K[j], buffers=tiling.stages)
                S_ij = sram.hold("S", (Q_i @ K_j.T / sqrt(d)).where(seen.cells(i, j)))
                sram.store(S[i, j], S_ij)                                 # (B_r, B_c), off to the cabinet

    for name in passes:
        if name != "dropout":
            extra_pass(gpu, name, S)

    with sram.launch("softmax"):
        for i in sram.grid("i", len(S)):
            S_i = sram.stream(S[i])                                       # (B_r, N_k), row by row
            m = sram.compute("m", maximum(rowmax(S_i), NOTHING))
            P_i = sram.compute("P", exp(S_i - m))
            sram.store(P[i], P_i / maximum(rowsum(P_i), 1))                 # a row that sees nothing gives 0

    if "dropout" in passes:
        dropout(gpu, P)

    with sram.launch("pv"):
        for i in sram.grid("i", len(O)):                                  # one thread block per row block
            a_i = sram.full("a", O[i], d)
            for j in sram.loop("j", len(V)):
                P_ij = sram.load(P[i, j], buffers=tiling.stages)
                V_j = sram.load(V[j], buffers=tiling.stages)
                a_i[:] = a_i + P_ij @ V_j                                 # (B_r, d)
            sram.store(O[i], a_i)
    return O.tensor


def extra_pass(gpu, name, table):
    """One kernel more that reads the table and writes it back, as an unfused scale or mask does."""
    with gpu.sram.launch(name):
        for i in gpu.sram.grid("i", len(table)):
            gpu.sram.store(table[i], gpu.sram.stream(table[i]))


def dropout(gpu, table):
    """A dropout pass that drops nothing: reads and writes the table, writes its mask Z (1 byte a cell)."""
    Z = gpu.empty("Z", table.tensor.shape, BYTE).split(table.rows)
    with gpu.sram.launch("dropout"):
        for i in gpu.sram.grid("i", len(table)):
            P_i = gpu.sram.stream(table[i])
            gpu.sram.store(table[i], P_i)
            gpu.sram.store(Z[i], np.ones(P_i.shape, np.float32))
