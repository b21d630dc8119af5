"""The server's own manners: one process answers a whole class, so nothing may stop it for long."""

import gc

YOUNG, MIDDLE, OLD = 20_000, 20, 100    # allocations, young collections, middle collections until the next


def settle() -> None:
    """Collect garbage rarely, and never what is loaded for good: a full collection makes every reader wait."""
    if not gc.get_freeze_count():
        gc.set_threshold(YOUNG, MIDDLE, OLD)
        gc.freeze()
