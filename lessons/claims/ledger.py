"""The ledger: every claim with its verdict, the function that recomputes it, and the scene that shows it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlencode

from lessons import PAGES, text
from lessons.claims import machine, memory, package, published, softmax, speed, traffic, work
from lessons.claims.quantity import Found

VERDICTS = {"right": "right", "if": "right if", "not": "not as stated"}
TABLES = "flash1_times"                 # the source that is a file of its own


@dataclass(frozen=True)
class Scene:
    """A page and its query, as the URL has them."""

    path: str
    query: tuple[tuple[str, str], ...] = ()

    @property
    def page(self):
        """Return the page of the lessons."""
        return next(page for page in PAGES if page.path == self.path)

    def link(self, **more: str) -> str:
        """Return the scene's address below the app's: "count?vary=br"."""
        query = {**more, **dict(self.query)}
        return f"{self.path}?{urlencode(query)}" if query else self.path


def scene(path: str, **query) -> Scene:
    """A scene with fields named as the URL names them, `_` for `-`."""
    return Scene(path, tuple((name.replace("_", "-"), str(value)) for name, value in query.items()))


@dataclass(frozen=True)
class Claim:
    """One claim: its id, its verdict (of VERDICTS), how it is recomputed, by which ruler and tag, where it is seen."""

    id: str
    verdict: str
    ruler: str
    tag: str
    recompute: Callable[[], Found]
    scene: Scene | None = None
    quotes: str = ""                    # the table of published.toml, or TABLES

    @property
    def source(self) -> str:
        """Return the published source, "" where the simulator gives every number."""
        if self.quotes == TABLES:
            return f"{published.first_paper()['source']} ({published.first_paper()['setting']})"
        return published.quoted(self.quotes)["source"] if self.quotes else ""


@dataclass(frozen=True)
class Told:
    """A claim in a reader's language: what is said, what was found, what it leaves out ("" for nothing)."""

    says: str
    finds: str
    assumes: str


CLAIMS = (
    Claim("C1", "right", "desk", "computed", memory.one_table, scene("table", n=4096)),
    Claim("C2", "if", "desk", "computed", memory.three_lengths, scene("table", n=16384)),
    Claim("C3", "not", "paper", "computed", traffic.standard_and_tiled, scene("count", vary="br")),
    Claim("C4", "not", "desk", "computed", traffic.read_once, scene("count")),
    Claim("C5", "not", "paper", "computed", traffic.order_of_growth, scene("count", vary="m")),
    Claim("C6", "not", "", "computed", machine.whole_chip,
          scene("workbench", n=4096, d=128, br=1024, bc=1024, gpu="a100-40")),
    Claim("C7", "if", "", "computed", machine.desk_over_cabinet, None, "hardware"),
    Claim("C8", "if", "", "computed", machine.desk_beside_cabinet, scene("table", n=4096, gpu="a100-40"), "hardware"),
    Claim("C9", "right", "", "computed", softmax.overflow, scene("overflow", push=40)),
    Claim("C10", "if", "", "computed", softmax.slips, scene("scriptorium", scene="lamp")),
    Claim("C11", "right", "", "computed", softmax.merging, scene("card", merges="1-2,3-4,1-3")),
    Claim("C12", "if", "desk", "computed", traffic.walks_and_batches, scene("scriptorium", scene="trial", alike=1)),
    Claim("C13", "if", "paper", "modelled", machine.walking_over_counting, scene("scriptorium", scene="feet")),
    Claim("C14", "not", "", "published", speed.part_of_the_peak, scene("gpu"), TABLES),
    Claim("C15", "if", "", "published", speed.at_four_thousand, None, TABLES),
    Claim("C16", "if", "", "published", speed.first_version, None, TABLES),
    Claim("C17", "if", "", "published", speed.second_version, scene("count"), "flash2"),
    Claim("C18", "if", "", "published", speed.third_version, scene("gpu"), "flash3"),
    Claim("C19", "not", "", "published", softmax.fp8, scene("overflow", dtype="fp8"), "flash3"),
    Claim("C20", "not", "", "counted", package.any_length, scene("workbench", n=100, d=40), "package"),
    Claim("C21", "if", "", "published", package.formats, None, "package"),
    Claim("C22", "not", "", "published", speed.by_length, None, TABLES),
    Claim("C23", "if", "", "computed", memory.long_text, scene("table", n=131072)),
    Claim("C24", "right", "desk", "computed", memory.kept_for_backward, scene("workbench", n=4096, d=128, lse=1),
          TABLES),
    Claim("C25", "if", "desk", "counted", traffic.carries_of_eight, scene("walk")),
    Claim("C26", "right", "", "counted", work.no_cell_less, scene("side-by-side")),
    Claim("C27", "right", "desk", "computed", work.causal_half, scene("masks", n=32)),
    Claim("C28", "right", "desk", "computed", work.decoding, scene("decode", scene="phases")),
    Claim("C29", "right", "", "computed", memory.cache_of_a_token, scene("decode", scene="cache")),
    Claim("C30", "right", "", "published", memory.paging, scene("neighbours", scene="pages"), "paged"),
    Claim("C31", "right", "", "computed", work.not_linear, scene("side-by-side")),
    Claim("C32", "right", "desk", "computed", traffic.batches_of_the_desk, scene("scriptorium", scene="batches")),
)
BY_ID = {claim.id.lower(): claim for claim in CLAIMS}


@cache
def found(claim: Claim) -> Found:
    """Return what recomputing a claim gives, computed once."""
    return claim.recompute()


def told(claim: Claim, lang: str) -> Told:
    """Return a claim's words, filled with its numbers: the paragraphs of its section."""
    parts = text.section("claims", claim.id.lower(), lang, **found(claim).words).split("\n\n")
    return Told(*parts, *[""] * (3 - len(parts)))
