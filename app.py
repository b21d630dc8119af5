"""Desk and Cabinet: `streamlit run app.py`."""

from lessons import shell

shell.run()
