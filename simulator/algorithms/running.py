"""The running card (m, l, a) on the desk, for the programs of decoding; flash_attention_2 says it line by line."""

from ..online_softmax import NOTHING
from ..values import exp, maximum, rowmax, rowsum


def blank(sram, rows, d):
    """The card of these rows before the first key: m, l (B_r, 1) and a (B_r, d), held in registers."""
    return sram.full("m", rows, 1, NOTHING), sram.full("l", rows, 1), sram.full("a", rows, d)


def update(sram, card, S, V_j):
    """A tile of scores S (B_r, B_c) and its values V_j (B_c, d) are added to the card; P overwrites S."""
    m, l, a = card
    m_new = maximum(m, rowmax(S))
    P = sram.compute("P", exp(S - m_new, out=S))
    c = sram.compute("rescale", exp(m - m_new))
    l[:] = c * l + rowsum(P)
    a[:] = c * a + P @ V_j
    m[:] = m_new


def merge(sram, card, L_s, O_s):
    """A finished part is added to the card, as one key would be: score L_s (B_r, 1), value O_s (B_r, d)."""
    m, l, a = card
    m_new = maximum(m, L_s)
    p = sram.compute("P", exp(L_s - m_new))
    c = sram.compute("rescale", exp(m - m_new))
    l[:] = c * l + p
    a[:] = c * a + p * O_s
    m[:] = m_new
