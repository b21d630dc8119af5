"""Charts as files: pictures that carry their caption and every glyph, numbers that equal the chart's."""

import csv
import io
import json
import os
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from lessons import settings, text
from lessons.__main__ import answer_to, drawn
from lessons.count import page
from lessons.count.bills import bill
from lessons.views import export, fonts
from lessons.views.chart import Axis, Chart, Mark, Rise, Series
from lessons.views.chart.paper import caption_lines, inches
from simulator.cli.guard import guarded

Image = pytest.importorskip("PIL.Image")
SVG = "{http://www.w3.org/2000/svg}"
SWEEP = "chart --algorithm flash2 --vary n --values 512,1024,4096 --d 128 --br 64 --bc 64".split()
LINK = "http://localhost:8501/count?lang=zh-Hant&n=4096&d=128&br=64&bc=64&dtype=fp16&gpu=h200&vary=m&ruler=both"


def chart(lang="en", **options):
    """A small chart made by hand."""
    words = {"en": "Footsteps", "zh-Hans": "工作台", "zh-Hant": "檔案櫃"}
    made = Chart(title=words[lang], x=Axis("N", "", "log2"), y=Axis("bytes", "B", "log10"), xs=(8, 16, 32),
                 series=(Series("a", words[lang], (256, 1024, None), "standard", ruler="desk", tag="counted"),
                         Series("b", "b", (512, 1024, 2048), "Q", "dashed", "none", ruler="paper", tag="computed")),
                 marks=(Mark("x", 16, "N"), Mark("y", 1000, "y")), rises=(Rise("b", 0, 1),),
                 caption=("d = 8", "B_r = 4"), link=LINK, lang=lang)
    return replace(made, **options)


def page_charts(lang):
    """Every chart of the counting page, whole and with its steps."""
    for vary, questions in page.QUESTIONS.items():
        found, _ = settings.read({"vary": vary, "ruler": "both", "causal": "1"}, page.FIELDS)
        yield page.drawn(bill(found, lang, LINK).chart, questions)


# Pictures


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_a_png_opens_at_full_width_holds_ink_and_says_what_it_is(lang):
    picture = Image.open(io.BytesIO(export.file(chart(lang), "png")))
    picture.load()
    assert picture.format == "PNG" and picture.size[0] == 1800 and picture.size[1] > 1000
    assert len(picture.convert("RGB").getcolors(1 << 20)) > 50
    assert picture.info["Title"] == chart(lang).title
    assert picture.info["Source"] == LINK


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_an_svg_parses_draws_its_texts_as_shapes_and_carries_title_caption_and_link(lang):
    content = export.file(chart(lang), "svg")
    root = ET.fromstring(content)
    assert root.tag == f"{SVG}svg" and len(list(root.iter(f"{SVG}path"))) > 20
    said = content.decode("utf-8")
    assert chart(lang).title in said and "d = 8 · B_r = 4" in said and LINK.replace("&", "&amp;") in said


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_the_text_of_a_pdf_can_be_read_and_searched(lang):
    pypdf = pytest.importorskip("pypdf")
    reader = pypdf.PdfReader(io.BytesIO(export.file(chart(lang), "pdf")))
    assert len(reader.pages) == 1
    words = reader.pages[0].extract_text().replace("\n", "")
    assert chart(lang).title in words and "d = 8" in words
    assert reader.metadata.title == chart(lang).title


def test_a_long_link_is_broken_into_lines_that_fit_and_loses_nothing():
    lines = caption_lines(chart(link=LINK * 5))
    assert "".join(lines[1:]) == LINK * 5
    assert all(inches(line, 8.5) <= 9 for line in lines)


def test_a_chart_of_one_value_and_one_of_equal_values_can_be_drawn():
    for values, xs in (((5,), (8,)), ((7, 7), (8, 16)), ((None, 4), (8, 16))):
        for scale in ("linear", "log2", "log10"):
            odd = Chart("t", Axis("x", "", "log2"), Axis("y", "B", scale), xs, (Series("a", "a", values, "Q"),))
            assert export.file(odd, "png").startswith(b"\x89PNG")


# Glyphs


def test_a_character_that_no_font_has_is_an_error_that_names_the_command():
    with pytest.raises(export.MissingGlyph, match=r"'☃'; cut them anew with: python -m lessons.views.fonts"):
        export.file(chart(title="☃"), "png")


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_character_of_every_text_of_every_chart_has_a_glyph(lang):
    for made in page_charts(lang):
        assert fonts.missing("".join(export.texts(made)), lang) == "", f"run: {fonts.REBUILD}"


@pytest.mark.parametrize("lang", fonts.FACES)
def test_a_chart_may_use_any_label_there_is(lang):
    labels = "".join(spoken(text.catalogue(), lang))
    chinese = {sign for sign in labels if "\u2e80" <= sign}
    assert chinese - fonts.covered(lang) == set(), f"run: {fonts.REBUILD}"
    assert len(chinese) > 300


def spoken(table, lang):
    """Yield every label of a table in a language."""
    for name, entry in table.items():
        if isinstance(entry, dict):
            yield from spoken(entry, lang)
        elif name == lang:
            yield entry


@pytest.mark.parametrize("lang, face", [("en", "SC"), ("zh-Hans", "SC"), ("zh-Hant", "TC")])
def test_each_language_has_its_own_face_small_and_with_its_licence(lang, face):
    from fontTools.ttLib import TTFont
    with TTFont(fonts.font(lang)) as file:
        assert file["name"].getDebugName(1) == f"Noto Sans CJK {face}"
    assert fonts.font(lang).stat().st_size < 400_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (fonts.HERE / "OFL.txt").read_text(encoding="utf-8")


