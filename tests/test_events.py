"""The event log: everything else reads it, so it must say what the ledger counts, line by line."""

import numpy as np
import pytest
from ask import ALGORITHMS, BACKWARDS, EVERY, run

from simulator.online_softmax import NOTHING, Card
from simulator.run import draw

CONFIGURATIONS = [
    {"n": 8, "d": 4, "br": 4, "bc": 4},
    {"n": 13, "n_kv": 9, "d": 3, "br": 4, "bc": 2, "causal": True, "stages": 2},
    {"n": 9, "n_kv": 16, "d": 2, "br": 2, "bc": 5, "window": (3, 1), "lse": True, "passes": ("mask", "dropout")},
    {"n": 5, "d": 2, "br": 8, "bc": 8, "dtype": "fp8"},
]
every = pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=lambda c: f"n{c['n']}-br{c['br']}-bc{c['bc']}")
algorithms = pytest.mark.parametrize("algorithm", ALGORITHMS)
by_row_blocks = pytest.mark.parametrize("algorithm", (*ALGORITHMS, *BACKWARDS))
every_algorithm = pytest.mark.parametrize("algorithm", EVERY)


@every
@every_algorithm
def test_loads_and_stores_add_up_to_the_ledger(algorithm, configuration):
    one = run(algorithm, **configuration)
    for (kernel, tensor), traffic in one.cost.desk.moves.items():
        moved = [(event.op, event.bytes) for event in one.events if (event.kernel, event.tensor) == (kernel, tensor)]
        assert sum(size for op, size in moved if op == "load") == traffic.read
        assert sum(size for op, size in moved if op == "store") == traffic.write
    crossings = [event for event in one.events if event.op in ("load", "store")]
    assert len(crossings) == one.cost.tile_moves
    assert {(event.kernel, event.tensor) for event in crossings} == set(one.cost.desk.moves)


@every
@every_algorithm
def test_resident_bytes_follow_from_the_events_and_return_to_zero(algorithm, configuration):
    one = run(algorithm, **configuration)
    resident, where, gpu = {"shared": 0, "registers": 0}, {}, one.gpu
    for event in one.events:
        now = {"shared": event.shared_resident, "registers": event.registers_resident}
        change = {area: now[area] - resident[area] for area in now}
        key = (event.tensor, event.block)
        if event.op == "load":
            where[key] = change                           # a copy for each stage, or four bytes a number
            assert all(grown >= 0 for grown in change.values())
        elif event.op == "hold":
            where[key] = change
            assert change == {"shared": 0, "registers": event.bytes}
        elif event.op == "free":
            assert change == {area: -taken for area, taken in where.pop(key).items()}
            assert event.bytes == -sum(change.values())
        else:
            assert change == {"shared": 0, "registers": 0}                 # a store or a computation takes no room
        assert now["shared"] <= gpu.shared_per_block_bytes and now["registers"] <= gpu.registers_per_sm_bytes
        resident = now
    assert resident == {"shared": 0, "registers": 0} and not where


@every
@every_algorithm
def test_the_peaks_are_the_most_that_was_ever_resident(algorithm, configuration):
    one = run(algorithm, **configuration)
    assert one.cost.peak.shared_bytes == max(event.shared_resident for event in one.events)
    assert one.cost.peak.registers_bytes == max(event.registers_resident for event in one.events)


@every
@by_row_blocks
def test_every_event_names_its_place(algorithm, configuration):
    for event in run(algorithm, **configuration).events:
        index = {"i": event.i, "j": event.j}
        if event.op in ("load", "store"):
            by_keys = event.tensor in ("K", "V", "dK", "dV")               # all others by query rows
            assert event.block[0] == index["j" if by_keys else "i"]
            assert event.block[1:] in ((), (event.j,))
        elif event.op in ("hold", "compute"):
            assert event.block == ()
        assert (event.i is None) or isinstance(event.i, int)


