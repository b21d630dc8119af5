"""Bars on a scale: what is sent to the browser, and the code that draws it."""

import json
import re

import pytest

from lessons import text
from lessons.views import yardstick
from lessons.views.yardstick import Knob, Mark, Part, Row, Side, Square, Yardstick


def whole(lang="en"):
    return Yardstick(
        rows=(Row("S", (Part(0.0, 0.5, "S", "S"), Part(0.5, 0.75, "P", look="striped")), "128 B", "", 0.5, True),),
        lang=lang, summary="S: 128 B", marks=(Mark(0.4, "desk"),), ticks=((0.0, "1 B"), (1.0, "1 TB")),
        knob=Knob("N", 1, ("2", "8")), square=Square(8, "S", "N = 8", (Side("desk", 497.0, "desk"),), "64 cells"))


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_a_scene_is_the_picture_and_the_words_of_its_controls(lang):
    scene = json.loads(json.dumps(yardstick.scene(whole(lang)), allow_nan=False))
    assert scene["words"] == {name: text.label(f"yardstick.{name}", lang) for name in ("play", "pause")}
    assert scene["rows"][0]["parts"][1] == {"start": 0.5, "stop": 0.75, "role": "P", "text": "", "look": "striped"}
    assert (scene["rows"][0]["dot"], scene["rows"][0]["alarm"], scene["knob"]["at"]) == (0.5, True, 1)
    assert scene["square"]["holders"] == [{"id": "desk", "side": 497.0, "text": "desk"}]


def test_the_modules_are_joined_in_the_order_of_their_imports():
    known = []
    for name in yardstick._MODULES:
        source = (yardstick._HERE / f"{name}.js").read_text(encoding="utf-8")
        assert set(re.findall(r'from "\./(\w+)\.js"', source)) <= set(known), name
        known.append(name)
    script = yardstick.script()
    assert not re.search(r"^import ", script, re.MULTILINE)
    assert re.findall(r"^export \w+", script, re.MULTILINE) == ["export default"]


def test_no_name_is_declared_twice_in_the_joined_script():
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", yardstick.script(), re.MULTILINE)
    assert sorted(names) == sorted(set(names))
    assert "draw" not in names                            # the wrapper's own


def test_every_look_and_role_has_its_style():
    style = yardstick.script()
    for look in ("striped", "outline"):
        assert f".part.{look}" in style
    for look in ("full", "striped", "outline", "empty"):
        assert f".cells .{look}" in style
    for role in ("S", "P", "Q", "card", "standard", "flash2"):
        assert f".role-{role} " in style


def test_the_browser_knows_every_look_of_a_cell():
    known = re.search(r"const LOOKS = \{(.*?)\}", yardstick.script())[1]
    assert re.findall(r'"(.)":', known) == list(yardstick.LOOKS)
