"""The running card (m, l, a) of 64 query rows in the registers of four warps: how scores change it."""

import triton.experimental.gluon.language as gl
from triton.experimental import gluon

from .schedule import READER
from .tiles import NOTHING

ROWS = gl.constexpr(READER)
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
    """S where a cell is seen, -inf elsewhere. The band hangs on the bottom-right corner.

    Columns are counted in eights and within them: which eight it is stands in the instruction, and what a thread
    compares it with is one number a row and place. Compared column by column, the mask would cost four times as much.
    """
    eights = gl.reshape(S, [ROWS, task.B_c // 8, 8])
    rows, eight, place = axes(eights)
    diagonal = task.row(i, ME) + rows + task.N_k - task.N_q - j * task.B_c - place
    last = task.N_k - 1 - j * task.B_c - place
    eights = gl.where(8 * eight <= gl.minimum(diagonal + task.right, last), eights, float("-inf"))
    if task.LEFT:
        eights = gl.where(8 * eight >= diagonal - task.left, eights, float("-inf"))
    return gl.convert_layout(gl.reshape(eights, [ROWS, task.B_c]), task.S)


@gluon.jit
def axes(x):
    """The indices of x (A, B, C) along each axis: (A, 1, 1), (1, B, 1), (1, 1, C)."""
    layout: gl.constexpr = x.type.layout
    first = gl.arange(0, x.shape[0], layout=gl.SliceLayout(1, gl.SliceLayout(2, layout)))
    second = gl.arange(0, x.shape[1], layout=gl.SliceLayout(0, gl.SliceLayout(2, layout)))
    third = gl.arange(0, x.shape[2], layout=gl.SliceLayout(0, gl.SliceLayout(1, layout)))
    return (gl.expand_dims(gl.expand_dims(first, 1), 2), gl.expand_dims(gl.expand_dims(second, 0), 2),
            gl.expand_dims(gl.expand_dims(third, 0), 1))
