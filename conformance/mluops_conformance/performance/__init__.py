"""Evaluate measured times: pure functions of samples, of the work of a call, and of the peaks of a device.

`comparison`, `execution`, `history`, `language`, `reports` and `results` may import it.
"""
