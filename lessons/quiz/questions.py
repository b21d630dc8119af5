"""Questions as data: each lesson's quiz.toml, with the words in three languages side by side."""

import tomllib
from dataclasses import dataclass, field
from functools import cache, lru_cache
from random import Random

from lessons import PAGES, text
from lessons.quiz import instances, lab, roofline, serving, story, versions
from lessons.quiz.instances import Instance

NUMBERS = instances.NUMBERS | story.NUMBERS | lab.NUMBERS | versions.NUMBERS | serving.NUMBERS | roofline.NUMBERS


@dataclass(frozen=True)
class Choice:
    """One answer to choose: its words and the reason that follows, by language, and whether it is right."""

    name: str
    say: dict = field(hash=False)
    why: dict = field(hash=False)
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question with choices, or with a number to be typed in where there are none."""

    lesson: str
    name: str
    ask: dict = field(hash=False)
    why: dict = field(hash=False)
    numbers: str = ""
    choices: tuple[Choice, ...] = ()

    def instance(self, seed: int) -> Instance:
        """Return the numbers of this question for a seed, worked out by the simulator."""
        return drawn(self.numbers, self._kind(seed)) if self.numbers else Instance({})

    def shuffled(self, seed: int) -> tuple[Choice, ...]:
        """Return the choices in an order of the seed's."""
        return tuple(Random(self._kind(seed)).sample(self.choices, len(self.choices)))

    def say(self, words: dict, lang: str, seed: int) -> str:
        """Return some of the question's words in a language, filled with the numbers of a seed."""
        return text.fill(words[lang], self.instance(seed).values, lang, f"question {self.name} of {self.lesson}")

    def _kind(self, seed):
        """What seeds the dice: another throw for every question."""
        return f"{self.lesson} {self.name} {seed}"


@lru_cache(maxsize=4096)
def drawn(numbers: str, kind: str) -> Instance:
    """Return the instance that dice of a kind draw by the function of a name."""
    return NUMBERS[numbers](Random(kind))


@cache
def lessons() -> tuple[str, ...]:
    """Return the lessons that have questions, in the order of the pages."""
    return tuple(page.lesson for page in PAGES if _file(page.lesson).is_file())


@cache
def questions(lesson: str) -> tuple[Question, ...]:
    """Return the questions of a lesson, in the order of its file."""
    content = tomllib.loads(_file(lesson).read_text(encoding="utf-8"))
    return tuple(
        Question(lesson, name, entry["ask"], entry.get("why", {}), entry.get("numbers", ""),
                 tuple(Choice(choice, **parts) for choice, parts in entry.get("choices", {}).items()))
        for name, entry in content.items())


def _file(lesson):
    return text.HERE / lesson / "quiz.toml"
