"""The running card (m, l, a) of 64 query rows in the registers of four warps: how scores change it."""

import triton.experimental.gluon.language as gl
from triton.experimental import gluon

from .tiles import NOTHING

ROWS = gl.constexpr(64)
"""Query rows of one reader: what four warps multiply at once."""


@gluon.jit
def blank(task):
    """m and l before the first score; l as 8 sums for each row, which are added up at the end."""
    zero = gl.reshape(gl.zeros([ROWS, task.B_c], gl.float32, task.S), [ROWS, task.B_c // 8, 8])
    return gl.full([ROWS], NOTHING, gl.float32, gl.SliceLayout(1, task.S)), gl.sum(zero, 1)


@gluon.jit
def update(m, l, S, scale):
    """The card after unscaled scores S: m, l, the shares, and the factor by which what came before shrinks.

    Maxima and sums go over every eighth column first: what one thread holds, in short independent chains.
    """
    B_c: gl.constexpr = S.shape[1]
    highest = gl.max(gl.max(gl.reshape(S, [ROWS, B_c // 8, 8]), 1), 1)
    m_new = gl.maximum(m, gl.convert_layout(highest, m.type.layout) * scale)
    p = gl.exp2(S * scale - m_new[:, None])
    c = gl.exp2(m - m_new)
    eighths = gl.convert_layout(gl.sum(gl.reshape(p, [ROWS, B_c // 8, 8]), 1), l.type.layout)
    return m_new, gl.convert_layout(c, gl.SliceLayout(1, l.type.layout))[:, None] * l + eighths, p, c


@gluon.jit
def masked(S, task, i, ME: gl.constexpr, j):
    """S where a cell is seen, -inf elsewhere. The band hangs on the bottom-right corner."""
    keys = j * task.B_c + gl.arange(0, task.B_c, layout=gl.SliceLayout(0, task.S))[None, :]
    rows = task.row(i, ME) + gl.arange(0, ROWS, layout=gl.SliceLayout(1, task.S))[:, None]
    diagonal = rows + task.N_k - task.N_q
    S = gl.where(keys <= gl.minimum(diagonal + task.right, task.N_k - 1), S, float("-inf"))
    if task.LEFT:
        S = gl.where(keys >= diagonal - task.left, S, float("-inf"))
    return S
