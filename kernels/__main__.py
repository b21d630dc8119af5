"""python -m kernels bench | ladder | counters | sanitize | compile"""

import sys

from simulator.cli.guard import guarded

from .cli import answer_to

if __name__ == "__main__":
    sys.exit(guarded(answer_to, sys.argv[1:]))
