"""The quiz: complete in three languages, one right choice each, numbers the simulator stands for."""

import re
from math import exp
from random import Random

import pytest
from test_app import opened
from test_words import CHINESE, LANGUAGES, _in, parts, typed_digits

from lessons import PAGES, text
from lessons.masks import facts as masks
from lessons.quiz import instances, lab, roofline, story
from lessons.quiz.questions import drawn, lessons, questions
from simulator import Problem, Tiling, simulate
from simulator.errors import DoesNotFit
from simulator.matmul import executed

QUESTIONS = [question for lesson in lessons() for question in questions(lesson)]
SEEDS = range(12)
every = pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q.lesson}:{q.name}")


def again(question, seed):
    """The instance of a seed, drawn anew."""
    drawn.cache_clear()
    return question.instance(seed)


def words(question):
    """Every text of a question, as {language: words}."""
    yield question.ask
    yield from ([question.why] if not question.choices else [])
    yield from (text for choice in question.choices for text in (choice.say, choice.why))


@pytest.mark.parametrize("lesson", [page.lesson for page in PAGES if page.group != "class"])
def test_a_lesson_that_teaches_has_at_least_four_questions(lesson):
    assert lesson in lessons() and len(questions(lesson)) >= 4


@every
def test_a_question_has_one_right_choice_of_at_least_three_or_an_answer_by_the_simulator(question):
    if question.choices:
        assert len(question.choices) >= 3 and sum(choice.right for choice in question.choices) == 1
    else:
        assert all(question.instance(seed).answer > 0 for seed in SEEDS)


@every
def test_the_words_are_there_in_three_languages_with_the_same_parts_and_no_typed_number(question):
    for said in words(question):
        assert set(said) == set(LANGUAGES) and all(said.values())
        assert len({repr(parts(one)) for one in said.values()}) == 1
        assert [typed_digits(one) for one in said.values()] == [[], [], []]


@every
def test_the_words_follow_the_glossary_and_each_chinese_its_own_characters(question):
    wrong = {lang: [word for table in text.glossary().values() for entry in table.values()
                    for word in entry.get("avoid", {}).get(lang, ())] for lang in CHINESE}
    for said in words(question):
        for lang, encoding in zip(CHINESE, ("gb2312", "big5"), strict=True):
            assert [word for word in wrong[lang] if word in said[lang]] == []
            assert [c for c in said[lang] if "\u4e00" <= c <= "\u9fff" and not _in(c, encoding)] == []


@every
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_instance_fills_every_word_and_a_seed_always_draws_the_same(question, lang):
    for seed in SEEDS:
        for said in words(question):
            assert not re.search(r"[{}]", question.say(said, lang, seed))
        assert question.instance(seed) == again(question, seed)
        assert set(question.shuffled(seed)) == set(question.choices)


def test_new_numbers_are_other_numbers():
    for question in QUESTIONS:
        if not question.choices:
            assert len({question.instance(seed).answer for seed in SEEDS}) > 2, question.name


def test_eight_people_carry_256_table_numbers_and_the_slips_sum_to_what_is_told():
    class Loaded(Random):
        def choice(self, options):
            return 8 if 8 in options else options[0]

        def sample(self, options, k):
            return [7, 4, 3, 9][:k]

    assert instances.result_bytes(Loaded()).answer == 64 * 32 * 2
    assert instances.running_sum(Loaded()).answer == pytest.approx(1 + exp(-2) + exp(-5) + exp(-6))
    assert instances.card_room(Loaded()).answer == 18


