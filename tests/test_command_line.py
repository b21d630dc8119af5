"""The command line: names that other programs rely on, tables that people like to read."""

import csv
import io
import json
import re

import numpy as np
import pytest
from ask import ALGORITHMS, computed, counted, run

from simulator import Problem, Tiling, accounting, gpus
from simulator.cache import cabinet
from simulator.cli.commands import answer_to
from simulator.online_softmax import NOTHING
from simulator.tiling import ROOM

SIZES = "--n 64 --d 16 --br 16 --bc 8"
CONFIGURATION = ("algorithm", "n", "n_kv", "d", "br", "bc", "batch", "heads", "kv_heads", "dtype", "causal", "window",
                 "lse", "stages", "gpu", "passes", "seed")


def printed(line):
    """What a command line prints."""
    return "\n".join(answer_to(line.split()))


def answered(line):
    """The JSON that a command line prints."""
    return json.loads(printed(f"{line} --json"))


def table(line):
    """The rows of CSV that a command line prints."""
    return list(csv.DictReader(io.StringIO(printed(f"{line} --csv"))))


# count


def test_count_prints_one_object_with_the_configuration_named_like_the_flags():
    answer = answered("count --algorithm flash2 --n 64 --n-kv 48 --d 16 --br 16 --bc 8 --batch 2 --heads 6 "
                      "--kv-heads 3 --dtype bf16 --causal --window 30 5 --lse --stages 2 --gpu a100 --seed 7")
    assert {key: answer[key] for key in CONFIGURATION} == {
        "algorithm": "flash2", "n": 64, "n_kv": 48, "d": 16, "br": 16, "bc": 8, "batch": 2, "heads": 6, "kv_heads": 3,
        "dtype": "bf16", "causal": True, "window": [30, 5], "lse": True, "stages": 2, "gpu": "a100-40", "passes": [],
        "seed": 7}
    cost = computed("flash2", n=64, n_kv=48, d=16, br=16, bc=8, batch=2, heads=6, kv_heads=3, dtype="bf16", causal=True,
                    window=(30, 5), lse=True, stages=2)
    assert answer["rulers"]["desk"]["read"] == cost.desk.read


def test_what_is_left_out_has_its_default():
    answer = answered(f"count --algorithm standard {SIZES}")
    assert {key: answer[key] for key in CONFIGURATION[5:]} == {
        "bc": 8, "batch": 1, "heads": 1, "kv_heads": 1, "dtype": "fp16", "causal": False, "window": [-1, -1],
        "lse": False, "stages": 1, "gpu": "h200", "passes": [], "seed": 0}
    assert answer["n_kv"] == 64


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("flag", "ask", "tag"), [("", computed, "computed"), ("--execute", counted, "counted")])
def test_count_gives_every_number_of_the_cost(algorithm, flag, ask, tag):
    answer = answered(f"count --algorithm {algorithm} {SIZES} --heads 3 --causal {flag}")
    cost = ask(algorithm, n=64, d=16, br=16, bc=8, heads=3, causal=True)
    assert answer["tag"] == tag
    desk = answer["rulers"]["desk"]
    assert (desk["read"], desk["write"]) == (cost.desk.read, cost.desk.write)
    assert desk["by_tensor"] == {name: {"read": t.read, "write": t.write} for name, t in cost.desk.by_tensor.items()}
    assert desk["by_kernel"] == {name: {"read": t.read, "write": t.write} for name, t in cost.desk.by_kernel.items()}
    assert answer["rulers"]["paper"] == {"read": cost.paper.read, "write": cost.paper.write}
    assert answer["flops"] == {"matmul": cost.flops.matmul, "exp": cost.flops.exp, "other": cost.flops.other,
                               "paper": cost.flops.paper}
    assert answer["tile_moves"] == cost.tile_moves
    assert answer["peak"] == {"shared_bytes": cost.peak.shared_bytes, "registers_bytes": cost.peak.registers_bytes}
    assert answer["fits"] is True
    assert list(answer["rulers"]) == ["desk", "paper"]


