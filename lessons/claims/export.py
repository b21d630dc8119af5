"""The ledger as a table for other programs, the same from the page and from the command line."""

import io

from lessons.claims.ledger import CLAIMS, VERDICTS, Claim, found, told
from simulator.cli.formats import rows_as_csv
from simulator.cli.tables import table


def rows(lang: str) -> list[dict]:
    """One row a claim, its id first; `value` is the main number exactly, a range as a list of its ends."""
    return [_row(claim, lang) for claim in CLAIMS]


def csv(lang: str) -> bytes:
    """The file of all rows, with the mark by which spreadsheets know UTF-8."""
    file = io.StringIO()
    file.writelines(f"{line}\r\n" for line in rows_as_csv(rows(lang)))
    return file.getvalue().encode("utf-8-sig")


def lines(lang: str) -> list[str]:
    """A short table for a terminal: id, verdict, number, ruler, tag, and the claim last."""
    header = ("id", "verdict", "found", "ruler", "tag", "claim")
    return table([(claim.id, VERDICTS[claim.verdict], plain(found(claim).main.alone), claim.ruler, claim.tag,
                   plain(told(claim, lang).says)) for claim in CLAIMS], header)


def plain(words: str) -> str:
    """Words without the marks around code and with plain spaces."""
    return words.replace("`", "").replace("\u00a0", " ")


def _row(claim: Claim, lang: str) -> dict:
    words, main = told(claim, lang), found(claim).main
    return {
        "id": claim.id,
        "verdict": VERDICTS[claim.verdict],
        "claim": plain(words.says),
        "value": list(main.value) if isinstance(main.value, tuple) else main.value,
        "unit": main.unit,
        "ruler": claim.ruler,
        "tag": claim.tag,
        "found": plain(words.finds),
        "assumption": plain(words.assumes),
        "source": claim.source,
        "scene": claim.scene.link() if claim.scene else "",
    }
