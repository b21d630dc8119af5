"""A scene as one page of HTML that plays without a server or a network: what export.js saves, written by Python."""

import json
import re
from functools import cache
from html import escape
from types import ModuleType

from lessons.views import stage

# As in export.js, so that a page that was saved from the browser and one written here are the same page.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
GROUND = (":root{color-scheme:light dark}body{margin:0;padding:16px;background:#FCFBF8}"
          "@media(prefers-color-scheme:dark){body{background:#15191B}}#stage{max-width:1320px;margin:auto}"
          "h1{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}")


def page(scene: str, view: ModuleType = stage) -> str:
    """Return the page of a scene given as its JSON text; `view` plays it: its boot() and style() go along."""
    facts = json.loads(scene)
    title = escape(facts["caption"] or facts["file"])
    text = json.dumps(facts | {"present": False}, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return "\n".join((
        "<!doctype html>",
        f'<html lang="{escape(facts["lang"])}"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{GROUND}</style></head>",
        f'<body><main><h1>{title}</h1><div id="stage"></div></main>'
        f'<script type="application/json" id="scene">{text}</script>',
        f"<script>{_code(view)}</script></body></html>",
    ))


@cache
def _code(view):
    code = (f"({view.boot()})({json.dumps(view.style(), ensure_ascii=False)})"
            '.alone(document.getElementById("stage"),JSON.parse(document.getElementById("scene").textContent))')
    return re.sub(r"</(script)", r"<\\/\1", code, flags=re.IGNORECASE)
