"""Compare the times of two runs, by a rank test and robust figures that assume no distribution."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median
from typing import Callable, Iterable, Iterator, Mapping, Sequence, Tuple

from mluops_conformance.comparison.changes import Limits
from mluops_conformance.performance.times import HARDWARE
from mluops_conformance.results.record import Record

Samples = Mapping[Tuple[str, str], Sequence[float]]
"""Seconds by (case id, what was timed)."""

CALL = "call"
"""The time of a case without repeated times: the wall time of its calls, measured once."""

ENOUGH = 8
"""Times of a kind from which it can be told what they have in common."""

VENDOR_BOUND, VENDOR_ABSOLUTE, VENDOR_RELATIVE = 100e-6, 5e-6, 0.04
"""perf_test.cpp of mlu-ops' gtest, v1.11.1: up to 100 us by 5 us, above that by 4 %."""

EXACT_UP_TO = 20
"""Values of the smaller sample for which p is counted out; above, the normal distribution is close."""

NORMAL_SIGMA = 1.4826
"""The standard deviation of normal values is so many times their median absolute deviation."""


@dataclass(frozen=True)
class Timing:
    """Times that changed.

    Parameters
    ----------
    name : str
        What was timed.
    before, after : float
        Medians, in seconds.
    samples : (int, int)
        How many times they are medians of.
    noise : float
        The larger relative spread of the two.
    p : float
        Of the rank test.
    common : float
        By which factor all times of this kind changed, where the host took them: how much busier it was.
    """

    id: str
    name: str
    before: float
    after: float
    samples: tuple[int, int]
    noise: float
    p: float
    common: float = 1.0

    @property
    def factor(self) -> float:
        """The new median divided by the old one."""
        return self.after / self.before

    @property
    def own_factor(self) -> float:
        """The factor without what all times have in common."""
        return self.factor / self.common

    @property
    def is_worse(self) -> bool:
        return self.own_factor > 1


Rule = Callable[[Timing, Limits], bool]


def samples_of(runs: Iterable[Iterable[Record]]) -> Samples:
    """The times of every case that came to a good end, over all runs of one build."""
    found: dict[tuple[str, str], list[float]] = {}
    for records in runs:
        for record in records:
            for name, times in _times(record):
                found.setdefault((record.id, name), []).extend(times)
    return found


def timings(base: Samples, new: Samples, limits: Limits) -> list[Timing]:
    """All times that can be compared, those that grew most first."""
    compared = list(_timings(base, new, limits))
    common = common_factors(compared)
    compared = [replace(timing, common=common.get(timing.name, 1.0)) for timing in compared]
    return sorted(compared, key=lambda timing: -timing.own_factor)


def changed(timing: Timing, limits: Limits) -> bool:
    """Return whether a time differs by the chosen rule."""
    return RULES[limits.time_rule](timing, limits)


def common_factors(compared: Iterable[Timing]) -> dict[str, float]:
    """The median factor of the times of each kind that the host took, where there are enough of them."""
    factors: dict[str, list[float]] = {}
    for timing in compared:
        if timing.name != HARDWARE:  # what the device timed itself, the host's load does not change
            factors.setdefault(timing.name, []).append(timing.factor)
    return {name: median(values) for name, values in factors.items() if len(values) >= ENOUGH}


def _times(record: Record) -> Iterator[tuple[str, Sequence[float]]]:
    if not record.is_good:
        return
    if record.samples:
        yield from record.samples.items()
    elif CALL in record.seconds:
        yield CALL, (record.seconds[CALL],)


def _timings(base: Samples, new: Samples, limits: Limits) -> Iterator[Timing]:
    for key, after in new.items():
        before = base.get(key, ())
        if before and after and _are_enough(before, after, limits) and _are_times(before, after):
            yield Timing(
                *key,
                before=median(before),
                after=median(after),
                samples=(len(before), len(after)),
                noise=max(spread(before), spread(after)),
                p=mann_whitney(before, after),
            )


