"""Numbers of the questions on one word at a time and on the neighbours: caches, splits, pages, slots."""

from random import Random

from lessons.quiz.instances import Instance, texts
from lessons.text import Several
from lessons.views.numbers import exact, short, times
from simulator import Problem, Tiling, accounting, gpu
from simulator.batching import Request, continuous, static
from simulator.kv_cache import Kept
from simulator.paging import paged
from simulator.workers import seated


def token_bytes(dice: Random) -> Instance:
    """Bytes that one token leaves in the KV cache."""
    layers, kv, d = dice.choice((16, 24, 32, 40, 80)), dice.choice((1, 2, 4, 8)), dice.choice((64, 128))
    answer = Kept("gqa", kv, d).bytes(layers)
    return Instance(texts(layers=layers, heads=32, kv=kv, d=d) | {"size": short(answer, "B", binary=True)}, answer)


def workers_with_work(dice: Random) -> Instance:
    """SMs that have work in one step of decoding."""
    spec = gpu(dice.choice(("h200", "a100-40", "rtx4090")))
    kv, splits = dice.choice((1, 2, 4, 8)), dice.choice((3, 5, 12, 20))
    problem = Problem(n=1, n_kv=8192, d=128, heads=32, kv_heads=kv)
    seating = seated(problem, Tiling(1, 128, splits=splits, pack_gqa=True), spec)
    return Instance(texts(heads=32, kv=kv, splits=splits, sms=seating.sms) | {"gpu": spec.name}, seating.busy)


def parts_filed(dice: Random) -> Instance:
    """Bytes of results and logsumexps that the splits of one head file."""
    splits, d = dice.randint(2, 16), dice.choice((32, 64, 128))
    moved = accounting.cost("split_kv", Problem(n=1, n_kv=4096, d=d), Tiling(1, 64, splits=splits)).desk.by_tensor
    answer = moved["O_partial"].write + moved["L_partial"].write
    return Instance(texts(splits=splits, d=d, each=d + 1), answer)


def saved_by_tiling(dice: Random) -> Instance:
    """How many times as much standard attention moves in prefill and for the next word."""
    n = dice.choice((2048, 4096, 8192))
    ratio = {name: _over_tiled(problem, tiling) for name, problem, tiling in (
        ("prefill", Problem(n=n, d=128), Tiling(128, 128)), ("decode", Problem(n=1, n_kv=n, d=128), Tiling(1, 128)))}
    return Instance(texts(n=n, d=128, tile=128) | {name: times(value) for name, value in ratio.items()})


def held_slots(dice: Random) -> Instance:
    """Token slots that a request holds in pages, empty ones of the last page and all."""
    page, tokens = dice.choice((8, 16, 32)), dice.randint(20, 90)
    memory = paged((Request(tokens - 1, 1),), 128, page)[0]
    pages = len(memory.spans)
    return Instance(texts(page=page, tokens=tokens, pages=pages, empty=memory.reserved), pages * page)


def idle_in_batches(dice: Random) -> Instance:
    """Cells in which the slots of static batches write nothing."""
    outputs = [dice.randint(1, 9) for _ in range(4)]
    outputs[1] = outputs[0] + dice.randint(1, 4)          # somebody always has to wait
    timeline = static(tuple(Request(1, output) for output in outputs), 2)
    return Instance({"outputs": Several(outputs), "steps": exact(timeline.steps),
                     "busy": exact(timeline.busy), "cells": exact(timeline.slots * timeline.steps)}, timeline.idle)


def steps_without_batches(dice: Random) -> Instance:
    """Steps until all requests are done when a free slot is filled at once."""
    asked = tuple(Request(1, dice.randint(1, 9)) for _ in range(5))
    return Instance({"outputs": Several(one.output for one in asked), "static": exact(static(asked, 2).steps)},
                    continuous(asked, 2).steps)


def _over_tiled(problem, tiling):
    standard, tiled = (accounting.cost(way, problem, tiling).desk.total for way in ("standard", "flash2"))
    return standard / tiled


NUMBERS = {one.__name__: one for one in (
    token_bytes, workers_with_work, parts_filed, saved_by_tiling, held_slots, idle_in_batches, steps_without_batches)}
