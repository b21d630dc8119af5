"""The event log as rows, with the card (m, l, a) of the held rows beside each event if asked for."""

CARD = ("m", "l", "a", "rescale")
COLUMNS = ("kernel", "op", "tensor", "block", "bytes", "shared_resident", "registers_resident", "i", "j", "line")


def rows(log):
    """Each event as {column: value}, in the order it happened."""
    return (_row(event) for event in log)


def rows_with_card(log):
    """The same with m, l, a and rescale as they stand after the event, null where the desk holds none."""
    card, held = {}, set()
    for event in log:
        card, held = _after(event, card, held)
        yield _row(event) | {name: card.get(name) for name in CARD}


def _row(event):
    return dict(zip(COLUMNS, event, strict=False)) | {"block": list(event.block)}


def _after(event, card, held):
    """A held or loaded number stays until it is freed; one that is only computed, until anything is freed."""
    if event.op == "free":
        held = held - {event.tensor}
        return {name: value for name, value in card.items() if name in held}, held
    if event.op in ("hold", "load"):
        held = held | {event.tensor}
    if event.tensor in CARD and event.op != "store":
        card = card | {event.tensor: _numbers(event)}
    return card, held


def _numbers(event):
    """a (r, d) as r rows of d numbers, the others (r, 1) as r numbers."""
    return event.values.tolist() if event.tensor == "a" else event.values[:, 0].tolist()
