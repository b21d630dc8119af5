"""A worksheet as a file: which kinds there are, and each kind's maker."""

from lessons.teach.sheet import sheet

KINDS = ("pdf", "html")
MIME = {"pdf": "application/pdf", "html": "text/html"}


def file(lang: str, seed: int, kind: str) -> bytes:
    """Return the worksheet of a seed in a language as the bytes of a file: kind is pdf or html."""
    return {"pdf": _pdf, "html": _html}[kind](sheet(lang, seed))


def _pdf(made):
    from lessons.teach.paper import pdf  # matplotlib loads at the first file, not with the app
    return pdf(made)


def _html(made):
    from lessons.teach.web import html
    return html(made)
