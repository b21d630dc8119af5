"""What compute-sanitizer says, read: hazards in what a kernel holds, apart from those in Triton's bytes for roles."""

from kernels.launch import Blocks, Launch
from kernels.sanitize import hazards, role_bytes, trials

REPORT = """\
========= COMPUTE-SANITIZER
========= Error: Potential RAW hazard detected at __shared__ 0x24610 in block (0,0,0) :
=========     Write Thread (31,0,0) at flash_attention_3_kernel+0x13e10
========= Error: Potential WAR hazard detected at __shared__ 0x24617 in block (3,0,0) :
launched flash_attention_3 with 147992 bytes of shared memory, 8 of them roles
launched flash_attention_2 with 40960 bytes of shared memory, 0 of them roles
"""


def test_the_last_bytes_of_shared_memory_hold_the_warps_roles():
    """1,024 reserved bytes and 147,992 of the thread block end at 0x24618, eight warps' roles before it at 0x24610."""
    assert hazards(REPORT.splitlines()) == (2, 0, 2)


def test_a_hazard_in_a_buffer_is_the_kernels_own():
    assert hazards(REPORT.replace("0x24610", "0x2460f").splitlines()) == (2, 1, 1)


def test_a_kernel_without_roles_has_no_such_bytes():
    assert hazards(REPORT.replace("8 of them", "0 of them").splitlines()) == (2, 2, 0)


def test_a_hazard_without_its_launch_counts():
    assert hazards(REPORT.splitlines()[:4]) == (0, 2, 0)


def test_every_kernel_is_checked_plain_and_under_a_mask():
    checked = {(trial.kernel, trial.problem.causal) for trial in trials()}
    assert len(checked) == 10


def test_all_but_the_first_four_warps_are_handed_a_role():
    """Two readers and two fetchers are 10 warps, rounded up 12; three readers 14, rounded up 16."""
    def of(br, kernel="flash_attention_3"):
        return role_bytes(kernel, Launch("", None, 1, {}, {}, **Blocks(br, 128).of_launch))

    assert (of(128), of(192), of(64), of(128, "flash_attention_2")) == (8, 12, 4, 0)
