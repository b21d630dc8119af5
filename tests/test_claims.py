"""The claims ledger: every number recomputed as a careful count gives it, every verdict with reason and scene."""

import csv
import io
import math

import pytest

from lessons import settings, text
from lessons.__main__ import answer_to
from lessons.claims import export, page, published
from lessons.claims.ledger import BY_ID, CLAIMS, VERDICTS, found, told
from lessons.claims.quantity import Quantity, count, percents, times, timespan
from lessons.views.verdicts import placed
from simulator import gpu
from simulator.cli.guard import guarded

LANGUAGES = list(text.LANGUAGES)
RIGHT = (1, 9, 11, 24, 26, 27, 28, 29, 30, 31, 32)
NOT = (3, 4, 5, 6, 14, 19, 20, 22)
each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)


def number(name, key):
    """One number of a claim: number("c1", "bytes")."""
    claim = found(BY_ID[name])
    return (claim.said | claim.found)[key].value


def test_there_are_thirty_two_claims_in_order_each_with_its_verdict():
    assert [claim.id for claim in CLAIMS] == [f"C{k}" for k in range(1, 33)]
    verdicts = {claim.id: claim.verdict for claim in CLAIMS}
    assert verdicts == {f"C{k}": "right" if k in RIGHT else "not" if k in NOT else "if" for k in range(1, 33)}


# What a careful count gives.


