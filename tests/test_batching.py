"""Slots that write one token a step: whole batches against requests that come and go."""

from hypothesis import given
from hypothesis import strategies as st

from simulator.batching import Request, Turn, continuous, drawn, static

OUTPUTS = (1, 4, 2, 1)                  # of four requests, in two slots
FOUR = tuple(Request(3, output) for output in OUTPUTS)

requests = st.lists(st.builds(Request, st.integers(1, 20), st.integers(1, 12)), min_size=1, max_size=20).map(tuple)


def test_a_batch_waits_for_its_longest():
    # slot 0: A . . . C C      slot 1: B B B B D .
    timeline = static(FOUR, 2)
    assert timeline.turns == (Turn(0, 0, 0, 1), Turn(1, 1, 0, 4), Turn(2, 0, 4, 6), Turn(3, 1, 4, 5))
    assert (timeline.steps, timeline.busy, timeline.idle) == (6, 8, 4)
    assert [timeline.finished(step) for step in range(7)] == [0, 1, 1, 1, 2, 3, 4]


def test_a_free_slot_takes_the_next_request():
    # slot 0: A C C D          slot 1: B B B B
    timeline = continuous(FOUR, 2)
    assert timeline.turns == (Turn(0, 0, 0, 1), Turn(1, 1, 0, 4), Turn(2, 0, 1, 3), Turn(3, 0, 3, 4))
    assert (timeline.steps, timeline.busy, timeline.idle) == (4, 8, 0)
    assert timeline.busy_by(2) == 4


def test_with_one_slot_there_is_nothing_to_gain():
    assert static(FOUR, 1).steps == continuous(FOUR, 1).steps == sum(OUTPUTS)


def test_the_end_leaves_slots_idle_whatever_is_done():
    assert continuous((Request(1, 1), Request(1, 5)), 2).idle == 4


@given(requests, st.integers(1, 8))
def test_no_slot_holds_two_and_every_request_is_served_once(asked, slots):
    for timeline in (static(asked, slots), continuous(asked, slots)):
        cells = [(turn.slot, step) for turn in timeline.turns for step in range(turn.start, turn.stop)]
        assert len(cells) == len(set(cells)) == sum(one.output for one in asked) == timeline.busy
        assert sorted(turn.request for turn in timeline.turns) == list(range(len(asked)))
        assert timeline.finished(timeline.steps) == len(asked)
        assert timeline.busy_by(timeline.steps) == timeline.busy


@given(requests, st.integers(1, 8))
def test_coming_and_going_never_takes_longer_and_wastes_no_slot_while_anybody_waits(asked, slots):
    timeline = continuous(asked, slots)
    assert timeline.steps <= static(asked, slots).steps
    last = max(turn.start for turn in timeline.turns)     # until then somebody was waiting
    assert timeline.busy_by(last) == slots * last or len(asked) <= slots


@given(st.integers(1, 40), st.sampled_from((16, 32, 64)), st.integers(0, 99))
def test_requests_are_drawn_anew_by_each_seed_and_none_is_too_long(count, longest, seed):
    asked = drawn(count, longest, seed)
    assert len(asked) == count and asked == drawn(count, longest, seed)
    assert all(1 <= one.prompt <= longest // 2 and 1 <= one.output <= longest // 4 for one in asked)
    assert len({drawn(8, 64, seed) for seed in range(5)}) == 5