# Numbers


def test_the_csv_holds_every_number_with_its_ruler_and_tag_and_opens_in_a_spreadsheet():
    content = export.file(chart("zh-Hant"), "csv")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0] == ["series", "ruler", "tag", "N", "bytes", "unit"]
    assert rows[1:4] == [["a", "desk", "counted", "8", "256", "B"], ["a", "desk", "counted", "16", "1024", "B"],
                         ["a", "desk", "counted", "32", "", "B"]]
    assert len(rows) == 1 + 2 * 3


def test_the_json_holds_the_numbers_the_caption_and_the_link():
    content = json.loads(export.file(chart("zh-Hans"), "json"))
    assert content["series"][0]["values"] == [256, 1024, None]
    assert content["x"]["values"] == [8, 16, 32]
    assert content["caption"] == ["d = 8", "B_r = 4"] and content["link"] == LINK


def test_pictures_made_in_several_threads_at_once_equal_those_made_alone():
    wanted = {lang: export.file(chart(lang), "png") for lang in text.LANGUAGES}
    made = []

    def make(lang):
        made.append((lang, export.file(chart(lang), "png")))

    threads = [threading.Thread(target=make, args=(lang,)) for lang in [*text.LANGUAGES] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 12 and all(picture == wanted[lang] for lang, picture in made)


# The command line


@pytest.mark.parametrize("kind, begins", [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_command_writes_a_picture_of_the_kind_its_name_ends_in(tmp_path, capsys, kind, begins):
    out = tmp_path / f"sweep.{kind}"
    assert guarded(answer_to, [*SWEEP, "--out", str(out), "--lang", "zh-Hant"]) == 0
    assert out.read_bytes().startswith(begins)
    assert str(out) in capsys.readouterr().out


def test_the_command_line_is_in_the_picture_it_makes(tmp_path):
    out = tmp_path / "sweep.png"
    guarded(answer_to, [*SWEEP, "--out", str(out)])
    assert Image.open(out).info["Source"].startswith("python -m lessons chart --algorithm flash2 --vary n --values 512")


@pytest.mark.parametrize("name", ["$x^$", "é☃", "a\nb", "\x01", "<b>&", "\udcff"])
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_file_may_have_any_name(tmp_path, capsys, name, kind):
    out = tmp_path / f"{name}.{kind}"
    assert guarded(answer_to, [*SWEEP, "--out", str(out)]) == 0
    assert out.stat().st_size > 10_000
    if kind == "svg":
        ET.parse(out)


@pytest.mark.parametrize("name, possible", [
    ("", ".png, .svg, .pdf"), ("sweep.gif", ".png, .svg, .pdf"), ("/nowhere/at/all.svg", "a folder that is there")])
def test_a_name_that_no_picture_can_have_is_shown_as_it_was_typed(capsys, name, possible):
    assert guarded(answer_to, [*SWEEP, "--out", name]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(f"error: out = {name!r} is not possible: ") and possible in err


def test_the_values_of_a_sweep_may_come_in_any_order():
    from simulator.cli.options import Parser, add_algorithm_option, add_problem_options, add_sweep_options, swept
    parser = Parser()
    for add in (add_algorithm_option, add_problem_options, add_sweep_options):
        add(parser)
    flags = parser.parse_args([*"--algorithm standard --vary br --values 64,16,64,32 --n 256 --d 64 --bc 64".split()])
    made = drawn(swept(flags), "en", "")
    assert made.xs == (16, 32, 64)
    assert made.file == "standard-n256-d64-br16-64-bc64-fp16"
    assert made.series[-1].values == (4 * 256 * 64 * 2,) * 3


@pytest.mark.parametrize("wrong, said", [
    ([], "required"), (["chart"], "--out"), ([*SWEEP], "--out"), ([*SWEEP, "--out", "x.gif"], ".png, .svg, .pdf"),
    ([*SWEEP, "--out", "/no/such/folder/x.png"], "folder"), ([*SWEEP, "--out", "x.png", "--lang", "fr"], "'fr'"),
    ([*SWEEP, "--out", "x.png", "--n-kv", "many"], "n-kv = 'many'"),
    ([*SWEEP, "--nonsense", "--out", "x.png"], "--nonsense"),
])
def test_bad_input_ends_with_2_one_line_of_error_and_nothing_else(capsys, wrong, said):
    assert guarded(answer_to, wrong) == 2
    streams = capsys.readouterr()
    assert streams.out == "" and streams.err.count("\n") == 1 and said in streams.err


def test_words_that_a_terminal_cannot_show_are_no_mistake():
    done = subprocess.run([sys.executable, "-m", "lessons", "claims", "--lang", "zh-Hans"], capture_output=True,
                          text=True, cwd=fonts.LESSONS.parent, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "") and "?" in done.stdout


def test_the_module_runs_as_a_program_without_starting_the_app(tmp_path):
    code = ("import runpy, sys; sys.argv = ['lessons', *sys.argv[1:]]\n"
            "try: runpy.run_module('lessons', run_name='__main__')\n"
            "finally: print('streamlit' in sys.modules, 'matplotlib.pyplot' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", code, *SWEEP, "--out", str(tmp_path / "a.svg")],
                          capture_output=True, text=True, cwd=fonts.LESSONS.parent)
    assert done.returncode == 0 and done.stdout.endswith("False False\n")
