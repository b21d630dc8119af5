"""The command line: flags in; JSON, CSV or a table for a person out."""
