"""Is this output right? Measures, thresholds and verdicts, as pure functions over arrays."""