@pytest.mark.parametrize("seed", SEEDS)
def test_typed_answers_equal_an_executed_run(seed):
    dice = Random(seed)
    asked = instances.key_bytes(dice)
    size = {name: int(asked.values[name].replace(",", "")) for name in ("n", "d", "br")}
    run = simulate(Problem(n=size["n"], d=size["d"]), Tiling(size["br"], size["br"]), execute=True)
    assert asked.answer == run.cost.desk.by_tensor["K"].read


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_story_calls_right_is_what_the_simulator_finds(seed):
    formats, adding = (number(story.NUMBERS[name], seed) for name in ("survives", "orders"))
    assert formats["fp8"] < formats["fp16"] < formats["score"] < formats["bf16"]
    assert abs(adding["pieces"] - adding["exact"]) < abs(adding["largest"] - adding["exact"])
    tale = number(story.two_units, seed)
    assert tale["master_tiles"] / tale["scribe_tiles"] != tale["master"] / tale["scribe"]
    plain = Problem(n=int(number(story.both_rulers, seed)["n"]), d=128, heads=16)
    assert masks.bill(masks.causal(plain)).cabinet == masks.bill(plain).cabinet
    assert masks.bill(masks.causal(plain)).desk < 0.6 * masks.bill(plain).desk


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_lab_calls_right_is_what_the_simulator_finds(seed):
    low = number(lab.narrow_block, seed)
    assert low["paper"] > 1 > low["desk"]
    waves = lab.handed_out(Random(seed))
    assert waves.answer == -(-int(waves.values["blocks"]) // int(waves.values["workers"]))
    assert int(waves.values["places"]) < int(waves.values["tiles"])


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_roofline_calls_right_is_what_the_simulator_finds(seed):
    waiting = number(roofline.left_of_the_bend, seed)
    assert waiting["dram"] > waiting["tensor"] and waiting["intensity"] < waiting["bend"]
    doubled = number(roofline.turned, seed)
    assert doubled["keys"] == doubled["now"] and doubled["rows"] > 1.8 * doubled["now"] > 1.7 * doubled["longer"]
    block = int(number(roofline.too_large, seed)["block"])
    with pytest.raises(DoesNotFit):
        executed(block, block, block, block)


def test_small_cases_worked_by_hand():
    class First(Random):
        def choice(self, options):
            return options[0]

        def randint(self, low, high):
            return low

        def sample(self, options, k):
            return [7, 4, 3][:k]

    assert story.newcomer(First()).answer == 2 * 5 + 1
    assert story.table_bytes(First()).answer == 256 * 256 * 2
    assert story.lists_carried(First()).answer == 4 * 12
    assert story.shrunk(First()).answer == pytest.approx(exp(7 - 8))
    assert story.visible_cells(First()).answer == 1 + 2 + 3 + 4 + 5 + 6
    assert story.window_tiles(First()).answer == 1 + 2 + 2 + 2 + 2
    assert story.padded(First()).answer == pytest.approx(2 / (exp(1) + 2))
    assert story.lifted(First()).answer == pytest.approx(1 / (1 + exp(-3) + exp(-4)))
    assert lab.on_paper(First()).answer == 2 * (4 * 512 * 512 + 4 * 512 * 64)
    assert lab.cache_of_a_token(First()).answer == 24 * 2 * 4 * 64 * 2
    assert lab.whole_model(First()).answer == pytest.approx(1 / 0.9)
    assert roofline.bend(First()).answer == pytest.approx(65e12 / 320e9)
    assert roofline.tiled_product(First()).answer == pytest.approx(2 * 512**3 / (2 * (2 * 512**3 // 8 + 512**2)))
    assert roofline.softmax_ms(First()).answer == pytest.approx(8 * 2 * 4096**2 * 2 / 4.275e12 * 1e3)


def number(draw, seed):
    """The numbers that a question shows, read back from their text."""
    return {name: float(written.replace(",", "").lstrip("×")) for name, written in draw(Random(seed)).values.items()
            if written.replace(",", "").lstrip("×").replace(".", "", 1).isdigit()}


def test_a_number_is_right_to_the_decimals_asked():
    whole, decimal = instances.Instance({}, 256), instances.Instance({}, 1.14455, 3)
    assert whole.right(256) and not whole.right(257)
    assert decimal.right(1.145) and decimal.right(1.144) and not decimal.right(1.14)


def test_an_answer_brings_its_reason_and_the_score_counts_the_first():
    app = opened("quiz", lang="en", lesson="side_by_side")
    question = questions("side_by_side")[0]
    radio = app.radio[0]
    order = question.shuffled(0)
    wrong = next(choice for choice in order if not choice.right)
    right = next(choice for choice in order if choice.right)
    app = radio.set_value(wrong.name).run()
    assert any(wrong.why["en"] in said.value for said in app.markdown)
    app = app.radio[0].set_value(right.name).run()
    assert any(right.why["en"] in said.value for said in app.markdown)
    assert any(text.label("quiz.score", "en", right=0, asked=1, all=len(questions("side_by_side"))) in said.value
               for said in app.markdown)


def test_new_numbers_are_in_the_link():
    app = opened("quiz", lang="en", lesson="card")
    asked = app.number_input[0].label
    app = app.button[0].click().run()
    assert app.query_params["seed"] == "1" and app.number_input[0].label != asked
