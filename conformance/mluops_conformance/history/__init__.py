"""Runs over time: an index of stored runs, what became of a case in them, and since when."""
