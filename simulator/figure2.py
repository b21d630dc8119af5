"""Figure 2 of the FlashAttention paper (Dao et al. 2022), rebuilt from counts: a reconstruction, not its method.

The paper prints gigabytes and does not say how they came about. Here the paper ruler adds them up: the
published algorithms first, then with the passes that its text or its benchmark speaks of.
"""

from dataclasses import dataclass, replace

from .accounting import cost
from .problem import BYTE, Problem, Tiling

WORKLOAD = Problem(n=1024, d=64, heads=16, batch=64, dtype="fp16")
BLOCKS = (64, 128, 256, 384, 512)       # B_c; on the paper ruler B_r plays no part
CURVE = (64, 128, 256, 512)             # those of the middle panel
RELEASED = 256                          # B_c of the released code at d = 64 and N > 256


@dataclass(frozen=True)
class Printed:
    """The left panel as a version of the paper prints it: standard attention, then FlashAttention."""

    version: str
    source: str
    gigabytes: tuple[float, float]
    gflops: tuple[float, float]
    milliseconds: tuple[float, float]


PRINTED = (Printed("arXiv", "arXiv:2205.14135v2, 24 June 2022", (40.3, 4.4), (66.6, 75.2), (41.7, 7.3)),
           Printed("NeurIPS", "NeurIPS 2022 proceedings", (35.3, 4.4), (66.6, 75.2), (35.1, 11.7)))


@dataclass(frozen=True)
class Account:
    """One way to add up the bytes: passes over N × N tables and N × d matrices, and rows of l and m."""

    name: str
    tables: float                       # a table of 1-byte cells, a dropout mask, is half a pass
    matrices: int
    bytes: int                          # of these passes, over all heads
    rows_bytes: int = 0                 # of l and m, beside them
    bc: int | None = None

    def against(self, gigabytes):
        """How far above (+) or below (-) a printed number of gigabytes this account lies, as a share of it."""
        return self.bytes / (gigabytes * 1e9) - 1


def table_bytes(cell_bytes=None):
    """One pass over the N × N tables of all heads."""
    p = WORKLOAD
    return p.n * p.n_k * p.heads * p.batch * (p.storage.bytes if cell_bytes is None else cell_bytes)


def matrix_bytes():
    """One pass over an N × d matrix of all heads."""
    p = WORKLOAD
    return p.n * p.d * p.heads * p.batch * p.storage.bytes


def standard():
    """Forward and backward: the algorithms' 11 passes, with the mask's 2, and with dropout's 5 as well."""
    dropout_backward = 2 * table_bytes() + table_bytes(BYTE.bytes)         # dP in and out, by the stored mask
    return (_standard("algorithms", (), 0), _standard("mask", ("mask",), 0),
            _standard("mask and dropout", ("mask", "dropout"), dropout_backward))


def _standard(name, passes, more):
    there = _paper("standard", RELEASED, passes) + _paper("standard_backward", RELEASED) + more
    matrices = 4 + 8                                      # Q, K, V, O; dO and V twice, K, Q, dV, dQ, dK
    return Account(name, (there - matrices * matrix_bytes()) / table_bytes(), matrices, there)


def flash1(bc):
    """Forward and backward by the algorithms, K/V blocks of `bc` rows: (2 + 3 T_c) + (4 + 5 T_c) passes."""
    t_c = -(-WORKLOAD.n_k // bc)
    matrices = 6 + 8 * t_c
    there = _paper("flash1", bc) + _paper("flash1_backward", bc)
    return Account("algorithms", 0, matrices, matrices * matrix_bytes(), there - matrices * matrix_bytes(), bc)


def released():
    """As the released code saves: nothing fetched of O and dQ on a first visit, O read once backward."""
    whole, t_c = flash1(RELEASED), -(-WORKLOAD.n_k // RELEASED)
    matrices = whole.matrices - 2 - (t_c - 1)
    return replace(whole, name="released code", matrices=matrices, bytes=matrices * matrix_bytes())


def curve():
    """The middle panel: (B_c, bytes by Algorithm 1, bytes with the released code's O in fp32), forward only."""
    return tuple((bc, _forward(bc), _forward_in_fp32(bc)) for bc in CURVE)


def _forward(bc):
    return (2 + 3 * -(-WORKLOAD.n_k // bc)) * matrix_bytes()


def _forward_in_fp32(bc):
    """K, V, and for each block Q; O once at the end, and in fp32 out and in between every two blocks."""
    t_c = -(-WORKLOAD.n_k // bc)
    return (2 + t_c + 1 + 4 * (t_c - 1)) * matrix_bytes()


def flops():
    """Matrix products forward and backward, standard attention and FlashAttention: the papers' convention."""
    return tuple(sum(cost(name, WORKLOAD, Tiling(1, RELEASED)).flops.paper for name in (way, f"{way}_backward"))
                 for way in ("standard", "flash1"))


def _paper(algorithm, bc, passes=()):
    return cost(algorithm, replace(WORKLOAD, passes=passes), Tiling(64, bc)).paper.total
