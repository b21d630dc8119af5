"""The tiled matrix product, executed and in closed form."""

from dataclasses import dataclass

import numpy as np

from .algorithms.matmul import matmul
from .cost import Traffic
from .hardware import gpu
from .memory import GPU
from .problem import dtype


@dataclass(frozen=True)
class Product:
    """What a product moves over the edge of the desk, by matrix, and its multiply-adds as 2 FLOP each."""

    by_matrix: dict[str, Traffic]
    flops: int

    @property
    def total(self):
        """Bytes read and written."""
        return sum(traffic.total for traffic in self.by_matrix.values())

    @property
    def intensity(self):
        """FLOP for each byte."""
        return self.flops / self.total


def executed(m, n, k, block, storage="fp16", key="h200"):
    """(Product, C) of a product of normal numbers, counted in a run; A is (m, k), B is (k, n).

    Raises DoesNotFit where three tiles are more than the desk of the GPU `key`.
    """
    machine, rng, width = GPU(gpu(key)), np.random.default_rng(0), dtype(storage)
    a, b = (rng.standard_normal(shape, np.float32) for shape in ((m, k), (k, n)))
    C = matmul(machine, machine.tensor("A", a, width), machine.tensor("B", b, width), block)
    ledger = machine.sram.ledger
    return Product(dict(ledger.desk.by_tensor), ledger.matmul), machine.read_back(C)


def closed_form(m, n, k, block, storage="fp16"):
    """The Product without running it: A once for every column of tiles, B for every row of tiles, C once."""
    e = dtype(storage).bytes
    moved = {"A": Traffic(e * m * k * -(-n // block), 0), "B": Traffic(e * k * n * -(-m // block), 0),
             "C": Traffic(0, e * m * n)}
    return Product(moved, 2 * m * n * k)
