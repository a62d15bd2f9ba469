"""Repeated times of a case in two runs: is it slower, and by how much."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import Callable, Iterable, Iterator, Mapping, Sequence, Tuple

from mluops_conformance.comparison.changes import Limits
from mluops_conformance.comparison.statistics import least_p, mann_whitney, spread
from mluops_conformance.performance.times import HARDWARE
from mluops_conformance.results.record import Record

Samples = Mapping[Tuple[str, str], Sequence[float]]
"""Seconds by (case id, what was timed)."""

CALL = "call"
"""What a case without repeated times offers: the wall time of its calls, once."""

ENOUGH = 8
"""Times of a kind from which it can be told what they have in common."""

VENDOR_BOUND, VENDOR_ABSOLUTE, VENDOR_RELATIVE = 100e-6, 5e-6, 0.04
"""perf_test.cpp of mlu-ops' gtest, v1.11.1: up to 100 us by 5 us, above that by 4 %."""


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
        """How many times what it was the median is."""
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
    """Whether a time is another, by the chosen rule."""
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
    """Whether no clock stood still, went backwards or told no number."""
    return all(time > 0 for time in (*before, *after))


def _are_enough(before: Sequence[float], after: Sequence[float], limits: Limits) -> bool:
    """Whether samples of these sizes can tell anything by the rule."""
    if limits.time_rule == "ranks":
        return least_p(len(before), len(after)) <= limits.significance
    return limits.time_rule == "vendor"


def _by_ranks(timing: Timing, limits: Limits) -> bool:
    effect = abs(timing.own_factor - 1)
    return timing.p <= limits.significance and effect > max(limits.slower, limits.noise * timing.noise)


def is_off_baseline(before: float, after: float) -> bool:
    """Whether the vendor's rule takes two times, in seconds, for different ones."""
    difference = abs(after - before)
    return difference > (VENDOR_ABSOLUTE if before <= VENDOR_BOUND else VENDOR_RELATIVE * before)


def _by_vendor(timing: Timing, limits: Limits) -> bool:
    return timing.name == HARDWARE and is_off_baseline(timing.before, timing.after)


RULES: Mapping[str, Rule] = {"ranks": _by_ranks, "vendor": _by_vendor, "none": lambda timing, limits: False}
