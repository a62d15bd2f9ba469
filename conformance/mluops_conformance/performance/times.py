"""Measured times: the loop that takes them, their summary, and the values that a record stores.

No distribution is assumed, and no device is known here.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from statistics import median
from typing import Callable, NamedTuple, Sequence

HARDWARE, INTERFACE = "hardware", "interface"
"""What is timed: the work on the device, by its notifiers; the C call on the host, which returns sooner."""

CONFIDENCE = 0.95
LEAST = 6
"""Fewer times give no interval of 95 %: all of n lie on one side of the median with probability 2 / 2^n."""

WINDOW = 8
STEADY = 0.02
MOST_WARM_UPS = 400


@dataclass(frozen=True)
class Quantity:
    """A number, and where it comes from."""

    value: float
    origin: str


@dataclass(frozen=True)
class Measured:
    """Times of equal calls.

    Parameters
    ----------
    hardware, interface : tuple of float
        Seconds of each call, in order, those of the warm-up left out.
    warm_up : int
        Calls before them.
    steady : bool
        Whether the warm-up ended because times no longer changed.
    """

    hardware: tuple[float, ...]
    interface: tuple[float, ...]
    warm_up: int
    steady: bool


@dataclass(frozen=True)
class Work:
    """The least work of a call.

    Parameters
    ----------
    operations : Quantity, optional
        Arithmetic operations; none of an operator that only moves data.
    bytes : Quantity
        What is read and written.
    """

    operations: Quantity | None
    bytes: Quantity


@dataclass(frozen=True)
class Peaks:
    """The peaks of a device, where they are known: operations and bytes a second."""

    compute: Quantity | None = None
    bandwidth: Quantity | None = None


@dataclass(frozen=True)
class Summary:
    """A summary of the repeated times of a case.

    Parameters
    ----------
    count : int
    median : float
        Seconds.
    low, high : float, optional
        The interval that has the true median by 95 %; none of fewer than six times.
    variation : float
        Standard deviation over mean, as mlu-ops' gtest has it.
    """

    count: int
    median: float
    low: float | None
    high: float | None
    variation: float


@dataclass(frozen=True)
class Competitor:
    """The time of another device on the same case, as a document states it.

    Parameters
    ----------
    seconds : float
        Its hardware time.
    compute_efficiency, io_efficiency : float, optional
        Parts of its peaks.
    source : str
        The document and section.
    """

    device: str
    seconds: float
    source: str
    compute_efficiency: float | None = None
    io_efficiency: float | None = None


@dataclass(frozen=True)
class Performance:
    """The speed of a case.

    Parameters
    ----------
    work, peaks
        What efficiencies are made of.
    compute_efficiency, io_efficiency : float, optional
        Parts of the peaks that were reached; none where work, peak or time is not known.
    grade : str
        A name in `efficiency.GRADES`, after the larger of the two; empty where none is given.
    required : float
        What the larger of the two must reach by mlu-ops' acceptance standard.
    workspace : int
        Bytes.
    errors : tuple of str
        Why the measurement cannot be right.
    remarks : tuple of str
        What is missing, and how to get it.
    """

    hardware: Summary
    interface: Summary
    warm_up: int
    steady: bool
    work: Work
    peaks: Peaks
    compute_efficiency: float | None
    io_efficiency: float | None
    grade: str
    required: float
    workspace: int
    competitors: tuple[Competitor, ...] = ()
    errors: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def summary(times: Sequence[float]) -> Summary:
    """Summarize one or more times, in their unit."""
    low, high = median_interval(times) or (None, None)
    return Summary(len(times), median(times), low, high, variation(times))


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The interval between two of the values that has the median of their distribution, by `confidence`.

    The k-th smallest and the k-th largest value, with the largest k such that n fair coins show fewer than k
    heads with a probability of at most (1 - confidence) / 2 (H. A. David and H. N. Nagaraja, Order
    Statistics, 2003, section 7.1). It holds for independent values of any continuous distribution.

    Returns
    -------
    tuple of float, optional
        None where there are too few values.
    """
    ordered, n = sorted(values), len(values)
    k, heads = 0, 1  # heads: the ways in which n coins show k heads
    fewer = heads
    while fewer / 2**n <= (1 - confidence) / 2:
        heads = heads * (n - k) // (k + 1)
        k += 1
        fewer += heads
    return (ordered[k - 1], ordered[-k]) if k else None


def variation(times: Sequence[float]) -> float:
    """Standard deviation of the population over the mean, as in gtest (executor.cpp:482-525); 0 of zeros."""
    mean = sum(times) / len(times)
    return math.sqrt(sum((time - mean) ** 2 for time in times) / len(times)) / mean if mean else 0.0


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
    """Return whether the median of the last `WINDOW` times is within `STEADY` of that of as many before."""
    if len(times) < 2 * WINDOW:
        return False
    before, last = median(times[-2 * WINDOW : -WINDOW]), median(times[-WINDOW:])
    return abs(last - before) <= STEADY * before
