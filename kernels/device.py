"""The GPU that is there: refused by name where there is none, described for a file of measurements."""

import json
import shlex
import sys
from datetime import date
from pathlib import Path

from .errors import NoDevice

MEASUREMENTS = Path(__file__).parent / "measurements"
WITHOUT = "the recorded measurements in kernels/measurements and `python -m simulator count` need none"


def torch_with_gpu(asked):
    """PyTorch, on a machine with a CUDA GPU and Triton; raises NoDevice."""
    try:
        import torch
        import triton  # noqa: F401
    except ImportError as missing:
        raise NoDevice(asked=asked, possible="a CUDA GPU with PyTorch and Triton", found=missing.msg,
                       remedy=WITHOUT) from None
    if not torch.cuda.is_available():
        raise NoDevice(asked=asked, possible="a CUDA GPU with PyTorch and Triton", found="PyTorch sees no GPU",
                       remedy=WITHOUT)
    return torch


def head(torch, **more):
    """What a file of measurements says of the machine, the day and the command."""
    import triton

    with open("/proc/driver/nvidia/version", encoding="utf-8") as file:
        driver = next(word for word in file.readline().split() if word.count(".") >= 1 and word[0].isdigit())
    versions = dict(torch=torch.__version__, triton=triton.__version__, cuda=torch.version.cuda,
                    cudnn=str(torch.backends.cudnn.version()), python=sys.version.split()[0])
    at = sys.argv.index("--out") if "--out" in sys.argv else len(sys.argv)
    command = shlex.join(["python", "-m", "kernels", *sys.argv[1:at], *sys.argv[at + 2:]])   # wherever it was put
    return dict(device=torch.cuda.get_device_name(), driver=driver, versions=versions, date=date.today().isoformat(),
                command=command, **more)


def newest(kind, gpu="*"):
    """(key of the GPU, record) of the newest file of measurements called <gpu>-<kind>.json; no rows where none is."""
    found = [(path.name.split("-")[0], json.loads(path.read_text(encoding="utf-8")))
             for path in MEASUREMENTS.glob(f"{gpu}-{kind}.json") if path.name.count("-") == 1]
    return max(found, key=lambda one: one[1]["date"], default=(gpu, {"rows": []}))


def key(torch):
    """The catalogue's key of this GPU, "h200", or its name in one word."""
    return key_of(torch.cuda.get_device_name())


def key_of(device):
    """The catalogue's key of a GPU by the name its driver gives, "NVIDIA H200", or that name in one word."""
    from simulator.hardware import gpus

    name = device.lower().replace("nvidia", "").split()
    return next((known for known in gpus() if known == "".join(name[:2]) or known == name[0]), "-".join(name))


def save(path, record):
    """Write a record with its rows one a line."""
    rows = ",\n".join("    " + json.dumps(row) for row in record["rows"])
    text = json.dumps({**record, "rows": []}, indent=1).removesuffix("[]\n}")
    Path(path).write_text(f"{text}[\n{rows}\n]\n}}\n", encoding="utf-8")
    return path
