"""Repeated times of a case in two runs: is it slower, and by how much."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Callable, Iterable, Iterator, Mapping, Sequence, Tuple

from mluops_conformance.comparison.limits import Limits
from mluops_conformance.comparison.statistics import least_p, mann_whitney, spread
from mluops_conformance.results.record import Record

Samples = Mapping[Tuple[str, str], Sequence[float]]
"""Seconds by (case id, what was timed)."""

CALL = "call"
"""What a case without repeated times offers: the wall time of its calls, once."""

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
    """

    id: str
    name: str
    before: float
    after: float
    samples: tuple[int, int]
    noise: float
    p: float

    @property
    def factor(self) -> float:
        return self.after / self.before

    @property
    def is_worse(self) -> bool:
        return self.after > self.before


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
    return sorted(_timings(base, new, limits), key=lambda timing: -timing.factor)


def changed(timing: Timing, limits: Limits) -> bool:
    """Whether a time is another, by the chosen rule."""
    return RULES[limits.time_rule](timing, limits)


def common_factor(compared: Sequence[Timing]) -> float:
    """By which factor times changed in general, which is the machine's doing rather than a case's."""
    return median(timing.factor for timing in compared) if compared else 1.0


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
        if before and after and _are_enough(before, after, limits) and median(before) > 0:
            yield Timing(
                *key,
                before=median(before),
                after=median(after),
                samples=(len(before), len(after)),
                noise=max(spread(before), spread(after)),
                p=mann_whitney(before, after),
            )


def _are_enough(before: Sequence[float], after: Sequence[float], limits: Limits) -> bool:
    """Whether samples of these sizes can tell anything by the rule."""
    if limits.time_rule == "ranks":
        return least_p(len(before), len(after)) <= limits.significance
    return limits.time_rule == "vendor"


def _by_ranks(timing: Timing, limits: Limits) -> bool:
    effect = abs(timing.factor - 1)
    return timing.p <= limits.significance and effect > max(limits.slower, limits.noise * timing.noise)


def _by_vendor(timing: Timing, limits: Limits) -> bool:
    difference = abs(timing.after - timing.before)
    if timing.before <= VENDOR_BOUND:
        return difference > VENDOR_ABSOLUTE
    return difference > VENDOR_RELATIVE * timing.before


RULES: Mapping[str, Rule] = {"ranks": _by_ranks, "vendor": _by_vendor, "none": lambda timing, limits: False}
