"""Where the time of a case went, and how much of it a case may take."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import Iterator

SLOWEST_BYTES = 50e6
"""Bytes a second that filling, copying, computing and comparing get through together, at least."""
MOST_WAITING = 8.0
"""How many times as long a case may take on a busy machine, at most."""


def patience(limit: float, nbytes: int) -> float:
    """The seconds after which a case is ended: more where it moves much, or where others use the machine.

    Parameters
    ----------
    limit : float
        Seconds for a small case on an idle machine.
    nbytes : int
        What the case needs of the host's memory.
    """
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    return (limit + nbytes / SLOWEST_BYTES) * min(max(busy, 1.0), MOST_WAITING)


class Clock:
    """Sums wall seconds by the name of what was done."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def measuring(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
