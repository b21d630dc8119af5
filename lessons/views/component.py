"""A component of the page whose code travels once, and whose data travel alone with every run.

Streamlit sends a component's code along with its data. Here the code arrives in an element of its own that never
changes, which Streamlit names by a hash from the second run on: a moved slider then brings the new scene and no more.
"""

from collections.abc import Callable

import streamlit as st

ARRIVED = """
const arrived = (globalThis.deskAndCabinet ??= {{}}).{name} ??= {{}};
arrived.draw ??= whatWasExported;
arrived.waiting?.forEach((begin) => begin());
export default ({{ parentElement }}) => {{
  parentElement.getRootNode().host?.closest(".stElementContainer")?.style.setProperty("display", "none");
}};
"""
DRAWN = """
const code = (globalThis.deskAndCabinet ??= {{}}).{name} ??= {{}};
const ready = new Promise((begin) => (code.draw ? begin() : (code.waiting ??= []).push(begin)));
export default (component) => {{
  const drawn = ready.then(() => code.draw(component));
  return () => drawn.then((remove) => remove?.());
}};
"""


def component(name: str, js: str) -> Callable:
    """Return a component made of an ES module whose default export draws it, called as Streamlit calls its own."""
    arriving = js.replace("export default ", "const whatWasExported = ") + ARRIVED.format(name=name)
    code = st.components.v2.component(f"{name}_code", js=arriving)
    drawn = st.components.v2.component(name, js=DRAWN.format(name=name))

    def draw(key, **options):
        code(key=f"{key}:code")
        return drawn(key=key, **options)

    return draw