def test_the_error_is_there_only_when_the_run_was_executed():
    assert answered(f"count --algorithm flash2 {SIZES}")["max_error"] is None
    executed = answered(f"count --algorithm flash2 {SIZES} --execute --seed 3")
    assert executed["max_error"] == run("flash2", n=64, d=16, br=16, bc=8, seed=3).max_error


def test_the_counters_number_can_be_asked_for():
    answer = answered("count --algorithm flash2 --n 4096 --d 128 --br 128 --bc 64 --heads 16")
    assert answer["rulers"]["desk"]["read"] == 1_090_519_040


def test_numbers_stay_exact_however_large():
    answer = answered("count --algorithm standard --n 16777216 --d 128 --br 1 --bc 1 --heads 1048576")
    assert answer["rulers"]["desk"]["by_tensor"]["S"]["write"] == 2 * 2**24 * 2**24 * 2**20


def test_the_cabinet_is_modelled_only_when_asked_for():
    answer = answered(f"count --algorithm flash2 {SIZES} --cabinet")
    modelled = cabinet("flash2", Problem(n=64, d=16), Tiling(16, 8), gpus()["h200"])
    shelf = answer["rulers"]["cabinet"]
    assert (shelf["read"], shelf["write"], shelf["left_dirty"]) == (modelled.read, modelled.write, modelled.left_dirty)
    assert shelf["tag"] == "modelled" and answer["tag"] == "computed"


def test_what_does_not_fit_says_so():
    assert answered("count --algorithm flash2 --n 4096 --d 256 --br 512 --bc 512")["fits"] is False
    shown = printed("count --algorithm flash2 --n 4096 --d 256 --br 512 --bc 512")
    assert "does not fit one SM of H200 SXM: choose smaller blocks or fewer stages" in shown


# compare


def test_compare_is_three_counts_side_by_side():
    answer = answered(f"compare {SIZES} --causal --passes scale")
    assert list(answer) == list(ALGORITHMS)
    for name in ("flash1", "flash2"):
        assert answer[name] == answered(f"count --algorithm {name} {SIZES} --causal") | {"passes": ["scale"]}
    assert answer["standard"] == answered(f"count --algorithm standard {SIZES} --causal --passes scale")


# sweep


@pytest.mark.parametrize(("flag", "values"), [("n", (1, 16, 4096)), ("n-kv", (1, 70)), ("d", (1, 64)), ("br", (1, 300)),
                                              ("bc", (3, 8)), ("heads", (1, 2, 32))])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_sweeps_rows_are_flattened_counts_with_the_varied_value_first(algorithm, flag, values):
    sizes = {"n": 64, "d": 16, "br": 16, "bc": 8}
    fixed = " ".join(f"--{name} {size}" for name, size in sizes.items() if name != flag)
    listed = ",".join(map(str, values))
    rows = answered(f"sweep --algorithm {algorithm} --vary {flag} --values {listed} {fixed} --causal")
    key = flag.replace("-", "_")
    assert [row[key] for row in rows] == list(values)
    for row, value in zip(rows, values, strict=True):
        assert next(iter(row)) == key
        assert row == flattened(answered(f"count --algorithm {algorithm} {fixed} --{flag} {value} --causal"))


