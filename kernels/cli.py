"""The command line of the kernels: time them, climb the ladder, read the GPU's counters, compile without a GPU."""

from pathlib import Path
from tempfile import TemporaryFile

from simulator.cli.options import Parser, number
from simulator.errors import BadProblem, UnknownName
from simulator.hardware import gpu

from .catalogue import SIMULATED, architectures


def answer_to(arguments):
    """The lines that answer a command line; raises SimulatorError."""
    flags = parser().parse_args(arguments)
    return flags.command(flags)


def parser():
    """The parser of every command and its flags."""
    top = Parser(prog="python -m kernels", description="Triton kernels of attention, timed, measured and compiled.")
    commands = top.add_subparsers(metavar="command", required=True)
    timing = _add(commands, "bench", bench)
    timing.add_argument("--out", metavar="FILE", help="(default: kernels/measurements/<gpu>-bench.json)")
    timing.add_argument("--recount", metavar="FILE", help="only write the L2 model's bytes anew into FILE; no GPU")
    climbing = _add(commands, "ladder", ladder)
    climbing.add_argument("--d", metavar="D", default="128", help="width of a head (default: 128)")
    climbing.add_argument("--n", metavar="N", default="4096", help="(default: 4096)")
    climbing.add_argument("--causal", action="store_true", help="no query sees a later key")
    reading = _add(commands, "counters", counters)
    reading.add_argument("--out", metavar="FILE", help="(default: kernels/measurements/<gpu>-counters.json)")
    one_of = reading.add_mutually_exclusive_group().add_argument
    one_of("--measure-only", action="store_true", help="leave the simulator's count for --recount")
    one_of("--recount", metavar="FILE", help="only write the simulator's count anew into FILE; no GPU")
    one_of("--launch", action="store_true", help="only launch the kernels, as under the profiler")
    checking = _add(commands, "sanitize", sanitize)
    checking.add_argument("--launch", action="store_true", help="only launch the kernels, as under compute-sanitizer")
    making = _add(commands, "compile", compile).add_argument
    making("--show", metavar="TEXT", choices=("ptx", "ttgir"), help="print a kernel's ptx or ttgir instead")
    making("--kernel", metavar="K", default="flash_attention_2", help=f"of {', '.join(SIMULATED)}")
    making("--d", metavar="D", default="128", help="width of a head (default: 128)")
    making("--arch", metavar="A", default="90", help="90 for compute capability 9.0, or 80, 100, 120 (default: 90)")
    return top


def bench(flags):
    """Time every kernel beside PyTorch's backends, print the ladder and what each idea bought; needs a GPU."""
    from .bench import bench, recounted

    if flags.recount is not None:
        _refuse_out(flags)
        return recounted(flags.recount)
    _refuse_unwritable(flags.out)
    return bench(flags.out)


def ladder(flags):
    """Print the recorded times and bytes of the kernels one above the other; needs no GPU."""
    from . import ideas
    from .device import newest
    from .ladder import shelved, told

    size = dict(d=number(flags.d), n=number(flags.n), causal=flags.causal)
    key, record = newest("bench")
    rows = shelved(record["rows"], gpu(key), **size)
    _, counted = newest("counters", key)
    return [*told(record | {"rows": rows}, counted["rows"], **size), *ideas.told(record)]


def counters(flags):
    """Read L2 and DRAM byte counters of every kernel with Nsight Compute; needs a GPU."""
    from .counters import counters, launch_all, recounted

    if flags.recount or flags.launch:
        _refuse_out(flags)
    if flags.recount is not None:
        return recounted(flags.recount)
    _refuse_unwritable(flags.out)
    return launch_all() if flags.launch else counters(flags.out, not flags.measure_only)


def sanitize(flags):
    """Check every kernel for accesses out of bounds and races with compute-sanitizer; needs a GPU."""
    from .sanitize import launch_all, sanitize

    return launch_all() if flags.launch else sanitize()


def compile(flags):
    """Compile every kernel for four GPU generations and write what came of it; needs no GPU."""
    from .compiled import compiled, refuse_without_compiler

    _refuse_choices(flags)
    refuse_without_compiler()
    from .generations import compile_all, sketched

    if not flags.show:
        return compile_all()
    return [getattr(compiled(launch, number(flags.arch)), flags.show)
            for launch in sketched(flags.kernel, number(flags.d))]


def _refuse_choices(flags):
    """Raise where a kernel or a GPU is not there, or one is chosen though all are compiled."""
    chosen = sorted(getattr(flags, "given", set()))
    if chosen and not flags.show:
        raise BadProblem(name=chosen[0], asked=repr(getattr(flags, chosen[0])), remedy="add --show ptx or --show ttgir",
                         possible="without --show every kernel is compiled for every GPU")
    if flags.kernel not in SIMULATED:
        raise UnknownName(kind="kernel", asked=flags.kernel, possible=", ".join(SIMULATED))
    known = architectures(flags.kernel)
    if number(flags.arch) not in known:
        raise BadProblem(name="arch", asked=repr(flags.arch), remedy="choose one of these",
                         possible=f"{flags.kernel} compiles for {', '.join(map(str, known))}")


def _refuse_out(flags):
    """Raise where a file is named though none is written, or another one is."""
    if flags.out is not None:
        raise BadProblem(name="out", asked=repr(flags.out), remedy="leave --out out",
                         possible="--recount writes into FILE, and without a measurement there is no other")


def _refuse_unwritable(out):
    """Raise before a long measurement where its file could not be written."""
    if out is None or (out and not Path(out).is_dir() and _writable(Path(out).parent)):
        return
    raise BadProblem(name="out", asked=repr(out), possible="a file in a folder that is there and may be written",
                     remedy="name such a file")


def _writable(folder):
    try:
        with TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _add(commands, name, command):
    parser = commands.add_parser(name, help=command.__doc__)
    parser.set_defaults(command=command)
    return parser
