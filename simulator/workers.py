"""Who is busy in a step of decoding: the thread blocks of one launch, dealt to the SMs of a GPU."""

from dataclasses import dataclass

from .algorithms.split_kv import dealt
from .roofline import thread_blocks


@dataclass(frozen=True)
class Seating:
    """One launch of split_kv on a GPU, one thread block an SM."""

    blocks: int                         # thread blocks of the launch
    sms: int                            # workers on the floor
    tiles: int                          # K/V blocks that the busiest thread block lets pass

    @property
    def busy(self):
        """Workers that have anything to do."""
        return min(self.blocks, self.sms)

    @property
    def waves(self):
        """How often the floor is filled until every thread block has had its turn."""
        return -(-self.blocks // self.sms)

    def turns(self):
        """How many thread blocks each worker gets, dealt one after the other."""
        whole, left = divmod(self.blocks, self.sms)
        return tuple(whole + (sm < left) for sm in range(self.sms))


def seated(problem, tiling, spec):
    """The Seating of `split_kv` on a GPUSpec: batch × heads (K/V heads, where groups are packed) × splits.

    With one split it is that of `decode`. The few rows of a step are one row block, as in Flash-Decoding
    (Dao, Haziza, Massa, Sizov 2023).
    """
    keys = problem.mask.tiles(problem.n, tiling.bc).seen_by(0)
    return Seating(thread_blocks("split_kv", problem, tiling), spec.sms, max(map(len, dealt(keys, tiling.splits))))
