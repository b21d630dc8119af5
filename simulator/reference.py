"""Attention and its gradients in float64: the oracle that outputs are held against."""

import numpy as np

from .online_softmax import NOTHING

CELLS_AT_ONCE = 2**20                   # of the table: 8 MiB, whatever N is


def attention(Q, K, V, mask):
    """softmax(QKᵀ/√d) V for one head in float64; (n_q, d), (n_k, d), (n_k, d) -> (n_q, d).

    A row that sees nothing gives 0.
    """
    Q, K, V = _exact(Q, K, V)
    return np.concatenate([E @ V / np.maximum(l, 1) for _, E, l, _ in _slabs(Q, K, mask)])


def softmax(Q, K, mask):
    """The table P = softmax(QKᵀ/√d) of one head, whole, in float64: (n_q, n_k)."""
    return np.concatenate([E / np.maximum(l, 1) for _, E, l, _ in _slabs(*_exact(Q, K), mask)])


def card(Q, K, mask):
    """(m, l) of every row of one head in float64, each (n_q, 1): the maximum score, and Σ exp(score - m)."""
    columns = [(m, l) for _, _, l, m in _slabs(*_exact(Q, K), mask)]
    return tuple(np.concatenate(column) for column in zip(*columns, strict=True))


def gradients(Q, K, V, dO, mask):
    """(dQ, dK, dV) of one head in float64, of any loss whose gradient by O is dO (n_q, d).

    dV = PᵀdO; dP = dO Vᵀ; dS = P ∘ (dP - rowsum(P ∘ dP)); dQ = dS K/√d; dK = dSᵀQ/√d.
    """
    Q, K, V, dO = _exact(Q, K, V, dO)
    dQ, dK, dV = np.zeros_like(Q), np.zeros_like(K), np.zeros_like(V)
    for rows, E, l, _ in _slabs(Q, K, mask):
        P, dP = E / np.maximum(l, 1), dO[rows] @ V.T
        dS = P * (dP - (P * dP).sum(axis=1, keepdims=True)) / np.sqrt(Q.shape[1])
        dQ[rows] = dS @ K
        dK += dS.T @ Q[rows]
        dV += P.T @ dO[rows]
    return dQ, dK, dV


def _exact(*matrices):
    return (np.asarray(x, np.float64) for x in matrices)


def _slabs(Q, K, mask):
    """Rows (a slice), exp(S - m), its row sums l and the maxima m, for a few rows of the table at a time."""
    step = max(1, CELLS_AT_ONCE // len(K))
    for top in range(0, len(Q), step):
        rows = range(top, min(top + step, len(Q)))
        S = np.where(mask.cells(rows, range(len(K))), Q[rows.start:rows.stop] @ K.T / np.sqrt(Q.shape[1]), -np.inf)
        m = np.maximum(S.max(axis=1, keepdims=True), NOTHING)
        E = np.exp(S - m)
        yield slice(rows.start, rows.stop), E, E.sum(axis=1, keepdims=True), m
