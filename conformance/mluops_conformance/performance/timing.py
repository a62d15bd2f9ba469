"""Call again and again, first until times are steady, then for the record. Knows nothing of devices."""

from __future__ import annotations

import time
from statistics import median
from typing import Callable, NamedTuple, Sequence

from mluops_conformance.performance.summary import LEAST
from mluops_conformance.performance.values import Measured

WINDOW = 8
STEADY = 0.02
MOST_WARM_UPS = 400


class Times(NamedTuple):
    """Seconds of one call."""

    hardware: float
    interface: float


def measure(
    call: Callable[[], Times],
    repeats: int,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Measured:
    """Warm up, and repeat.

    The warm-up ends when hardware times are steady, at the latest after `MOST_WARM_UPS` calls or half of the
    seconds. What is called then is kept, all of it: slow calls are part of how fast a kernel is.

    Parameters
    ----------
    call : callable
        Makes one call, waits for its end, and tells its times. What it raises ends the measurement.
    repeats : int
        How many calls are kept.
    seconds : float
        After so long no more are made, but `LEAST` are kept in any case (as many as an interval takes).
    """
    begun = clock()
    warming: list[float] = []
    while not is_steady(warming) and len(warming) < MOST_WARM_UPS and clock() - begun < seconds / 2:
        warming.append(call().hardware)
    kept: list[Times] = []
    while len(kept) < repeats and (len(kept) < LEAST or clock() - begun < seconds):
        kept.append(call())
    hardware, interface = zip(*kept)
    return Measured(hardware, interface, len(warming), is_steady(warming))


def is_steady(times: Sequence[float]) -> bool:
    """Whether the median of the last `WINDOW` times is within `STEADY` of that of as many before."""
    if len(times) < 2 * WINDOW:
        return False
    before, last = median(times[-2 * WINDOW : -WINDOW]), median(times[-WINDOW:])
    return abs(last - before) <= STEADY * before
