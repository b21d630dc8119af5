"""The catalogue of GPUs: data with units and sources, whose ratios are the published ones."""

from dataclasses import FrozenInstanceError

import pytest

from simulator import gpu, gpus
from simulator.errors import UnknownName

MIB = 2**20


@pytest.mark.parametrize("key", list(gpus()))
def test_every_gpu_has_a_source_and_plausible_figures(key):
    spec = gpu(key)
    assert spec.key == key
    assert len(spec.source) > 10
    assert spec.shared_per_block_bytes <= spec.shared_per_sm_bytes
    assert spec.registers_per_sm_bytes == 64 * 1024 * 4   # 65,536 registers of 32 bits
    assert spec.memory_bytes_per_s < spec.shared_bytes_per_s
    assert spec.fp32_flops_per_s < spec.tensor_flops_per_s
    assert spec.l2_bytes < spec.memory_bytes


def test_figures_that_are_not_confirmed_are_named_and_explained():
    for spec in gpus().values():
        if spec.uncertain:
            assert spec.note


def test_an_h200_is_as_the_device_reports():
    spec = gpu("h200")
    assert (spec.l2_bytes, spec.shared_per_block_bytes, spec.sms) == (62_914_560, 232_448, 132)
    assert spec.clock_hz == 1.98e9 and spec.memory_bytes_per_s == 4.8e12 and spec.memory_bytes == 141e9


@pytest.mark.parametrize(("key", "terabytes_per_s"), [("a100-40", 19.5), ("h100", 30.9), ("v100", 15.7)])
def test_shared_memory_of_a_chip_moves_128_bytes_a_clock_and_sm(key, terabytes_per_s):
    assert gpu(key).shared_bytes_per_s / 1e12 == pytest.approx(terabytes_per_s, abs=0.05)     # quoted to three digits


@pytest.mark.parametrize(("key", "ratio"), [("a100-40", 12.5), ("a100-80", 9.6), ("h100", 9.2), ("b200", 4.4),
                                            ("rtx4090", 41)])
def test_the_desk_is_faster_than_the_cabinet_by_the_published_ratio(key, ratio):
    spec = gpu(key)
    assert spec.shared_bytes_per_s / spec.memory_bytes_per_s == pytest.approx(ratio, rel=0.01)


def test_the_a100_has_20_MB_of_desks():
    spec = gpu("a100")
    assert spec.sms * 192 * 1024 / MIB == 20.25           # the first paper's figure counts L1 with shared memory
    assert spec.sms * spec.shared_per_sm_bytes / MIB == pytest.approx(17.3, abs=0.05)


def test_a_short_name_may_stand_for_one():
    assert gpu("a100") is gpu("a100-40")


@pytest.mark.parametrize("name", ["h300", "", "H200", None])
def test_an_unknown_gpu_is_refused_with_the_ones_there_are(name):
    with pytest.raises(UnknownName) as refused:
        gpu(name)
    assert str(refused.value) == f"there is no GPU {name!r}; choose one of {', '.join(gpus())}"


def test_a_spec_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        gpu("h200").sms = 1