EXACT = {
    "c1": {"bytes": 33_554_432, "p": 33_554_432, "cells": 4096**2, "width": 2},
    "c2": {"one_a": 8 * 2**20, "one_b": 512 * 2**20, "one_c": 32 * 2**30, "both_a": 16 * 2**20, "both_b": 2**30,
           "both_c": 64 * 2**30},
    "c3": {"moved": 138_412_032, "b64": 136_314_880, "b128": 69_206_016, "b256": 35_651_584, "fp32": 256 * 2**20,
           "passes": 8, "crossings": 4},
    "c4": {"k_times": 4096 // 128, "q_times": 4096 // 128, "extra_growth": 2},
    "c6": {"largest": 128, "a100_limit": 163 * 1024, "h100_limit": 227 * 1024, "h200_limit": 227 * 1024,
           "rtx4090_limit": 99 * 1024},
    "c9": {"largest": 65504},
    "c12": {"scribe_tiles": 64 * (1 + 2 * 64) + 64, "lists": 4096, "walks": 4, "batches": 64},
    "c18": {"first": 740, "later": 840},
    "c20": {"padded": 0, "multiple": 8},
    "c21": {"v2": ("fp16", "bf16"), "adds": ("fp8",)},
    "c23": {"head": 134_217_728, "extra": 2**19},
    "c24": {"table": 4096**2 * 2, "lse": 4 * 4096, "table_growth": 4, "lse_growth": 2},
    "c25": {"carried": 256, "carries": 4, "everything": 512},
    "c26": {"standard": 64, "tiled": 64, "shares": 64, "rescales": 2 * 8},
    "c27": {"cells": 4097 / 8192, "tiles": 65 / 128},
    "c29": {"mha": 512 * 1024, "gqa": 128 * 1024},
    "c30": {"used": (0.204, 0.382), "waste": 0.04, "block": 16, "slots": 15},
    "c31": {"tiled": 4 * 4096**2 * 128, "standard": 4 * 4096**2 * 128, "growth": 4},
    "c32": {"fetched": 64},
}


@pytest.mark.parametrize(("name", "key", "value"),
                         [(name, key, value) for name, keys in EXACT.items() for key, value in keys.items()])
def test_a_count_is_exact(name, key, value):
    assert number(name, key) == value


# As many digits as are known of each: the tolerance is half of the last one.
ROUNDED = {
    "c4": {"growth": (4, 0.1)},                           # K and V times four, Q and O times two
    "c5": {"wider": (4, 0.05), "longer": (4, 0.05), "roomier": (0.5, 0.01)},
    "c7": {"a100_40": (12.5, 0.05), "a100_80": (9.6, 0.05), "h100": (9.2, 0.05), "b200": (4.4, 0.05)},
    "c8": {"part_40": (1900, 50), "part_80": (3800, 50)},
    "c9": {"power": (2.35e17, 5e14), "ceiling": (11.09, 0.005)},
    "c10": {"l": (1.068103, 5e-7), "a": (0.936239, 1e-6), "b": (0.046613, 5e-7), "c": (0.017148, 5e-7),
            "l_last": (1.144552, 5e-7)},
    "c15": {"mask": (3.5, 0.05), "both": (3.3, 0.05), "dropout": (1.83, 0.005), "plain": (1.68, 0.005)},
    "c18": {"first_share": (0.75, 0.005), "later_share": (0.85, 0.005)},
    "c22": {"plain": (1.7, 0.05), "masked": (3.5, 0.05)},
    "c28": {"alone": (1, 0.01), "grouped": (4, 0.01)},
}


@pytest.mark.parametrize(("name", "key", "value", "within"),
                         [(name, key, *value) for name, keys in ROUNDED.items() for key, value in keys.items()])
def test_a_number_is_right_to_its_last_digit(name, key, value, within):
    assert number(name, key) == pytest.approx(value, abs=within)


@pytest.mark.parametrize(("name", "key", "low", "high"), [
    ("c14", "standard", 0.035, 0.11), ("c14", "v1", 0.13, 0.21), ("c16", "range", 1.5, 3.6),
    ("c17", "kernels", 1.7, 3.0)])
def test_a_range_is_the_tables_own(name, key, low, high):
    assert number(name, key) == pytest.approx((low, high), rel=0.035)     # quoted to two digits


def test_at_the_H100s_clock_the_H200s_desk_is_six_times_as_fast_as_its_cabinet():
    spec = gpu("h200")
    assert number("c7", "h200") * gpu("h100").clock_hz / spec.clock_hz == pytest.approx(6.4, abs=0.05)


def test_the_fourth_slip_leaves_the_shares_of_the_card():
    assert number("c10", "after") == pytest.approx((0.118243, 0.005887, 0.002166, 0.873704), abs=5e-7)


def test_cards_merge_to_the_last_digit_and_in_any_order():
    assert number("c11", "cuts") == 2**8 - 2
    assert number("c11", "worst") < 8 * 2.0**-52                          # a few roundings of float64
    assert number("c11", "order") == 0


def test_fp8_costs_more_than_a_digit_and_a_half_and_rounding_the_inputs_is_enough():
    assert number("c19", "ratio") == pytest.approx(9.1e-3 / 1.9e-4)
    assert number("c19", "here") > 30


def test_infinity_over_infinity_is_no_number_in_fp16():
    words = found(BY_ID["c9"]).words
    assert (str(words["stored"]), str(words["quotient"])) == ("∞", "NaN")


def test_any_length_is_as_exact_as_fp16_can_be():
    assert number("c20", "error") < 2.0**-10                              # an output of about 1 has ulps of 2⁻¹⁰


def test_the_whole_of_c13_is_what_the_scriptorium_shows():
    low, high = number("c13", "range")
    assert low < 10 < high and number("c13", "a100") == pytest.approx(4.1, abs=0.05)


def test_standard_attention_ran_out_of_memory_beyond_the_last_length_of_the_tables():
    assert number("c22", "last") == 4096
    assert all(max(one.standard) <= 8192 < max(one.flash) == 65536 for one in published.times())


def test_the_first_papers_tables_are_whole():
    tables = published.times()
    assert len(tables) == 12 and len({(one.which, one.mask, one.dropout) for one in tables}) == 12
    both = published.both_passes(mask=True, dropout=True)
    assert (both.standard[4096], both.flash[4096]) == (124.19, 37.49)
    assert published.memory()["flash"][65536] == 13376


# What is said and how.


@each_claim
def test_a_claim_has_its_words_in_three_languages_and_a_reason_unless_it_is_simply_right(claim):
    for lang in LANGUAGES:
        words = told(claim, lang)
        assert words.says and words.finds
        assert words.assumes or claim.verdict == "right"
    assert len({bool(told(claim, lang).assumes) for lang in LANGUAGES}) == 1


@each_claim
def test_a_claim_is_tagged_and_cites_what_it_quotes(claim):
    assert claim.verdict in VERDICTS
    assert claim.ruler in ("", "paper", "desk", "cabinet")
    assert claim.tag in ("counted", "computed", "modelled", "published")
    assert claim.tag != "published" or "20" in claim.source               # with its year
    assert found(claim).main.alone and found(claim).main.value is not None


@each_claim
def test_the_scene_of_a_claim_opens_as_it_is_written(claim):
    if claim.scene:
        found_there, notes = settings.read(dict(claim.scene.query), claim.scene.page.module.FIELDS)
        assert notes == ()
        assert settings.write(found_there, claim.scene.page.module.FIELDS).items() <= dict(claim.scene.query).items()


@each_claim
def test_what_was_said_is_drawn_beside_what_was_found(claim):
    for pair in found(claim).pairs:
        assert all(0 < low <= high < math.inf for low, high in (pair.said.ends, pair.found.ends))


def test_a_scale_has_equal_steps_for_equal_factors_and_keeps_within_its_ends():
    rows = placed([("a", "1", (1, 1), "10", (10, 10)), ("b", "10", (10, 10), "100", (100, 100))])
    one, ten, hundred = rows[0].start[0], rows[1].start[0], rows[1].stop[0]
    assert rows[0].stop[0] == ten
    assert ten - one == pytest.approx(hundred - ten, abs=1e-3)
    assert 0 < one < ten < hundred < 1


def test_numbers_that_are_nearly_the_same_are_drawn_nearly_in_one_place():
    (row,) = placed([("share", "0.937", (0.937, 0.937), "0.936", (0.936, 0.936))])
    assert row.start == pytest.approx(row.stop, abs=0.002)
    (row,) = placed([("same", "1", (5, 5), "1", (5, 5))])
    assert row.start == row.stop == (0.5, 0.5)


def test_a_ratio_has_its_sign_by_itself_and_none_in_a_sentence():
    assert (times(3.5).alone, str(times(3.5))) == ("×3.5", "3.5")
    assert timespan(1.3, 2).alone == "×1.3–2"
    assert percents(0.204, 0.382).alone == "20.4–38.2\u00a0%"
    assert count(840, "TFLOP/s") == Quantity(840, "840 TFLOP/s", "TFLOP/s")
    assert str(count(840, "TFLOP/s")) == "840\u00a0TFLOP/s"               # a number stays beside its unit


def test_the_ledger_is_made_once_for_all_readers_of_a_language():
    assert page._items("en") is page._items("en")
    assert found(CLAIMS[0]) is found(CLAIMS[0])


# The table for other programs.


def rows(lines):
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_command_prints_the_table_that_the_page_hands_out(lang):
    printed = rows(answer_to(["claims", "--csv", "--lang", lang]))
    file = list(csv.DictReader(io.StringIO(export.csv(lang).decode("utf-8-sig"))))
    assert printed == file and len(printed) == len(CLAIMS)
    assert next(iter(printed[0])) == "id"
    assert [row["claim"] for row in printed] == [export.plain(told(claim, lang).says) for claim in CLAIMS]
    assert not any("`" in cell or "\u00a0" in cell for row in printed for cell in row.values())


def test_a_row_has_the_verdict_the_exact_number_and_the_scene():
    first, *_, last = rows(answer_to(["claims", "--csv"]))
    wanted = {"id": "C1", "verdict": "right", "value": "33554432", "unit": "B", "ruler": "desk", "tag": "computed",
              "scene": "table?n=4096"}
    assert wanted.items() <= first.items()
    assert (last["id"], last["value"]) == ("C32", "64")


def test_people_get_a_line_a_claim():
    lines = list(answer_to(["claims"]))
    assert len(lines) == 2 + len(CLAIMS) and lines[0].startswith("id") and "33,554,432 B" in lines[2]


@pytest.mark.parametrize("line, words", [
    ("--lang tlh", "language 'tlh'"), ("--csv --csv=1", "--csv"), ("--n 8", "--n")])
def test_a_mistake_is_one_line(line, words, capsys):
    assert guarded(answer_to, ["claims", *line.split()]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and words in printed.err and printed.err.count("\n") == 1