CARD = ("update(", "merge(")             # a line of the running card
LINES = {
    ("load", "Q"): ("sram.load(Q[i]", "sram.load(Q[0])"),
    ("load", "K"): ("sram.load(K[j]",), ("load", "V"): ("sram.load(V[j]",),
    ("load", "O"): ("sram.load(O[i]", "sram.stream(O[i])"),
    ("load", "l"): ("sram.load(l[i]",), ("load", "m"): ("sram.load(m[i]",),
    ("load", "P"): ("sram.load(P[i, j]", "sram.stream(table[i])", "sram.stream(P[i])"),
    ("load", "S"): ("sram.stream(S[i])", ".stream(table[i])"),
    ("store", "O"): ("sram.store(O[i]",), ("store", "l"): ("sram.store(l[i]",), ("store", "m"): ("sram.store(m[i]",),
    ("store", "L"): ("sram.store(L[i]",), ("store", "S"): ("sram.store(S[i, j]", ".store(table[i]"),
    ("store", "P"): ("sram.store(P[i]", ".store(table[i]"), ("store", "Z"): (".store(Z[i]",),
    ("hold", "S"): ('sram.hold("S"',),
    ("hold", "m"): ('sram.full("m"', "blank("), ("hold", "l"): ('sram.full("l"', "blank("),
    ("hold", "a"): ('sram.full("a"', "blank("),
    ("compute", "P"): ('sram.compute("P"', *CARD), ("compute", "rescale"): ('sram.compute("rescale"', *CARD),
    ("compute", "m"): ('sram.compute("m"', "m_i[:] =", *CARD),
    ("compute", "l"): ('sram.compute("l"', "l_i[:] =", *CARD),
    ("compute", "a"): ('sram.compute("a"', "a_i[:] =", *CARD),
    ("hold", "dP"): ('sram.hold("dP"',), ("hold", "dQ"): ('sram.full("dQ"',), ("hold", "dK"): ('sram.full("dK"',),
    ("hold", "dV"): ('sram.full("dV"',), ("compute", "dQ"): ("dQ_i[:] =",), ("compute", "dK"): ("dK_j[:] =",),
    ("compute", "dV"): ("dV_j[:] =",), ("compute", "D"): ('sram.compute("D"',),
    ("compute", "dS"): ('sram.compute("dS"',),
    ("load", "dO"): ("sram.load(dO[i]", "sram.stream(dO[i])"), ("load", "dP"): ("sram.stream(dP[i])",),
    ("load", "dS"): ("sram.load(dS[i, j]",), ("load", "D"): ("sram.load(D[i]",), ("load", "L"): ("sram.load(L[i]",),
    ("load", "dQ"): ("sram.load(dQ[i]", "sram.add(dQ[i]"), ("store", "dQ"): ("sram.store(dQ[i]", "sram.add(dQ[i]"),
    ("store", "dK"): ("sram.store(dK[j]",), ("store", "dV"): ("sram.store(dV[j]",),
    ("store", "D"): ("sram.store(D[i]",), ("store", "dP"): ("sram.store(dP[i, j]",),
    ("store", "dS"): ("sram.store(dS[i]",),
    ("load", "O_partial"): ("sram.load(O_partial[j]",), ("store", "O_partial"): ("sram.store(O_partial[i]",),
    ("load", "L_partial"): ("sram.load(L_partial[j]",), ("store", "L_partial"): ("sram.store(L_partial[i]",),
}


@every
@every_algorithm
def test_an_events_line_is_the_line_of_the_program_that_did_it(algorithm, configuration):
    one = run(algorithm, **configuration)
    for event in one.events:
        line = one.program.lines[event.line - 1]
        if event.op == "free":
            assert line.strip().startswith(("for ", "with "))              # when a loop turns or a kernel ends
        else:
            assert any(words in line for words in LINES[event.op, event.tensor]), (event, line)


def test_the_log_is_a_sequence_of_events():
    log = run("flash2", n=4, d=2, br=2, bc=2).events
    assert len(log) == len(list(log))
    assert log[0] == next(iter(log)) and log[-1] == list(log)[-1]
    assert log[0][:5] == ("flash_attention_2", "load", "Q", (0,), 8)
    assert (log[0].kernel, log[0].op, log[0].tensor, log[0].block, log[0].bytes) == log[0][:5]


def test_the_order_of_flash_attention_2_can_be_read_from_its_log():
    log = run("flash2", n=4, d=2, br=2, bc=2).events
    crossings = [(event.op, event.tensor, event.i, event.j) for event in log if event.op in ("load", "store")]
    assert crossings == [
        ("load", "Q", 0, None), ("load", "K", 0, 0), ("load", "V", 0, 0), ("load", "K", 0, 1), ("load", "V", 0, 1),
        ("store", "O", 0, None),
        ("load", "Q", 1, None), ("load", "K", 1, 0), ("load", "V", 1, 0), ("load", "K", 1, 1), ("load", "V", 1, 1),
        ("store", "O", 1, None)]


def test_the_order_of_flash_attention_1_can_be_read_from_its_log():
    log = run("flash1", n=4, d=2, br=2, bc=2).events
    inner = [("load", "Q"), ("load", "O"), ("load", "l"), ("load", "m"), ("store", "O"), ("store", "l"), ("store", "m")]
    crossings = [(event.op, event.tensor) for event in log
                 if event.op in ("load", "store") and event.kernel == "flash_attention_1"]
    assert crossings == 2 * ([("load", "K"), ("load", "V")] + 2 * inner)


