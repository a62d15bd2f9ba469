"""Benchmarks of the project's own code: what a run costs besides the device."""
