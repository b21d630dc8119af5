"""A worksheet from a seed: tables with cells to fill in by hand, and the same tables solved by the simulator."""

from collections import Counter
from dataclasses import dataclass
from random import Random

import numpy as np

from lessons.settings import listed
from lessons.text import label
from lessons.views.numbers import exact
from simulator import Card, Problem, Tiling, accounting, simulate
from simulator.bounds import compulsory

BLANK, NONE = "", "·"                   # a cell to fill in, a cell that has nothing


@dataclass(frozen=True)
class Task:
    """One task: its words, the columns, rows with blanks, the same rows solved, and the scene that checks it."""

    title: str
    ask: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    solved: tuple[tuple[str, ...], ...]
    scene: str


@dataclass(frozen=True)
class Sheet:
    """A worksheet in a language: its title, notes and tasks, and the words of the frame around them."""

    lang: str
    seed: int
    title: str
    note: str
    name: str
    key: str
    check: str
    tasks: tuple[Task, ...]


def sheet(lang: str, seed: int) -> Sheet:
    """Return the worksheet of a seed in a language."""
    say = _sayer(lang)
    dice = Random(f"worksheet {seed}")
    tasks = tuple(make(dice, say) for make in (card, merging, tiles, rulers))
    return Sheet(lang, seed, f"{say('title')} · {label('app.name', lang)}", say("note", seed=seed), say("name"),
                 say("key"), say("check"), tasks)


def card(dice: Random, say) -> Task:
    """The running card over four people, one at a time."""
    scores, values = dice.sample(range(1, 9), 4), [2 * dice.randint(1, 5) for _ in range(4)]
    state, solved = Card.blank(1, 1), []
    for score, value in zip(scores, values, strict=True):
        before, state = state.m.item(), state.update(np.array([[float(score)]]), np.array([[float(value)]]))
        factor = _three(np.exp(before - state.m.item())) if solved else "—"
        solved.append((str(score), str(value), f"{state.m.item():g}", factor, _three(state.l), _three(state.a)))
    solved.append((say("result"), BLANK, BLANK, BLANK, BLANK, _three(state.finish())))
    powers = "   ".join(f"e^−{k}={_three(np.exp(-k))}" for k in range(1, 8))
    return _task("card", say, ("score", "value", "m", "factor", "l", "a"), solved, given=2, asks=(powers,),
                 scene=f"card?scores={listed(scores)}&values={listed(values)}")


def merging(dice: Random, say) -> Task:
    """Two cards that become one."""
    scores = dice.sample(range(1, 9), 4)
    values = [2 * dice.randint(1, 5) for _ in scores]
    left, right = (_card(scores[part], values[part]) for part in (slice(0, 2), slice(2, 4)))
    both = left.merge(right)
    rows = [(say(name), f"{one.m.item():g}", _three(one.l), _three(one.a))
            for name, one in (("left", left), ("right", right), ("both", both))]
    blank = (*rows[:2], (rows[2][0], BLANK, BLANK, BLANK))
    return _task("merge", say, ("whose", "m", "l", "a"), rows, blank=blank,
                 scene=f"card?scores={listed(scores)}&values={listed(values)}&merges=1-2,3-4,1-3")


def tiles(dice: Random, say) -> Task:
    """Tiles that the second version fetches and files, counted in an executed run."""
    br, bc, t_r, t_c = dice.choice((4, 8)), dice.choice((4, 8)), dice.randint(2, 4), dice.randint(2, 4)
    problem = Problem(n=br * t_r, n_kv=bc * t_c, d=8)
    run = simulate(problem, Tiling(br, bc), execute=True)
    moved = Counter(event.tensor for event in run.events if event.op in ("load", "store"))
    pieces = {"Q": t_r, "K": t_c, "V": t_c, "O": t_r}
    rows = [(name, exact(pieces[name]), exact(moved[name] // pieces[name]), exact(moved[name])) for name in "QKVO"]
    rows.append((say("together"), BLANK, BLANK, exact(sum(moved.values()))))
    return _task("tiles", say, ("tensor", "pieces", "times", "moves"), rows, given=1,
                 values=_texts(n=problem.n, keys=problem.n_k, br=br, bc=bc),
                 scene=f"workbench?n={problem.n}&n-kv={problem.n_k}&d=8&br={br}&bc={bc}")


def rulers(dice: Random, say) -> Task:
    """Bytes of both ways on the paper and the desk ruler, and the least that must cross."""
    n, d, br = dice.choice((128, 256, 512)), dice.choice((16, 32, 64)), dice.choice((32, 64))
    problem, tiling = Problem(n=n, d=d), Tiling(br, br)
    costs = {name: accounting.cost(name, problem, tiling) for name in ("standard", "flash2")}
    least = exact(compulsory(problem).total)
    rows = [(say(name), exact(cost.paper.total), exact(cost.desk.total), least) for name, cost in costs.items()]
    return _task("rulers", say, ("way", "paper", "desk", "least"), rows, given=1,
                 values=_texts(n=n, d=d, br=br, width=problem.storage.bytes),
                 asks=("rulers_paper", "rulers_desk"), scene=f"workbench?n={n}&d={d}&br={br}&bc={br}")


def _task(name, say, head, solved, scene, given=0, blank=None, values=None, asks=()):
    """A task in words; without `blank`, the first `given` columns stand and filled cells of the rest are blank."""
    rows = blank or tuple((*(cell or NONE for cell in row[:given]), *(BLANK if cell else NONE for cell in row[given:]))
                          for row in solved)
    more = tuple(say(one) if one.startswith(name) else one for one in asks)
    return Task(say(f"{name}_title"), (say(f"{name}_ask", **(values or {})), *more),
                tuple(say(f"column_{one}") for one in head), tuple(rows),
                tuple(tuple(cell or NONE for cell in row) for row in solved), scene)


def _sayer(lang):
    return lambda name, **values: label(f"sheet.{name}", lang, **values)


def _texts(**counts):
    return {name: exact(count) for name, count in counts.items()}


def _three(number):
    return f"{np.asarray(number).item():.3f}"


def _card(scores, values):
    return Card.blank(1, 1).update(np.array([scores], float), np.array([values], float).T)
