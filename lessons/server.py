"""The server's own manners: one process answers a whole class, so nothing may stop it for long."""

import gc
import sys

YOUNG, MIDDLE, OLD = 20_000, 20, 100    # allocations, young collections, middle collections until the next
TURN_S = 0.001                          # how long a page may compute before the sender of answers has its turn


def settle() -> None:
    """Collect garbage rarely, and never what is loaded for good; let answers out while another page computes."""
    if not gc.get_freeze_count():
        sys.setswitchinterval(TURN_S)
        gc.set_threshold(YOUNG, MIDDLE, OLD)
        gc.freeze()
