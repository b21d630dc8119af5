"""The command line of the kernels: time them, read the GPU's counters, compile them without a GPU."""

from simulator.cli.options import Parser, number
from simulator.errors import UnknownName

from .catalogue import SIMULATED


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
    reading = _add(commands, "counters", counters)
    reading.add_argument("--out", metavar="FILE", help="(default: kernels/measurements/<gpu>-counters.json)")
    reading.add_argument("--measure-only", action="store_true", help="leave the simulator's count for --recount")
    reading.add_argument("--recount", metavar="FILE", help="only write the simulator's count anew into FILE; no GPU")
    reading.add_argument("--launch", action="store_true", help="only launch the kernels, as under the profiler")
    making = _add(commands, "compile", compile).add_argument
    making("--show", metavar="TEXT", choices=("ptx", "ttgir"), help="print a kernel's ptx or ttgir instead")
    making("--kernel", metavar="K", default="flash_attention_2", help=f"of {', '.join(SIMULATED)}")
    making("--d", metavar="D", default="128", help="width of a head (default: 128)")
    making("--arch", metavar="A", default="90", help="90 for compute capability 9.0 (default: 90)")
    return top


def bench(flags):
    """Time every kernel beside PyTorch's backends; needs a GPU."""
    from .bench import bench

    return bench(flags.out)


def counters(flags):
    """Read L2 and DRAM byte counters of every kernel with Nsight Compute; needs a GPU."""
    from .counters import counters, launch_all, recounted

    if flags.recount:
        return recounted(flags.recount)
    return launch_all() if flags.launch else counters(flags.out, not flags.measure_only)


def compile(flags):
    """Compile every kernel for four GPU generations and write what came of it; needs no GPU."""
    from .compiled import compiled, refuse_without_compiler

    refuse_without_compiler()
    from .generations import compile_all, sketched

    if not flags.show:
        return compile_all()
    if flags.kernel not in SIMULATED:
        raise UnknownName(kind="kernel", asked=flags.kernel, possible=", ".join(SIMULATED))
    return [getattr(compiled(launch, number(flags.arch)), flags.show)
            for launch in sketched(flags.kernel, number(flags.d))]


def _add(commands, name, command):
    parser = commands.add_parser(name, help=command.__doc__)
    parser.set_defaults(command=command)
    return parser
