"""python -m simulator …"""

import sys

from .cli.commands import answer_to
from .cli.guard import guarded

if __name__ == "__main__":
    sys.exit(guarded(answer_to, sys.argv[1:]))
