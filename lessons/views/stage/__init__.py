"""The stage: one component that draws and plays every animated scene in the reader's browser.

The JavaScript is written as small modules beside this file and joined here into one function, `boot`, so that the
offline page a reader downloads can carry the very code that draws on screen.
"""

import json
import re
from functools import cache
from pathlib import Path

from lessons.views import palette
from lessons.views.component import component

_HERE = Path(__file__).parent
# In the order of their imports: a module uses only those before it.
_MODULES = (
    "model vdom words layout draw_room draw_table draw_panels draw_code draw_ledger motion "
    "hall_layout hall_model hall_draw hall_ledger hall_motion hall picture film player export controls main"
).split()
_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def style() -> str:
    """Return the stage's CSS with the palette's variables for light and dark."""
    light = f".dc-stage{{{palette.css_variables()}}}"
    dark = f'.dc-stage[data-theme="dark"]{{{palette.css_variables(dark=True)}}}'
    return "\n".join((light, dark, (_HERE / "stage.css").read_text(encoding="utf-8")))


def boot() -> str:
    """Return the stage's JavaScript as one function: `boot(css)` gives {mount, alone}."""
    sources = ((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _MODULES)
    body = "\n".join(_EXPORT.sub("", _IMPORT.sub("", source)) for source in sources)
    return (f'function boot(css) {{\n"use strict";\n{body}\nreturn {{ mount: (component) => mount(component, css), '
            f"alone: (parent, scene) => alone(parent, scene, css) }};\n}}")


def script() -> str:
    """Return the stage's JavaScript as Streamlit takes it: a module whose default export mounts the stage."""
    return (f"{boot()}\nconst stage = boot({json.dumps(style())});\n"
            "export default (component) => stage.mount(component);\n")


@cache
def _component():
    return component("desk_and_cabinet_stage", script())


def stage(scene, key, height=None):
    """Draw a scene (a dict, or its JSON text) and return a result with .step and .row, as last told by the browser.

    The browser keeps the current step in the page's `?step=` by itself; it tells Python only when a row is chosen.
    """
    text = scene if isinstance(scene, str) else json.dumps(scene, ensure_ascii=False, allow_nan=False)
    return _component()(
        key=key,
        data=text.encode(),
        default={"step": None, "row": None},
        height=height or "content",
        on_step_change=lambda: None,
        on_row_change=lambda: None,
    )
