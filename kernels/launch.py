"""From tensors to launches: what is asked, checked once, and every kernel call as data.

An algorithm's host function makes a Case, allocates its results and runs a list of Launch. The same
list can be compiled for a GPU that is not there, or counted.
"""

import sys
from dataclasses import asdict, dataclass
from functools import cached_property
from math import prod, sqrt

from simulator.errors import BadProblem
from simulator.problem import Problem, dtype

LARGEST_D = 256
DTYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32"}


class StorageType(str):
    """A storage type by the simulator's name, with the `itemsize` that Triton asks for."""

    @property
    def itemsize(self):
        """Bytes of one number."""
        return dtype(self).bytes


@dataclass(frozen=True)
class Blocks:
    """`br` query rows one program owns, `bc` keys of a tile, `warps` of 32 threads, `stages` of the pipeline."""

    br: int
    bc: int
    warps: int = 4
    stages: int = 2

    def check(self):
        """Refuse what a tile of Triton's cannot be: raises BadProblem."""
        for name, lowest in (("br", 16), ("bc", 16), ("warps", 1)):
            value = getattr(self, name)
            if value < lowest or value & (value - 1):
                raise BadProblem(name=name, asked=value, possible=f"a power of two from {lowest}",
                                 remedy="choose one; N and d may be anything")

    @property
    def of_launch(self):
        """These numbers as fields of a Launch."""
        return asdict(self)


@dataclass(frozen=True)
class Launch:
    """One kernel call: `name` as in the simulator's ledger, a flat grid, run-time and compile-time arguments."""

    name: str
    kernel: object
    grid: int
    args: dict
    constants: dict
    br: int                             # query rows one program owns
    bc: int                             # keys of a tile
    warps: int
    stages: int

    def go(self):
        """Put it in the device's queue."""
        return self.kernel[(self.grid,)](**self.args, **self.constants, num_warps=self.warps, num_stages=self.stages)


def go(launches):
    """Run the launches one after another."""
    for launch in launches:
        launch.go()


@dataclass(frozen=True)
class Case:
    """A checked problem as the kernels see it."""

    problem: Problem

    @classmethod
    def of(cls, q, k, v, causal=False, window=(-1, -1), lse=False, passes=()):
        """The Case of q (B, H, N_q, d), k and v (B, H_kv, N_k, d); raises BadProblem."""
        _refuse_strange(q, k, v)
        (B, H, N_q, d), (_, H_kv, N_k, _) = q.shape, k.shape
        return cls(Problem(n=N_q, n_kv=N_k, d=d, batch=B, heads=H, kv_heads=H_kv, dtype=dtype_name(q),
                           causal=causal, window=window, lse=lse, passes=tuple(passes)))

    @property
    def D(self):
        """The width of a tile: d rounded up to a power of two, at least what a matrix product takes."""
        return max(16, 1 << (self.problem.d - 1).bit_length())

    @property
    def units(self):
        """Independent heads: batch × heads."""
        return self.problem.batch * self.problem.heads

    @property
    def scale(self):
        """1 ÷ √d."""
        return 1 / sqrt(self.problem.d)

    @property
    def precision(self):
        """fp32 inputs get full-precision products, not tf32."""
        return "ieee"

    @cached_property
    def band(self):
        """How far each row sees to the left and right of the bottom-right diagonal, as finite numbers."""
        mask = self.problem.mask
        return dict(left=mask.n_k if mask.left == -1 else mask.left, right=mask.n_q if mask.right == -1 else mask.right)

    def masked(self, bc):
        """Whether some tile has cells that are not seen."""
        return not self.problem.mask.hides_nothing or self.problem.n_k % bc != 0

    @property
    def last_first(self):
        """Whether later row blocks have more to do and are launched first."""
        return self.problem.mask.right != -1

    def row_blocks(self, br):
        """T_r of one head."""
        return -(-self.problem.n // br)

    def sizes(self, br):
        """The run-time sizes every kernel is given."""
        p = self.problem
        return dict(N_q=p.n, N_k=p.n_k, T_r=self.row_blocks(br), H=p.heads, group=p.heads // p.groups)

    @staticmethod
    def strides(*tensors):
        """The strides of each tensor, in elements."""
        return tuple(tuple(x.stride()) for x in tensors)


def dtype_name(x):
    """The simulator's name of a tensor's dtype ("fp16" …); raises BadProblem."""
    name = str(x.dtype).removeprefix("torch.")
    if DTYPES.get(name, name) not in DTYPES.values():
        raise BadProblem(name="dtype", asked=name, possible=", ".join(DTYPES.values()), remedy="convert first")
    return DTYPES.get(name, name)


def aligned(x):
    """Whether the rows of x (B, H, n, d) lie as a tensor memory accelerator wants them: d contiguous, rows 16 bytes
    aligned.
    """
    width = dtype(dtype_name(x)).bytes
    return x.stride()[3] == 1 and not any(step * width % 16 for step in x.stride()[:3]) and not x.data_ptr() % 16


def column(q):
    """An fp32 column for each row of q, uninitialised: (B, H, N_q)."""
    return q.new_empty(tuple(q.shape[:3]), dtype=sys.modules["torch"].float32 if hasattr(q, "device") else "fp32")


def _refuse_strange(q, k, v):
    for name, x in (("q", q), ("k", k), ("v", v)):
        if not all(hasattr(x, part) for part in ("shape", "dtype", "stride", "data_ptr", "new_empty")):
            raise BadProblem(name=name, asked=type(x).__name__, possible="a PyTorch tensor",
                             remedy="make one, for example with torch.from_numpy")
        if len(x.shape) != 4 or not prod(x.shape):
            raise BadProblem(name=f"{name}.shape", asked=tuple(x.shape), remedy="add the missing axes",
                             possible="(batch, heads, n, d), none of them 0")
    if tuple(k.shape) != tuple(v.shape):
        raise BadProblem(name="v.shape", asked=tuple(v.shape), possible=f"k's shape {tuple(k.shape)}",
                         remedy="give each key one value")
    if (q.shape[0], q.shape[3]) != (k.shape[0], k.shape[3]):
        raise BadProblem(name="k.shape", asked=tuple(k.shape), remedy="match them",
                         possible=f"batch {q.shape[0]} and d {q.shape[3]}, as q has")
    if not dtype_name(q) == dtype_name(k) == dtype_name(v):
        raise BadProblem(name="k.dtype, v.dtype", asked=f"{k.dtype}, {v.dtype}", possible=f"q's dtype {q.dtype}",
                         remedy="convert them")
    if q.shape[3] > LARGEST_D:
        raise BadProblem(name="d", asked=q.shape[3], possible=f"1 to {LARGEST_D}", remedy="split the head")
