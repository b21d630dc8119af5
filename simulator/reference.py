"""Attention in float64: the oracle that outputs are held against."""

import numpy as np


def attention(Q, K, V, mask):
    """softmax(QKᵀ/√d) V for one head in float64; (n_q, d), (n_k, d), (n_k, d) -> (n_q, d).

    A row that sees nothing gives 0.
    """
    Q, K, V = (np.asarray(x, np.float64) for x in (Q, K, V))
    S = np.where(mask.cells(range(len(Q)), range(len(K))), Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    P = np.exp(S - np.maximum(S.max(axis=1, keepdims=True), np.finfo(np.float64).min))
    return P @ V / np.maximum(P.sum(axis=1, keepdims=True), 1)
