"""Measured times, their summary, and the efficiencies and grades that follow from them.

No distribution is assumed, and no device is known here.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from statistics import median
from typing import Callable, Iterator, NamedTuple, Sequence

HARDWARE, INTERFACE = "hardware", "interface"
"""The timed thing: the work on the device, by its notifiers; the C call on the host, which returns sooner."""

CONFIDENCE = 0.95
LEAST = 6
"""Fewer times give no interval of 95 %: all of n lie on one side of the median with probability 2 / 2^n."""

WINDOW = 8
STEADY = 0.02
MOST_WARM_UPS = 400

GRADES = (("good", 0.6), ("qualified", 0.3), ("unqualified", 0.02), ("poor", 0.0))
"""The least efficiency of each grade (mlu-ops v1.11.1, tools/perf_analyse/perf.json)."""

UNGRADED_SECONDS = 15e-6
"""Shorter cases get no grade there."""

REQUIRED_OF_NETWORKS, REQUIRED = 0.6, 0.3
"""The efficiency that the bottleneck must reach in sizes that networks have, and in others
(MLU-OPS-Performance-Acceptance-Standard.md)."""

OPTIONS = {"compute": "--peak-compute GOP/s", "bandwidth": "--peak-bandwidth GB/s"}


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


def assess(
    measured: Measured,
    work: Work,
    peaks: Peaks,
    *,
    network: bool,
    workspace: int,
    competitors: Sequence[Competitor] = (),
) -> Performance:
    """All figures of a measured case.

    Parameters
    ----------
    network : bool
        Whether it has a size that networks have, of which more is required.
    workspace : int
        Bytes.
    """
    hardware = summary(measured.hardware)
    untimed = list(_impossible_times(HARDWARE, measured.hardware))
    seconds = 0.0 if untimed else hardware.median
    compute = efficiency(work.operations, seconds, peaks.compute)
    io = efficiency(work.bytes, seconds, peaks.bandwidth)
    impossible = [*_impossible("compute", compute), *_impossible("IO", io)]
    return Performance(
        hardware=hardware,
        interface=summary(measured.interface),
        warm_up=measured.warm_up,
        steady=measured.steady,
        work=work,
        peaks=peaks,
        compute_efficiency=compute,
        io_efficiency=io,
        grade="" if impossible else grade(bottleneck(compute, io), seconds),
        required=REQUIRED_OF_NETWORKS if network else REQUIRED,
        workspace=workspace,
        competitors=tuple(competitors),
        errors=(*untimed, *_impossible_times(INTERFACE, measured.interface), *impossible),
        remarks=tuple(_remarks(measured, work, peaks)),
    )


def efficiency(amount: Quantity | None, seconds: float, peak: Quantity | None) -> float | None:
    """The part of a peak that was reached: amount / (seconds x peak), as gtest has it (executor.cpp:737-767).

    None where one of them is not known, or cannot be right.
    """
    if amount is None or peak is None or not seconds > 0:
        return None
    return amount.value / (seconds * peak.value)


def bottleneck(compute: float | None, io: float | None) -> float | None:
    """The efficiency by which a case is judged: the larger one; what is not known is none."""
    return max((value for value in (compute, io) if value is not None), default=None)


def grade(reached: float | None, seconds: float) -> str:
    """The grade of an efficiency; empty where there is none, or the time is too short for one."""
    if reached is None or seconds < UNGRADED_SECONDS:
        return ""
    return next(name for name, least in GRADES if reached >= least)


def _impossible_times(kind: str, times: Sequence[float]) -> Iterator[str]:
    wrong = sum(not time > 0 for time in times)
    if wrong:
        yield f"{kind} time: {wrong} of {len(times)} are zero, negative or no number"


def _impossible(kind: str, reached: float | None) -> Iterator[str]:
    if reached is not None and reached > 1:
        yield (
            f"{kind} efficiency above 100 %: more than a device can do; the peak is another one, or caches"
            " spared it part of the work"
        )


def _remarks(measured: Measured, work: Work, peaks: Peaks) -> Iterator[str]:
    if not measured.steady:
        yield "times still changed when the warm-up ended"
    for kind, amount, peak in (
        ("compute", work.operations, peaks.compute),
        ("bandwidth", work.bytes, peaks.bandwidth),
    ):
        if amount is not None and peak is None:
            yield f"the device does not tell its peak {kind}; {OPTIONS[kind]} gives it"
