"""Labelled widgets for a scene's fields: each shows the scene and, when moved, changes its address."""

import streamlit as st

from lessons import address, settings, text

WIDEST_SLIDER = 512


def control(name: str, kind, value, kinds: dict, lang: str, label: str) -> None:
    """Draw the widget of one field at its present value."""
    key = f"{st.session_state.path}:{name}"
    draw, shown, meant = _DRAWN[type(kind)]
    if st.session_state.get(key, st) != shown(value):
        st.session_state[key] = shown(value)

    def moved():
        address.change(name, meant(st.session_state[key], kind), kinds)

    draw(kind, label=label, key=key, on_change=moved, lang=lang, name=name)


def _whole(kind, name, lang, **widget):
    if kind.default is None:
        follows = text.label("control.same", lang)
        st.number_input(min_value=kind.low, max_value=kind.high, value=None, placeholder=follows, **widget)
    elif kind.high - kind.low > WIDEST_SLIDER:
        st.number_input(min_value=kind.low, max_value=kind.high, step=kind.step, **widget)
    else:
        st.slider(min_value=kind.low, max_value=kind.high, step=kind.step, **widget)


def _powers(kind, name, lang, **widget):
    st.select_slider(options=kind.options, **widget)


def _choice(kind, name, lang, **widget):
    def words(option):
        return kind.titles.get(option) or text.label_or(f"{name}.{option}", lang, option)

    st.selectbox(options=kind.options, format_func=words, **widget)


def _tabs(kind, name, lang, **widget):
    def words(option):
        return text.label_or(f"{name}.{option}", lang, kind.titles.get(option, option))

    st.segmented_control(options=kind.options, required=True, wrap=True, format_func=words, **widget)


def _flag(kind, name, lang, **widget):
    st.toggle(**widget)


def _pair(kind, name, lang, **widget):
    st.text_input(placeholder="-1,-1", **widget)


def _several(kind, name, lang, **widget):
    st.pills(options=kind.options, selection_mode="multi",
             format_func=lambda option: text.label_or(f"{name}.{option}", lang, option), **widget)


def _same(value, kind=None):
    return value


def _pair_meant(words, kind):
    return kind.read(words)[0]


# kind: (the widget, how it shows a value, what its state means)
_DRAWN = {
    settings.Whole: (_whole, _same, _same),
    settings.Powers: (_powers, _same, _same),
    settings.Choice: (_choice, _same, _same),
    settings.Tabs: (_tabs, _same, _same),
    settings.Flag: (_flag, _same, _same),
    settings.Pair: (_pair, lambda value: ",".join(map(str, value)), _pair_meant),
    settings.Subset: (_several, list, lambda chosen, kind: tuple(o for o in kind.options if o in chosen)),
}
