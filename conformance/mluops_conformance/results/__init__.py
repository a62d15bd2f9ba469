"""Stored runs: what happened to each case, written as it happens, read back whatever became of the run."""
