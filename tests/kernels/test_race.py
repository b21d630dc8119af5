"""Kernels take long turns, forth and back; a turn's times go to the kernel whose turn it was."""

import pytest

from kernels import race
from kernels.race import Contestant, Rounds


@pytest.fixture
def turns(monkeypatch):
    """The replays in the order of their turns; each turn has two launches, of 3 and 5 ms."""
    taken = []
    monkeypatch.setattr(race, "timed", lambda torch, replay, ms: taken.append((replay, ms)) or [3.0, 5.0])
    return taken


def run(turns_each):
    a, b, c = (Contestant(name, None, {}) for name in "abc")
    return race.race(None, {a: ("A", 0), b: ("B", 0), c: ("C", 0)}, Rounds("all", turns_each, 140))


def test_every_second_round_goes_back(turns):
    run(3)
    assert [replay for replay, _ in turns] == list("ABC" "CBA" "ABC")
    assert {ms for _, ms in turns} == {140}


def test_times_of_all_turns_come_together_with_when_they_were(turns):
    for times in run(4).values():
        assert times.ms == [3.0, 5.0] * 4
        assert [end - start for start, end in times.spans] == pytest.approx([0.008] * 4)


class Clock:
    """A torch whose GPU takes as many milliseconds as a launch says, and no time between launches."""

    def __init__(self):
        self.now, self.cuda = 0.0, self

    def Event(self, enable_timing):
        return Moment(self)

    def synchronize(self):
        pass


class Moment:
    def __init__(self, clock):
        self._clock, self.at = clock, None

    def record(self):
        self.at = self._clock.now

    def elapsed_time(self, other):
        return other.at - self.at


@pytest.mark.parametrize("launch, timed", [(0.5, 280), (70.0, 2), (300.0, 1)])
def test_a_turn_is_as_many_launches_as_fill_its_time_and_at_least_one(launch, timed):
    clock = Clock()

    def replay():
        clock.now += launch
    assert race.timed(clock, replay, 140) == [launch] * timed
    assert clock.now == launch * (1 + int(race.WARM_MS / launch) + timed)       # one to know how long, then warm ones
