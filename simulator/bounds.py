"""What no algorithm can go below: compulsory traffic and the I/O lower bound.

The constant in `io_lower_bound` is our derivation from the 2M-partition argument of Saha and Ye
(2024, Lemmas 2.8 and 3.3), which states no constants. Arguments may be arrays.
"""

import numpy as np

from .cost import Traffic


def compulsory(problem):
    """Bytes that must cross once whatever is done: Q, K, V in, O out; K and V once per K/V head."""
    storage, d = problem.storage, problem.d
    inputs = problem.heads * problem.n + 2 * problem.groups * problem.n_k
    return Traffic(read=problem.batch * storage.bytes * d * inputs,
                   write=problem.batch * storage.table.bytes * d * problem.heads * problem.n)


def io_lower_bound(n_q, n_k, d, capacity):
    """Elements, read plus written, that any fused exact attention of one head must move.

    A part of a 2M-partition touches at most M²/d² + 4M of the N_q N_k dot products, so
    Q ≥ N_q N_k d² / (M + 4d²) - M with M = `capacity` in elements; never below N_q d·2 + N_k d·2.
    """
    cells = np.asarray(n_q) * n_k * d * d
    partition = -(-cells // (capacity + 4 * d * d)) - capacity
    return np.maximum(partition, 2 * d * (np.asarray(n_q) + n_k))
