"""The command line of the kernels: time them, read the GPU's counters, compile them without a GPU."""

from simulator.cli.options import Parser


def answer_to(arguments):
    """The lines that answer a command line; raises SimulatorError."""
    flags = parser().parse_args(arguments)
    return flags.command(flags)


def parser():
    """The parser of every command and its flags."""
    top = Parser(prog="python -m kernels", description="Triton kernels of attention, timed, measured and compiled.")
    commands = top.add_subparsers(metavar="command", required=True)
    timing = _add(commands, bench)
    timing.add_argument("--out", metavar="FILE", help="(default: kernels/measurements/<gpu>-bench.json)")
    reading = _add(commands, counters)
    reading.add_argument("--out", metavar="FILE", help="(default: kernels/measurements/<gpu>-counters.json)")
    reading.add_argument("--measure-only", action="store_true", help="leave the simulator's count for --recount")
    reading.add_argument("--recount", metavar="FILE", help="only write the simulator's count anew into FILE; no GPU")
    reading.add_argument("--launch", action="store_true", help="only launch the kernels, as under the profiler")
    return top


def bench(flags):
    """Time every kernel beside PyTorch's backends; needs a GPU."""
    from .bench import bench

    return bench(flags.out)


def counters(flags):
    """Read L2 and DRAM byte counters of every kernel with Nsight Compute; needs a GPU."""
    from .counters import counters, launch_all, recounted, trials

    if flags.recount:
        return recounted(flags.recount)
    return launch_all(trials()) if flags.launch else counters(flags.out, not flags.measure_only)


def _add(commands, command):
    parser = commands.add_parser(command.__name__, help=command.__doc__)
    parser.set_defaults(command=command)
    return parser
