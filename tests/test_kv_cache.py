"""The KV cache: bytes that a token leaves behind, and the work that it spares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator import Problem, Tiling, accounting
from simulator.kv_cache import Kept, models, projected, ways

KIB, MIB = 1024, 2**20


def test_two_heads_of_four_numbers_leave_sixteen_numbers_in_a_layer():
    assert Kept("mha", kv_heads=2, d=4).numbers == 2 * 2 * 4
    assert Kept("mha", kv_heads=2, d=4).bytes(layers=3, tokens=5) == 16 * 3 * 5 * 2
    assert Kept("mla", latent=6, rope=2).numbers == 8                                  # not times two


@pytest.mark.parametrize("model, size", [
    ("llama-2-7b", 512 * KIB), ("llama-2-70b", 320 * KIB), ("llama-3-8b", 128 * KIB), ("deepseek-v2", 67.5 * KIB)])
def test_C29_what_a_token_leaves_in_known_models(model, size):
    assert models()[model].bytes() == size


def test_a_latent_is_as_little_as_two_and_a_quarter_groups_and_a_57th_of_every_head():
    deepseek = models()["deepseek-v2"]
    assert deepseek.unshared.bytes(deepseek.layers) == 3.75 * MIB
    assert deepseek.unshared.numbers / deepseek.kept.numbers == pytest.approx(56.9, abs=0.05)
    assert deepseek.kept.numbers / Kept("gqa", 1, deepseek.d).numbers == 2.25
    assert models()["deepseek-v3"].bytes() / KIB == pytest.approx(68.6, abs=0.05)


def test_the_four_ways_of_one_shape():
    kept = {name: one.numbers for name, one in ways(heads=32, d=128, kv_heads=8).items()}
    assert kept == {"mha": 8192, "gqa": 2048, "mqa": 256, "mla": 576}
    assert ways(128, 128, 8)["mla"] == models()["deepseek-v2"].kept


@given(st.integers(1, 64), st.integers(1, 3000), st.sampled_from((1, 2, 4, 8)))
def test_C29_the_cache_is_what_decoding_reads_and_grows_by_the_same_with_every_token(layers, tokens, kv_heads):
    kept = Kept("gqa", kv_heads, 16)
    step = Problem(n=1, n_kv=tokens, d=16, heads=8, kv_heads=kv_heads)
    read = accounting.cost("decode", step, Tiling(1, 16, pack_gqa=True)).desk.by_tensor
    assert layers * (read["K"].read + read["V"].read) == kept.bytes(layers, tokens)
    assert kept.bytes(layers, tokens + 1) - kept.bytes(layers, tokens) == kept.bytes(layers)


def test_without_a_cache_every_word_works_out_all_before_it_anew():
    assert projected(prompt=3, output=1, cached=True) == projected(3, 1, cached=False) == 3
    assert projected(prompt=3, output=4, cached=True) == 3 + 3
    assert projected(prompt=3, output=4, cached=False) == 3 + 4 + 5 + 6
