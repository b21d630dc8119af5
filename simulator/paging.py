"""The KV cache's room, token slot by token slot: one long reservation a request, or pages taken as they fill."""

from dataclasses import dataclass, field

from .batching import continuous
from .errors import BadProblem


@dataclass(frozen=True)
class Span:
    """A stretch of the memory that belongs to one request: `used` of its slots hold a token, the rest are kept."""

    start: int
    size: int
    used: int
    request: int


@dataclass(frozen=True)
class Memory:
    """The memory after one step: its room in token slots, what is held of it, and requests that had to give way."""

    room: int
    spans: tuple[Span, ...]
    preempted: int = 0                  # so far

    @property
    def used(self):
        """Slots that hold a token."""
        return sum(span.used for span in self.spans)

    @property
    def reserved(self):
        """Slots that are kept for a request and hold nothing."""
        return sum(span.size - span.used for span in self.spans)

    @property
    def free(self):
        """Slots that anybody could have."""
        return self.room - self.used - self.reserved

    @property
    def requests(self):
        """Requests that are in."""
        return len({span.request for span in self.spans})


def contiguous(requests, slots, longest):
    """The memory after every step when each request holds `longest` token slots in one piece from start to end.

    The room is `slots` such pieces; the next request enters the step after one has left. Raises BadProblem
    for a request that is longer than the longest.
    """
    _all_fit(requests, longest)
    timeline = continuous(requests, slots)
    return [Memory(slots * longest, tuple(
        Span(turn.slot * longest, longest, requests[turn.request].prompt + step - turn.start + 1, turn.request)
        for turn in timeline.turns if turn.start <= step < turn.stop)) for step in range(timeline.steps)]


def paged(requests, room, page):
    """The memory after every step when each request takes pages of `page` slots as it fills them.

    PagedAttention (Kwon et al. 2023, 2309.06180). Requests enter in order while the pages of all their tokens
    are free. Where a page is wanted and none is free, the request that came last gives up its own and waits
    in front; what it had written is read in again. Raises BadProblem for a request larger than the room.
    """
    _all_fit(requests, room // page * page)
    pages, steps = _Pages(page, list(range(room // page))), []
    waiting, written, preempted = list(range(len(requests))), [one.prompt for one in requests], 0
    while waiting or pages.held:
        gave_way = pages.grow(written)
        waiting, preempted = sorted(waiting + gave_way), preempted + len(gave_way)
        while waiting and not gave_way and pages.admit(waiting[0], written):
            waiting.pop(0)
        steps.append(Memory(room, pages.spans(written), preempted))
        pages.release([one for one in pages.held if written[one] == requests[one].tokens])
    return steps


@dataclass
class _Pages:
    """Free pages, and who holds which, in the order of their tokens."""

    page: int
    free: list
    held: dict = field(default_factory=dict)

    def grow(self, written):
        """Everyone inside writes one token; returns those that had to give way, the last that came first."""
        gave_way = []
        for one in sorted(self.held):
            while one in self.held and not self._take(one, written[one] + 1):
                gave_way.append(max(self.held))
                self.release(gave_way[-1:])
            written[one] += one in self.held
        return gave_way

    def admit(self, one, written):
        """A request enters and writes a token, if there are pages for all it has; tells whether it did."""
        if len(self.free) * self.page < written[one] + 1:
            return False
        self.held[one] = []
        self._take(one, written[one] + 1)
        written[one] += 1
        return True

    def release(self, leaving):
        """These leave; their pages are free."""
        for one in leaving:
            self.free = sorted(self.free + self.held.pop(one))

    def spans(self, written):
        """All pages that are held: each full, but the last of a request."""
        return tuple(Span(at * self.page, self.page, min(self.page, written[one] - k * self.page), one)
                     for one, pages in self.held.items() for k, at in enumerate(pages))

    def _take(self, one, tokens):
        """Pages for so many tokens, as far as there are any; tells whether they suffice."""
        pages = self.held[one]
        while len(pages) * self.page < tokens and self.free:
            pages.append(self.free.pop(0))
        return len(pages) * self.page >= tokens


def mean_share(steps, count):
    """The mean over all steps of a count of slots (`lambda memory: memory.used`), as a share of the room."""
    return sum(map(count, steps)) / sum(memory.room for memory in steps)


def _all_fit(requests, most):
    tallest = max(one.tokens for one in requests)
    if tallest > most:
        raise BadProblem(name="longest", asked=most, possible=f"a request needs {tallest} token slots",
                         remedy="choose a longer reservation, or shorter requests")
