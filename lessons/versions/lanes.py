"""Jobs at tools in time: each tool does one at a time, and a job starts when what it waits for is done.

Of the jobs that wait at a tool the shortest goes first, as where many share a unit instruction by instruction; of
equally short ones whoever has waited longest.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple


class Job(NamedTuple):
    """One piece of work: of which kind, for which reader ("" for all of them), at which tile."""

    work: str
    reader: str
    tile: int


class Span(NamedTuple):
    """A job from when to when at its tool, and the job whose end let it start (None where nothing held it)."""

    job: Job
    tool: str
    start: float
    stop: float
    cause: Job | None


@dataclass
class _Queue:
    """The jobs waiting at one tool, as (ready, place in the plan, job), and the last one it did."""

    waiting: list = field(default_factory=list)
    last: Span | None = None

    @property
    def free(self):
        return self.last.stop if self.last else 0.0

    @property
    def start(self):
        """When the tool can take up its next job."""
        return max(self.free, min(self.waiting)[0])

    def take(self, seconds):
        """(ready, job) of the next job; off the queue."""
        now = self.start
        here = [one for one in self.waiting if one[0] <= now]
        ready, _, job = one = min(here, key=lambda one: (seconds[one[2].work], one))
        self.waiting.remove(one)
        return ready, job


def steady():
    """Every job takes just what its kind takes."""
    return 1.0


def schedule(after, tools, seconds, hitch=steady) -> tuple[Span, ...]:
    """All jobs in the order in which they start.

    `after` is {job: the jobs it waits for}; `tools` and `seconds` are by kind of work. A job takes `hitch()` times
    its kind's seconds.
    """
    freed, left, done = _freed(after), {job: len(needs) for job, needs in after.items()}, {}
    place = {job: number for number, job in enumerate(after)}
    queues = {tool: _Queue() for tool in tools.values()}
    ready = [job for job in after if not left[job]]
    while ready or any(queue.waiting for queue in queues.values()):
        for job in ready:
            when = max((done[need].stop for need in after[job]), default=0.0)
            queues[tools[job.work]].waiting.append((when, place[job], job))
        span = _next(queues, after, done, seconds, hitch)
        done[span.job] = span
        for job in freed[span.job]:
            left[job] -= 1
        ready = [job for job in freed[span.job] if not left[job]]
    return tuple(done.values())


def _freed(after):
    """{job: the jobs that wait for it}."""
    found = defaultdict(list)
    for job, needs in after.items():
        for need in needs:
            found[need].append(job)
    return found


def _next(queues, after, done, seconds, hitch):
    """The Span of the job that starts first, at whichever tool."""
    start, tool = min((queue.start, tool) for tool, queue in queues.items() if queue.waiting)
    queue, before = queues[tool], queues[tool].last
    ready, job = queue.take(seconds)
    held = before.job if before and before.stop > ready else max(after[job], key=lambda need: done[need].stop,
                                                                 default=None)
    queue.last = Span(job, tool, start, start + seconds[job.work] * hitch(), held)
    return queue.last


def length(spans) -> float:
    """Seconds until the last job is done."""
    return max(span.stop for span in spans)


def busy(spans, tool) -> float:
    """The share of that time in which a tool works."""
    return sum(span.stop - span.start for span in spans if span.tool == tool) / length(spans)


def awaited(spans, tool) -> dict[str, float]:
    """{other tool: the share of the time in which `tool` stands idle for it}, up to the last job of `tool`."""
    at, found, before = {span.job: span for span in spans}, defaultdict(float), 0.0
    for span in (one for one in spans if one.tool == tool):
        end, cause = span.start, at.get(span.cause)
        while cause and end > before:
            begun = max(cause.start, before)
            found[cause.tool] += end - begun
            end, cause = begun, at.get(cause.cause)
        before = span.stop
    return {other: seconds / length(spans) for other, seconds in found.items()}
