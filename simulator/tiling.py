"""What fits one SM: the exact room a thread block takes in shared memory and registers.

The numbers may be integers or integer arrays that broadcast together.
"""

from dataclasses import dataclass

import numpy as np

from .cost import Peak
from .memory import REGISTER_BYTES
from .problem import dtype


def flash_room(br, bc, d, storage, stages=1):
    """Peak of flash_attention_1 and _2: Q and the K, V buffers; S (P overwrites it), a, m, l."""
    return Peak(shared_bytes=storage.bytes * d * (br + 2 * stages * bc),
                registers_bytes=REGISTER_BYTES * (br * bc + br * d + 2 * br))


def standard_room(br, bc, d, storage, stages=1):
    """Peak of the standard way: the larger of its scores and PV launches (softmax streams)."""
    scores = storage.bytes * d * (br + stages * bc)
    pv = stages * (storage.table.bytes * br * bc + storage.bytes * bc * d)
    return Peak(shared_bytes=np.maximum(scores, pv),
                registers_bytes=REGISTER_BYTES * np.maximum(br * bc, br * d))


def split_room(br, bc, d, storage, stages=1):
    """Peak of split_kv: a split's, as flash_attention_2's; combine keeps a card beside one part (O, L) in fp32."""
    split = flash_room(br, bc, d, storage, stages)
    combine = REGISTER_BYTES * (2 * br * d + 3 * br)
    return Peak(split.shared_bytes, np.maximum(split.registers_bytes, combine))


def standard_backward_room(br, bc, d, storage, stages=1):
    """Peak of standard_backward: the largest of its launches for dV, dP, dQ and dK (dS streams)."""
    e, t = storage.bytes, storage.table.bytes
    dv = stages * t * br * (bc + d)                       # P and dO; dK's dS and Q are no wider
    dp = t * br * d + stages * e * bc * d                 # dO and V
    dq = stages * (t * br * bc + e * bc * d)              # dS and K
    return Peak(shared_bytes=np.maximum(np.maximum(dv, dp), dq),
                registers_bytes=REGISTER_BYTES * np.maximum(br * bc, np.maximum(br, bc) * d))


def flash_attention_1_backward_room(br, bc, d, storage, stages=1):
    """Peak of flash_attention_1_backward: K, V and the buffers of Q, O, dO; tiles and accumulators in fp32."""
    e, t = storage.bytes, storage.table.bytes
    return Peak(shared_bytes=2 * e * bc * d + stages * (e + 2 * t) * br * d,
                registers_bytes=_of_gradients(br, bc, d))


def flash_attention_2_backward_room(br, bc, d, storage, stages=1):
    """Peak of flash_attention_2_backward: as the first one's, without O, since D is there already."""
    e, t = storage.bytes, storage.table.bytes
    return Peak(shared_bytes=2 * e * bc * d + stages * (e + t) * br * d,
                registers_bytes=_of_gradients(br, bc, d))


def _of_gradients(br, bc, d):
    """S (P overwrites it) and dP (dS overwrites it), dK and dV, dQ, and two numbers a row."""
    return REGISTER_BYTES * (2 * br * bc + 2 * bc * d + br * d + 2 * br)


ROOM = {"standard": standard_room, "flash1": flash_room, "flash2": flash_room,
        "decode": flash_room, "split_kv": split_room,
        "standard_backward": standard_backward_room, "flash1_backward": flash_attention_1_backward_room,
        "flash2_backward": flash_attention_2_backward_room}


def fits(peak, spec):
    """Whether a thread block with this peak fits one SM of `spec`: both areas must."""
    return (peak.shared_bytes <= spec.shared_per_block_bytes) & (peak.registers_bytes <= spec.registers_per_sm_bytes)


@dataclass(frozen=True)
class Largest:
    """The largest blocks that fit: powers of two, None where not even 1 row does."""

    square: int | None                  # B_r = B_c
    br_at_bc_64: int | None             # the largest B_r beside B_c = 64


def largest_blocks(algorithm, d, dtype_name, spec, stages=1):
    """The largest power-of-two blocks of `algorithm` on one SM of `spec`."""
    room, storage, sizes = ROOM[algorithm], dtype(dtype_name), 2 ** np.arange(15)
    square = fits(room(sizes, sizes, d, storage, stages), spec)
    beside = fits(room(sizes, np.int64(64), d, storage, stages), spec)
    return Largest(_last(sizes, square), _last(sizes, beside))


def papers_rule(d, capacity_bytes, element_bytes):
    """The first paper's B_c = ⌈M/4d⌉, B_r = min(B_c, d) with M in elements: the asymptotic rule.

    It counts four d-wide tiles and asks the S tile only to be O(M); real blocks come from the exact room.
    """
    bc = -(-capacity_bytes // (element_bytes * 4 * d))
    return min(bc, d), bc


def _last(sizes, fitting):
    return int(sizes[fitting][-1]) if fitting.any() else None