def _are_times(before: Sequence[float], after: Sequence[float]) -> bool:
    """Return whether all times are numbers above 0."""
    return all(time > 0 for time in (*before, *after))


def _are_enough(before: Sequence[float], after: Sequence[float], limits: Limits) -> bool:
    """Return whether samples of these sizes can differ by the rule."""
    if limits.time_rule == "ranks":
        return least_p(len(before), len(after)) <= limits.significance
    return limits.time_rule == "vendor"


def _by_ranks(timing: Timing, limits: Limits) -> bool:
    effect = abs(timing.own_factor - 1)
    return timing.p <= limits.significance and effect > max(limits.slower, limits.noise * timing.noise)


def is_off_baseline(before: float, after: float) -> bool:
    """Return whether two times, in seconds, differ by the rule of the vendor."""
    difference = abs(after - before)
    return difference > (VENDOR_ABSOLUTE if before <= VENDOR_BOUND else VENDOR_RELATIVE * before)


def _by_vendor(timing: Timing, limits: Limits) -> bool:
    return timing.name == HARDWARE and is_off_baseline(timing.before, timing.after)


RULES: Mapping[str, Rule] = {"ranks": _by_ranks, "vendor": _by_vendor, "none": lambda timing, limits: False}


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p-value of the Mann-Whitney U test: how likely ranks so uneven are if nothing differs.

    Exact where no two values are equal and one sample is small; otherwise by the normal approximation, with
    the corrections for ties and continuity (H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics
    18, 1947, page 50; ties after Lehmann, Nonparametrics, 1975, section 1.4).

    Parameters
    ----------
    first, second : sequence of float
        Neither empty.
    """
    ordered = sorted(second)
    above = sum((bisect_left(ordered, value) + bisect_right(ordered, value)) / 2 for value in first)
    larger = max(above, len(first) * len(second) - above)
    ties = [count for count in Counter([*first, *second]).values() if count > 1]
    if ties or min(len(first), len(second)) > EXACT_UP_TO:
        return _normal_tail(larger, len(first), len(second), ties)
    return _exact_tail(round(larger), len(first), len(second))


def least_p(first: int, second: int) -> float:
    """The smallest p that samples of these sizes can give: when every value of one is above the other's."""
    return min(1.0, 2 / math.comb(first + second, first))


def spread(values: Sequence[float]) -> float:
    """A robust standard deviation relative to the median: 1.4826 x median |x - median| / median."""
    middle = median(values)
    if not middle:
        return 0.0
    return NORMAL_SIGMA * median(abs(value - middle) for value in values) / middle


def _exact_tail(larger: int, first: int, second: int) -> float:
    counts = _arrangements(min(first, second), max(first, second))
    return min(1.0, 2 * sum(counts[larger:]) / sum(counts))


@lru_cache(maxsize=64)
def _arrangements(first: int, second: int) -> tuple[int, ...]:
    """Count the orders of `first` and `second` values that give U = 0, 1, …: a Gaussian binomial coefficient.

    prod (1 - q^(second + i)) / (1 - q^i) for i = 1 … first, multiplied out.
    """
    counts = [1] + [0] * (first * second)
    for i in range(1, first + 1):
        for u in range(len(counts) - 1, second + i - 1, -1):
            counts[u] -= counts[u - second - i]
        for u in range(i, len(counts)):
            counts[u] += counts[u - i]
    return tuple(counts)


def _normal_tail(larger: float, first: int, second: int, ties: Sequence[int]) -> float:
    whole = first + second
    tied = sum(count**3 - count for count in ties) / (whole * (whole - 1))
    variance = first * second / 12 * (whole + 1 - tied)
    if variance <= 0:
        return 1.0  # all values are equal
    z = (larger - first * second / 2 - 0.5) / math.sqrt(variance)
    return min(1.0, math.erfc(z / math.sqrt(2)))
