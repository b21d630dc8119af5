"""Attention in float64: the oracle that outputs are held against."""

import numpy as np

CELLS_AT_ONCE = 2**20                   # of the table: 8 MiB, whatever N is


def attention(Q, K, V, mask):
    """softmax(QKᵀ/√d) V for one head in float64; (n_q, d), (n_k, d), (n_k, d) -> (n_q, d).

    A row that sees nothing gives 0.
    """
    Q, K, V = (np.asarray(x, np.float64) for x in (Q, K, V))
    step = max(1, CELLS_AT_ONCE // len(K))
    return np.concatenate([_of_rows(range(top, min(top + step, len(Q))), Q, K, V, mask)
                           for top in range(0, len(Q), step)])


def _of_rows(rows, Q, K, V, mask):
    S = np.where(mask.cells(rows, range(len(K))), Q[rows.start:rows.stop] @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    P = np.exp(S - np.maximum(S.max(axis=1, keepdims=True), np.finfo(np.float64).min))
    return P @ V / np.maximum(P.sum(axis=1, keepdims=True), 1)
