"""Desk and Cabinet: `streamlit run app.py`."""

import os

# A tile is small and readers are many: with more threads of arithmetic than one a run costs three times as much.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from lessons import server, shell

shell.run()
server.settle()
