"""The take-home set: scenes of the stage as pages without a server, and an index in three languages."""

import json
from dataclasses import dataclass
from html import escape
from types import ModuleType

from lessons import PAGES, settings, text
from lessons.shell import View
from lessons.views import bars, stage
from lessons.views.stage import alone

STYLE = """
:root { color-scheme: light dark; }
body { font: 1.05rem/1.65 system-ui, "PingFang SC", "PingFang TC", "Microsoft YaHei", "Microsoft JhengHei",
  "Noto Sans CJK SC", "Noto Sans CJK TC", sans-serif; max-width: 68rem; margin: 2.5rem auto; padding: 0 1.2rem;
  color: #20262e; background: #fcfbf8; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(19rem, 100%), 1fr)); gap: 1rem 2.5rem; }
h1 { font-weight: 500; font-size: 1.5rem; } ol { padding: 0; list-style: none; }
li { border-top: 1px solid #c9c6bd; padding: .6rem 0; } a { color: #005f94; } small { display: block; color: #56606c; }
@media (prefers-color-scheme: dark) { body { color: #e8e6e1; background: #15191b; } a { color: #7cc0ee; }
  small { color: #aab3bd; } li { border-color: #3a4147; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True)
class Scene:
    """A page of the lessons with a picture that plays, the query that sets it, and the view that plays it."""

    path: str
    query: tuple[tuple[str, str], ...] = ()
    view: ModuleType = stage

    @property
    def page(self):
        """The page of the lessons."""
        return next(page for page in PAGES if page.path == self.path)

    def text(self, lang: str) -> str:
        """Return the scene's JSON text in a language."""
        found, _ = settings.read(dict(self.query), self.page.module.FIELDS)
        return self.page.module.scene(View(self.page, lang, False, found, link=""))


def _scene(path, view=stage, **query):
    return Scene(path, tuple((settings.flag(name), str(value)) for name, value in query.items()), view)


SCENES = (
    _scene("walk"),
    _scene("walk", n=16),
    _scene("scriptorium", scene="master"),
    _scene("scriptorium", scene="batches"),
    _scene("card", bars),
    _scene("card", bars, scores="3,5,2,8,4,9,6,1", values="2,6,4,8,1,3,7,5", piece=4),
    _scene("side-by-side"),
    _scene("side-by-side", n=12),
    _scene("workbench", n=16, d=8, br=4, bc=4, algorithm="flash1"),
    _scene("workbench", n=16, d=8, br=4, bc=4),
    _scene("masks"),
    _scene("masks", causal=0, window="4,4"),
    _scene("backward"),
    _scene("versions"),
    _scene("decode"),
    _scene("decode", splits=4),
    _scene("workbench"),
    _scene("rulers"),
    _scene("rulers", workers=4),
)


def files() -> dict[str, str]:
    """Return the whole set, {path below the folder: text}: a page for every scene and language, and the index."""
    pages = {lang: [_page(scene, lang) for scene in SCENES] for lang in text.LANGUAGES}
    made = {f"{lang}/{name}.html": page for lang, told in pages.items() for name, _, _, page in told}
    return {"index.html": _index(pages), **made}


def _page(scene, lang):
    """A scene's file name, the title of its lesson, its workers and caption, and the page."""
    told = scene.text(lang)
    facts = json.loads(told)
    about = " · ".join(dict.fromkeys((*(worker["title"] for worker in facts["workers"]), facts["caption"])))
    return facts["file"], text.title(scene.page.lesson, lang), about, alone.page(told, scene.view)


def _index(pages):
    parts = "".join(
        f'<section lang="{lang}"><h1>{escape(text.label("app.name", lang))}</h1>'
        f'<p>{escape(text.label("site.lead", lang))}</p>'
        f'<ol>{"".join(_item(lang, *one[:3]) for one in told)}</ol></section>'
        for lang, told in pages.items())
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
            f'<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{escape(text.label('app.name', 'en'))}</title><style>{STYLE}</style></head>"
            f"<body><main>{parts}</main></body></html>\n")


def _item(lang, name, title, about):
    return f'<li><a href="{lang}/{name}.html">{escape(title)}</a><small>{escape(about)}</small></li>'
