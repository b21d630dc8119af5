"""Claims about the numbers themselves: overflow, the running card, merging, and how exact a format is."""

from itertools import combinations
from math import exp, log

import ml_dtypes
import numpy as np

from lessons.claims.published import quoted
from lessons.claims.quantity import Found, Pair, Quantity, count, decimal, named, power, times
from simulator import Card, Problem, Tiling, simulate
from simulator.problem import FP16
from simulator.reference import attention

SCORES, LAST = (7.0, 4.0, 3.0), 9.0     # the slips under the lamp


def overflow() -> Found:
    """What fp16 makes of e to the 40, of infinity over infinity, and where it ends."""
    score = 40
    largest = float(ml_dtypes.finfo(FP16.storage).max)
    stored = FP16.round(np.float64(exp(score)))
    with np.errstate(invalid="ignore"):
        quotient = stored / stored
    return Found({"score": count(score), "power": power(exp(score)), "largest": count(int(largest))},
                 {"ceiling": decimal(log(largest), 2), "stored": _odd(stored), "quotient": _odd(quotient)})


def slips() -> Found:
    """The card's l and the shares after three scores, and after the fourth, in float64."""
    total, shares = _shares(SCORES)
    total_last, shares_last = _shares((*SCORES, LAST))
    said = {"said_l": decimal(1.068, 3), "said_l_last": decimal(1.144, 3),
            **{f"said_{k}": decimal(x, 3) for k, x in zip("abc", (0.937, 0.047, 0.017), strict=True)}}
    found = {"l": decimal(total, 6), "l_last": decimal(total_last, 6),
             **{k: decimal(x, 6) for k, x in zip("abc", shares, strict=True)},
             "after": Quantity(shares_last, " · ".join(f"{x:.6f}" for x in shares_last)),
             "first": decimal(shares[0], 3), "second_sum": decimal(total_last, 3)}
    pairs = [("l, n = 3", "said_l", "l"), ("l, n = 4", "said_l_last", "l_last"),
             *((f"s = {score:g}", f"said_{k}", k) for score, k in zip(SCORES, "abc", strict=True))]
    return Found({"scores": named(tuple(f"{s:g}" for s in SCORES)), "last": count(int(LAST)), **said},
                 found, tuple(Pair((name,), said[claim], found[answer]) for name, claim, answer in pairs))


def merging() -> Found:
    """The largest relative difference from the direct result over every way to cut 8 keys in two."""
    keys = 8
    rng = np.random.default_rng(0)
    scores, values = rng.normal(0, 5, keys), rng.normal(0, 1, keys)
    exact = attention([[1.0]], scores[:, None], values[:, None], Problem(n=1, n_kv=keys, d=1).mask).item()
    cuts = [set(part) for size in range(1, keys) for part in combinations(range(keys), size)]
    answers = [_merged(scores, values, cut) for cut in cuts]
    worst = max(abs(answer - exact) for pair in answers for answer in pair) / abs(exact)
    swapped = max(abs(one - other) for one, other in answers)
    return Found({}, {"worst": power(worst, 1), "cuts": count(len(cuts)), "keys": count(keys),
                      "order": power(swapped, 1) if swapped else count(0)})


def fp8() -> Found:
    """The published error of FP8 over FP16, and what rounding the inputs alone does in executed runs."""
    rmse = quoted("flash3")["rmse"]
    ratio = times(rmse["fp8"] / rmse["fp16"])
    here = _error("fp8") / _error("fp16")
    return Found({}, {"ratio": ratio, "fp16": power(rmse["fp16"], 1), "fp8": power(rmse["fp8"], 1),
                      "plain": power(rmse["fp8_plain"], 1), "here": Quantity(here, f"{here:.0f}", "×", "×")},
                 (Pair(("FP8 ÷ FP16",), times(1), ratio),))


def _shares(scores):
    card = Card.blank(1, len(scores)).update(np.array([scores]), np.eye(len(scores)))
    return float(card.l.item()), tuple(map(float, card.finish()[0]))


def _merged(scores, values, part):
    """The answer from two cards, one of `part` and one of the rest, merged in either order."""
    inside = np.array([key in part for key in range(len(scores))])
    one, other = (Card.blank(1, 1).update(scores[None, chosen], values[chosen, None]) for chosen in (inside, ~inside))
    return one.merge(other).finish().item(), other.merge(one).finish().item()


def _error(dtype):
    """RMSE from float64 of an executed run on inputs with rare large numbers, as the third paper draws them."""
    problem = Problem(n=128, d=64, dtype=dtype)
    rng = np.random.default_rng(0)
    shape = (problem.n, problem.d)
    q, k, v = (rng.normal(0, 1, shape) + rng.normal(0, 10, shape) * (rng.random(shape) < 0.001) for _ in range(3))
    run = simulate(problem, Tiling(64, 64), inputs=tuple(x[None, None] for x in (q, k, v)))
    return float(np.sqrt(np.mean((run.output[0, 0] - attention(q, k, v, problem.mask)) ** 2)))


def _odd(number):
    number = float(number)
    return Quantity(None, {np.inf: "∞"}.get(number, "NaN" if np.isnan(number) else f"{number:g}"))