def flattened(nested, prefix=""):
    """Nested objects with dots for their nesting."""
    flat = {}
    for name, value in nested.items():
        flat |= flattened(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return flat


def test_a_sweep_is_one_closed_form(monkeypatch):
    calls = []

    def cost(*arguments, **varied):
        calls.append(varied)
        return accounting.cost(*arguments, **varied)

    monkeypatch.setattr("simulator.cli.answers.closed_form", cost)
    printed(f"sweep --algorithm flash2 --vary n --values {','.join(map(str, range(1, 500)))} --d 8 --br 4 --bc 4 --csv")
    assert len(calls) == 1 and len(calls[0]["n"]) == 499


def test_the_varied_flag_may_be_given_too_and_is_overruled():
    rows = answered("sweep --algorithm flash2 --vary n --values 8,16 --n 4 --d 8 --br 4 --bc 4")
    assert [row["n"] for row in rows] == [8, 16] and [row["n_kv"] for row in rows] == [8, 16]


def test_a_sweep_beyond_64_bits_is_exact():
    rows = answered("sweep --algorithm flash2 --vary heads --values 1,1048576 --n 16777216 --d 4096 --br 1 --bc 1")
    assert rows[1]["flops.matmul"] == 2**20 * rows[0]["flops.matmul"] == 2**20 * 4 * 2**48 * 4096


def test_csv_has_a_line_of_names_and_compact_json_in_its_cells():
    line = "sweep --algorithm standard --vary br --values 4,8 --n 16 --d 4 --bc 4 --passes scale,mask"
    lines = printed(f"{line} --csv").splitlines()
    assert lines[0].startswith("br,algorithm,n,n_kv,d,bc,batch,")
    assert lines[1].startswith("4,standard,16,16,4,4,1,")
    row = table(line)[1]
    assert (row["br"], row["window"], row["passes"], row["fits"]) == ("8", "[-1,-1]", '["scale","mask"]', "true")
    assert row["max_error"] == "" and int(row["rulers.desk.read"]) > 0


# trace

COLUMNS = ["kernel", "op", "tensor", "block", "bytes", "shared_resident", "registers_resident", "i", "j", "line"]
TRACED = "--n 8 --d 4 --br 4 --bc 4"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_trace_prints_every_event(algorithm):
    rows = answered(f"trace --algorithm {algorithm} {TRACED}")
    events = run(algorithm, n=8, d=4, br=4, bc=4).events
    assert len(rows) == len(events)
    assert list(rows[0]) == COLUMNS
    for row, event in zip(rows, events, strict=True):
        assert tuple(row.values()) == (*event[:3], list(event.block), *event[4:10])


def test_trace_as_csv_says_the_same():
    as_json, as_csv = answered(f"trace --algorithm flash1 {TRACED}"), table(f"trace --algorithm flash1 {TRACED}")
    assert list(as_csv[0]) == COLUMNS
    for left, right in zip(as_json, as_csv, strict=True):
        assert [json.loads(right[name]) if right[name] else None for name in ("block", "bytes", "i", "j", "line")] == \
            [left[name] for name in ("block", "bytes", "i", "j", "line")]


def test_trace_with_values_shows_the_card_as_it_stands_after_each_event():
    rows = answered(f"trace --algorithm flash2 {TRACED} --values")
    assert list(rows[0]) == [*COLUMNS, "m", "l", "a", "rescale"]
    events = list(run("flash2", n=8, d=4, br=4, bc=4, values=True).events)
    by_place = {(event.tensor, number): event.values for number, event in enumerate(events) if event.values is not None}
    last = {}
    for number, (row, event) in enumerate(zip(rows, events, strict=True)):
        if event.op in ("hold", "compute") and event.tensor in ("m", "l", "a", "rescale"):
            last[event.tensor] = by_place[event.tensor, number]
        if event.op == "free":
            last.pop(event.tensor, None)
            last.pop("rescale", None)                     # never held: gone when the iteration ends
        for name in ("m", "l", "rescale"):
            assert row[name] == (last[name][:, 0].tolist() if name in last else None)
        assert row["a"] == (last["a"].tolist() if "a" in last else None)
    store = next(row for row in rows if row["op"] == "store")
    O = np.array(store["a"]) / np.array(store["l"])[:, None]
    assert O.astype(np.float16) == pytest.approx(run("flash2", n=8, d=4, br=4, bc=4).output[:4], abs=1e-3)    # fp16


def test_trace_with_values_of_flash_attention_1_has_the_card_of_every_visit():
    rows = answered(f"trace --algorithm flash1 {TRACED} --values")
    visits = [row for row in rows if row["op"] == "store" and row["tensor"] == "O" and row["kernel"] != "init"]
    assert len(visits) == 4
    for row in visits:
        assert len(row["m"]) == len(row["l"]) == len(row["rescale"]) == len(row["a"]) == 4
        assert all(len(numbers) == 4 for numbers in row["a"])
    assert all(row["m"] is None for row in rows if row["kernel"] == "init")


def test_values_in_csv_are_compact_json():
    rows = table(f"trace --algorithm flash2 {TRACED} --values")
    held = next(row for row in rows if (row["op"], row["tensor"]) == ("hold", "a"))
    assert json.loads(held["m"]) == [NOTHING] * 4
    assert held["l"] == "[0.0,0.0,0.0,0.0]" and held["a"] == f"[{','.join(['[0.0,0.0,0.0,0.0]'] * 4)}]"
    assert held["rescale"] == "" and rows[0]["m"] == ""


# fit and gpus


def test_fit_names_the_largest_blocks():
    answer = answered("fit --d 128 --dtype fp16 --gpu h200")
    assert answer["capacity"] == {"shared_bytes": 232_448, "registers_bytes": 262_144}
    largest = answer["largest"]["flash2"]
    assert largest["square"] == {"br": 128, "bc": 128, "shared_bytes": 98_304, "registers_bytes": 132_096}
    assert largest["beside_bc_64"]["br"] == 256
    assert answer["grid"]["flash2"]["256"] == {"16": "fits", "32": "fits", "64": "fits", "128": "registers",
                                               "256": "registers", "512": "shared and registers"}
    shown = printed("fit --d 128")
    assert "232,448 B of shared memory" in shown and "⌈M/4d⌉" in shown


def test_fit_where_nothing_fits():
    answer = answered("fit --d 4096 --dtype fp32 --gpu t4 --stages 64")
    assert answer["largest"]["flash2"] == {"square": None, "beside_bc_64": None}
    assert printed("fit --d 4096 --dtype fp32 --gpu t4 --stages 64").count("none fits") == 2 * len(ROOM)


def test_more_stages_leave_less_room():
    one, two = (answered(f"fit --d 128 --stages {stages}")["largest"]["flash2"]["square"] for stages in (1, 4))
    assert two["br"] < one["br"]


def test_the_catalogue_is_listed_with_sources():
    shown, listed = printed("gpus"), answered("gpus")
    assert [entry["key"] for entry in listed] == list(gpus())
    for spec in gpus().values():
        assert spec.key in shown and spec.source in shown
    assert "320 GB/s?" in shown and "4.8 TB/s" in shown and "4.8 TB/s?" not in shown


# For people


@pytest.mark.parametrize("command", ["count --algorithm flash1", "count --algorithm flash1 --execute --cabinet",
                                     "compare"])
def test_a_ruler_a_tag_and_a_unit_stand_beside_every_number(command):
    shown = printed(f"{command} {SIZES}")
    assert "desk" in shown and "paper" in shown and "B" in shown and "FLOP" in shown
    assert ("counted" in shown) == ("--execute" in command)
    assert "computed" in shown                            # the paper ruler is a convention, also beside an executed run
    assert ("modelled" in shown) == ("--cabinet" in command)


def test_numbers_are_grouped_and_aligned():
    shown = printed("count --algorithm flash2 --n 4096 --d 128 --br 128 --bc 64 --heads 16").splitlines()
    assert shown[0] == "FlashAttention-2 · N = 4,096 · d = 128 · B_r = 128 · B_c = 64 · fp16 · 16 heads · H200 SXM"
    total = next(line for line in shown if line.startswith("desk") and " total " in line)
    assert re.split(r"\s{2,}", total) == ["desk", "computed", "total", "1,090,519,040", "16,777,216", "1.107 GB"]
    desk = [line for line in shown if line.startswith("desk")]
    assert len({len(re.match(r".*\d(?=  )", line)[0]) for line in desk}) == 1          # numbers end in one column


@pytest.mark.parametrize("flags", ["sweep --algorithm flash2 --vary n --values 16,1024 --d 8 --br 4 --bc 4",
                                   f"trace --algorithm flash2 {TRACED}", f"trace --algorithm flash2 {TRACED} --values"])
def test_tables_have_a_title_with_the_tag_and_a_header(flags):
    lines = printed(flags).splitlines()
    assert lines[0].startswith("FlashAttention-2 · N = ") and lines[0].endswith(("computed", "counted"))
    assert set(lines[3]) == {"─"}
    assert "desk" in printed(flags)


def test_the_blank_maximum_is_shown_as_minus_infinity():
    assert "[−∞ −∞ −∞ −∞]" in printed(f"trace --algorithm flash2 {TRACED} --values")
