"""The room of the KV cache: reservations and pages, slot by slot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.batching import Request, continuous
from simulator.errors import BadProblem
from simulator.paging import Memory, Span, contiguous, mean_share, paged

TWO = (Request(prompt=2, output=2), Request(prompt=1, output=1))
requests = st.lists(st.builds(Request, st.integers(1, 8), st.integers(1, 8)), min_size=1, max_size=12).map(tuple)


def counts(memory):
    return memory.used, memory.reserved, memory.free


def test_a_reservation_keeps_what_it_does_not_use():
    first, second = contiguous(TWO, slots=2, longest=8)
    assert first.spans == (Span(0, 8, 3, 0), Span(8, 8, 2, 1))
    assert counts(first) == (5, 11, 0)
    assert second.spans == (Span(0, 8, 4, 0),)            # the short one has left
    assert counts(second) == (4, 4, 8)


def test_pages_are_taken_as_they_fill_and_only_a_last_one_has_room():
    first, second = paged(TWO, room=16, page=2)
    assert first.spans == (Span(0, 2, 2, 0), Span(2, 2, 1, 0), Span(4, 2, 2, 1))
    assert counts(first) == (5, 1, 10)
    assert counts(second) == (4, 0, 12)
    assert first.requests == 2 and second.requests == 1


def test_pages_of_one_slot_waste_nothing():
    assert all(memory.reserved == 0 for memory in paged(TWO, room=16, page=1))


def test_a_request_need_not_lie_in_one_piece():
    # both grow in turn: A takes page 0, B page 1, then A needs another
    asked = (Request(1, 3), Request(1, 3))
    last = paged(asked, room=16, page=2)[-1]
    assert [(span.start, span.request) for span in last.spans] == [(0, 0), (4, 0), (2, 1), (6, 1)]


def test_who_came_last_gives_way_when_no_page_is_free_and_comes_back():
    asked = (Request(2, 3), Request(1, 3))                # 5 and 4 tokens; 3 pages of 2
    steps = paged(asked, room=6, page=2)
    assert [memory.preempted for memory in steps] == [0, 1, 1, 1, 1]
    assert [{span.request for span in memory.spans} for memory in steps] == [{0, 1}, {0}, {0}, {1}, {1}]
    assert [memory.used for memory in steps] == [3 + 2, 4, 5, 3, 4]       # the second comes back with its two tokens


def test_a_request_larger_than_the_room_is_refused():
    for held in (lambda: contiguous(TWO, 2, 3), lambda: paged(TWO, 3, 1), lambda: paged(TWO, 5, 3)):
        with pytest.raises(BadProblem, match="a request needs 4 token slots"):
            held()


@given(requests, st.integers(1, 4), st.sampled_from((1, 2, 4, 8)))
def test_every_token_is_kept_once_and_every_request_is_finished(asked, slots, page):
    for steps in (contiguous(asked, slots, 16), paged(asked, slots * 16, page)):
        for memory in steps:
            taken = [slot for span in memory.spans for slot in range(span.start, span.start + span.size)]
            assert len(taken) == len(set(taken)) and all(slot < memory.room for slot in taken)
            assert sum(counts(memory)) == memory.room == slots * 16
        ended = {span.request for memory in steps for span in memory.spans}
        assert ended == set(range(len(asked)))
    assert len(contiguous(asked, slots, 16)) == continuous(asked, slots).steps


@given(requests, st.integers(1, 4), st.sampled_from((1, 2, 4, 8)))
def test_a_request_wastes_less_than_one_page(asked, slots, page):
    for memory in paged(asked, slots * 16, page):
        assert memory.reserved <= memory.requests * (page - 1)


@given(requests, st.integers(1, 4), st.sampled_from((1, 2, 4)))
def test_in_the_same_room_pages_hold_at_least_as_many_at_the_start(asked, slots, page):
    assert paged(asked, slots * 16, page)[0].requests >= contiguous(asked, slots, 16)[0].requests


def test_the_mean_is_over_all_steps():
    steps = [Memory(8, (Span(0, 8, 2, 0),)), Memory(8, ())]
    assert mean_share(steps, lambda memory: memory.used) == 2 / 16
    assert mean_share(steps, lambda memory: memory.reserved) == 6 / 16