# Recorded values: nothing downstream recomputes attention.


def stored_inputs(one):
    """q, k, v as they lie in HBM, in float64."""
    return (one.problem.storage.round(x).astype(np.float64) for x in draw(one.problem))


def visible_scores(one, q, k, i, j):
    """The scores of tile (i, j), -∞ where hidden, in float64."""
    tiles = one.problem.mask.tiles(one.tiling.br, one.tiling.bc)
    rows, keys = tiles.rows(i), tiles.keys(j)
    S = q[rows.start:rows.stop] @ k[keys.start:keys.stop].T / np.sqrt(one.problem.d)
    return np.where(tiles.cells(i, j), S, -np.inf)


CLOSE = {"rel": 1e-5, "abs": 1e-5}      # float32 against float64, numbers of about 1, sums of a few


@every
def test_the_card_recorded_by_flash_attention_2_is_the_card_computed_apart(configuration):
    one = run("flash2", values=True, **configuration)
    q, k, v = stored_inputs(one)
    card = None
    for event in one.events:
        if (event.op, event.tensor) == ("hold", "m"):
            card = Card.blank(len(event.values), one.problem.d)
        if (event.op, event.tensor) == ("hold", "S"):
            scores = visible_scores(one, q, k, event.i, event.j)
            assert event.values == pytest.approx(scores, **CLOSE)
            keys = slice(event.j * one.tiling.bc, event.j * one.tiling.bc + scores.shape[1])
            before, card = card, card.update(scores, v[keys])
        if event.op == "compute":
            expected = {"m": card.m, "l": card.l, "a": card.a, "rescale": before.rescale(card.m),
                        "P": np.exp(visible_scores(one, q, k, event.i, event.j) - card.m)}[event.tensor]
            assert event.values == pytest.approx(expected, **CLOSE)


@every
def test_flash_attention_1_and_2_agree_on_m_and_l(configuration):
    """The last m and l of every row block; a passes through O's storage type in the first, so it may differ."""
    last = []
    for algorithm in ("flash1", "flash2"):
        events = run(algorithm, values=True, **configuration).events
        last.append({(event.tensor, event.i): event.values for event in events
                     if event.op == "compute" and event.tensor in ("m", "l")})
    assert last[0].keys() == last[1].keys()
    for key, values in last[0].items():
        assert values == pytest.approx(last[1][key], **CLOSE)


@every
def test_standard_attention_records_the_whole_table_tile_by_tile(configuration):
    one = run("standard", values=True, **configuration)
    q, k, _ = stored_inputs(one)
    held = [event for event in one.events if (event.op, event.tensor) == ("hold", "S")]
    assert len(held) == -(-one.problem.n // one.tiling.br) * -(-one.problem.n_k // one.tiling.bc)
    for event in held:
        assert event.values == pytest.approx(visible_scores(one, q, k, event.i, event.j), **CLOSE)


def test_a_row_that_has_seen_nothing_has_a_card_without_nan():
    events = run("flash2", n=4, n_kv=2, d=2, br=2, bc=2, causal=True, values=True).events
    first = [event for event in events if event.i == 0 and event.tensor == "m"]
    assert [event.op for event in first] == ["hold", "free"]              # no tile was visited
    assert (first[0].values == np.float32(NOTHING)).all()
    cards = [event.values for event in events if event.values is not None and event.tensor in ("m", "l", "a")]
    assert all(np.isfinite(values).all() for values in cards)


def test_recorded_values_are_copies_of_their_moment():
    events = run("flash2", n=8, d=2, br=4, bc=4, values=True).events
    ls = [event.values for event in events if event.tensor == "l" and event.values is not None and event.i == 0]
    assert (ls[0] == 0).all() and (ls[1] > 0).all() and (ls[2] > ls[1]).any()


def test_only_the_numbers_that_are_asked_for_are_recorded():
    assert all(event.values is None for event in run("flash2", n=4, d=2, br=2, bc=2).events)
    some = run("flash2", n=4, d=2, br=2, bc=2, values=("m", "P")).events
    assert {event.tensor for event in some if event.values is not None} == {"m", "P"}


def test_what_is_stored_is_recorded_as_HBM_keeps_it():
    one = run("flash2", n=4, d=2, br=2, bc=2, values=True)
    stored = np.concatenate([event.values for event in one.events if event.op == "store"])
    assert (stored == one.output).all()
    assert (stored == stored.astype(np.float16)).all()
