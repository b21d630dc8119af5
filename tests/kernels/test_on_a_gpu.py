"""On a GPU the kernels give attention as float64 has it, no further off than PyTorch's own FlashAttention."""

from importlib import import_module
from random import Random

import pytest

from kernels.launch import Case, go

KERNELS = ("standard", "flash_attention_1", "flash_attention_2", "flash_attention_2_tma", "flash_attention_3")
HOPPER = ("flash_attention_2_tma", "flash_attention_3")
SHAPES = [                                                # B, H, H_kv, N_q, N_k, d
    (2, 4, 4, 512, 512, 64), (1, 3, 1, 300, 300, 128), (1, 32, 8, 64, 257, 128), (1, 28, 4, 130, 130, 64),
    (2, 2, 1, 1, 1000, 128), (1, 2, 2, 1000, 100, 80), (4, 32, 32, 1, 20, 128),
]


@pytest.fixture
def attend(gpu):
    """A kernel by name on the GPU, and attention in float64 of the same inputs."""
    def attend(name, shape, dtype="bfloat16", scale=1.0, ones=False, **options):
        if name in HOPPER and gpu.cuda.get_device_capability() != (9, 0):
            pytest.skip("needs compute capability 9.0")
        B, H, H_kv, N_q, N_k, d = shape
        gpu.manual_seed(0)
        q, k, v = (gpu.randn(size, device="cuda", dtype=getattr(gpu, dtype))
                   for size in ((B, H, N_q, d), (B, H_kv, N_k, d), (B, H_kv, N_k, d)))
        q, v = q * scale, gpu.ones_like(v) if ones else v
        kernel = getattr(import_module(f"kernels.{name}"), name)
        return kernel(q, k, v, **options), float64(gpu, q, k, v, **options), (q, k, v)
    return attend


def float64(torch, q, k, v, causal=False, window=(-1, -1)):
    group, shift = q.shape[1] // k.shape[1], k.shape[2] - q.shape[2]
    k, v = (x.double().repeat_interleave(group, 1) for x in (k, v))
    distance = torch.arange(k.shape[2], device="cuda") - torch.arange(q.shape[2], device="cuda")[:, None] - shift
    left, right = window[0], 0 if causal else window[1]
    hidden = ((distance < -left) & (left >= 0)) | ((distance > right) & (right >= 0))
    S = (q.double() @ k.transpose(2, 3) / q.shape[3] ** 0.5).masked_fill(hidden, float("-inf"))
    return S.softmax(-1).nan_to_num(0.0) @ v


def off(found, expected):
    return ((found.double() - expected).norm() / expected.norm()).item()


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("options", [{}, {"causal": True}, {"window": (100, 7)}], ids=str)
def test_values(attend, name, shape, options):
    found, expected, _ = attend(name, shape, **options)
    assert off(found, expected) < (8e-3 if name in ("standard", "flash_attention_1") else 4e-3)


@pytest.mark.parametrize("name", ("standard", "flash_attention_1", "flash_attention_2"))
def test_fp32_products_have_full_precision(attend, name):
    found, expected, _ = attend(name, (1, 2, 2, 200, 300, 128), "float32")
    assert off(found, expected) < 3e-6


@pytest.mark.parametrize("name", ("flash_attention_2", *HOPPER))
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("causal", [False, True])
def test_errors_are_no_larger_than_those_of_pytorchs_flash_attention(gpu, attend, name, dtype, causal):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    found, expected, (q, k, v) = attend(name, (2, 8, 8, 2048, 2048, 128), dtype, causal=causal)
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        theirs = gpu.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    assert off(found, expected) <= 1.1 * off(theirs, expected)


@pytest.mark.parametrize("name", KERNELS)
def test_huge_logits_and_rows_that_see_nothing_stay_finite(gpu, attend, name):
    found, _, _ = attend(name, (1, 2, 2, 300, 200, 128), "bfloat16", scale=2e4, causal=True)
    assert found.isfinite().all()
    assert (found[:, :, :100] == 0).all()


@pytest.mark.parametrize("name", ("flash_attention_1", "flash_attention_2", *HOPPER))
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_equal_values_come_out_exactly(attend, name, dtype):
    found, _, _ = attend(name, (1, 8, 8, 1024, 1024, 64), dtype, ones=True, causal=True)
    assert (found == 1).all()


@pytest.mark.parametrize("name", KERNELS)
def test_a_second_run_gives_the_same_bits(attend, name):
    first, _, _ = attend(name, (2, 4, 2, 700, 700, 64), causal=True)
    second, _, _ = attend(name, (2, 4, 2, 700, 700, 64), causal=True)
    assert (first == second).all()


def generated(seed):
    """A problem drawn at random: any lengths, widths, groups and masks."""
    draw = Random(seed)
    n = draw.choice([1, 63, 64, 65, 192, *draw.sample(range(1, 2000), 5)])
    group, mask = draw.choice([1, 1, 2, 4]), draw.choice(["none", "causal", "causal", "window"])
    shape = (draw.choice([1, 2]), group * draw.choice([1, 3]), n, draw.choice([n, 1, 64, draw.randint(1, 2000)]))
    window = (draw.randint(0, 400), draw.choice([0, 3, 100, -1])) if mask == "window" else (-1, -1)
    return dict(shape=shape, group=group, d=draw.choice([16, 40, 64, 64, 80, 96, 128, 128]),
                dtype=draw.choice(["bfloat16", "float16"]), causal=mask == "causal", window=window)


@pytest.mark.parametrize("seed", range(210))
def test_the_third_version_is_right_on_generated_problems_and_writes_every_row(gpu, seed):
    if gpu.cuda.get_device_capability() != (9, 0):
        pytest.skip("needs compute capability 9.0")
    asked = generated(seed)
    (B, H, N_q, N_k), options = asked["shape"], {name: asked[name] for name in ("causal", "window")}
    gpu.manual_seed(seed)
    q, k, v = (gpu.randn(size, device="cuda", dtype=getattr(gpu, asked["dtype"])) for size in (
        (B, H, N_q, asked["d"]), *2 * [(B, H // asked["group"], N_k, asked["d"])]))
    first, second = (poisoned(q, k, v, **options) for _ in range(2))
    expected = float64(gpu, q, k, v, **options)
    worst = 4e-3 if asked["dtype"] == "bfloat16" else 6e-4
    assert first["O"].isfinite().all() and (first["O"] == second["O"]).all()
    assert (first["O"].double() - expected).norm() <= worst * expected.norm()
    assert not first["L"].isnan().any() and (first["L"] == second["L"]).all()


def poisoned(q, k, v, **options):
    """What flash_attention_3 makes of tensors that were full of NaN."""
    module, case = import_module("kernels.flash_attention_3"), Case.of(q, k, v, lse=True, **options)
    made = module.results(case, q)
    for tensor in made.values():
        tensor.fill_(float("nan"))
    go(module.launches(case, q, k, v, module.default_blocks(case), **made))
    return made


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("d", [64, 128])
def test_the_third_version_errs_no_more_than_cudnn(gpu, attend, d, causal, dtype):
    from torch.nn.attention import SDPBackend, sdpa_kernel

    found, expected, (q, k, v) = attend("flash_attention_3", (2, 8, 8, 2048, 2048, d), dtype, causal=causal)
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        theirs = gpu.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    assert off(found, expected) <= 1.05 * off(theirs, expected)
