"""How fast workers get on who share tools: between everything overlapped and nothing, without a fitted number.

Several thread blocks, or warps with roles of their own, stand at one SM and need the same units in turn. Whoever
finds a unit busy waits. Mean value analysis (Reiser and Lavenberg 1980) says how long a round takes: a newcomer finds
the queues as they would be without him.
"""

from heapq import heapify, heapreplace


def round_s(demands_s, waits_s, workers):
    """Seconds of one worker's round through tools that are busy `demands_s` for him, and `waits_s` alone.

    With one worker that is the sum; with many it comes near workers × the largest demand.
    """
    queues = [0.0] * len(demands_s)
    for present in range(1, workers + 1):
        at_tools = [demand * (1 + queue) for demand, queue in zip(demands_s, queues, strict=True)]
        whole = waits_s + sum(at_tools)
        queues = [present * seconds / whole for seconds in at_tools]
    return whole


def makespan_s(durations_s, places):
    """Seconds until all is done when each of `places` takes the next piece as soon as it is free."""
    durations_s = list(durations_s)
    ends = [0.0] * min(places, len(durations_s))
    heapify(ends)
    for seconds in durations_s:
        heapreplace(ends, ends[0] + seconds)
    return max(ends)
