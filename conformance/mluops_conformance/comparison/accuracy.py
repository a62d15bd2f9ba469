"""Measures that grew or shrank although the case passes in both runs, and thresholds that a user loosened."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable, Iterator, Tuple

from mluops_conformance.comparison.limits import Limits
from mluops_conformance.judging.values import GIVEN, PASSED, OutputVerdict, Threshold
from mluops_conformance.results.record import Record, is_size

Pair = Tuple[Record, Record]

SAME_THRESHOLD = 1e-6
"""Relative difference of thresholds that is no other threshold: sums of a baseline differ between BLAS."""


@dataclass(frozen=True)
class Drift:
    """A judged measure of one output, which changed by more than the limit.

    Parameters
    ----------
    before, after : float
        The measure in both runs.
    threshold : float
        What it may be, in the newer run.
    """

    id: str
    output: str
    measure: str
    before: float
    after: float
    threshold: float

    @property
    def factor(self) -> float:
        """How many times what it was the measure is; infinite where it was 0."""
        return self.after / self.before if self.before else math.inf

    @property
    def is_worse(self) -> bool:
        return self.after > self.before


@dataclass(frozen=True)
class Loosened:
    """A threshold that is larger than it was, since a user wrote it so."""

    id: str
    output: str
    measure: str
    before: float
    after: float
    origin: str


def drifts(pairs: Iterable[Pair], limits: Limits) -> list[Drift]:
    """The measures that changed by more than `limits.drift`, those that grew most first.

    Parameters
    ----------
    pairs : iterable of (Record, Record)
        The same case in both runs. Those that passed in both are looked at.
    """
    found = [
        drift
        for old, new in pairs
        if old.outcome == new.outcome == PASSED
        for drift in _drifts(old, new)
        if has_drifted(drift, limits)
    ]
    return sorted(found, key=lambda drift: -drift.factor)


def has_drifted(drift: Drift, limits: Limits) -> bool:
    """Whether a measure changed by more than the factor, and is above the floor in one of the runs."""
    least, most = sorted((drift.before, drift.after))
    return most > limits.drift * least and most > limits.drift_floor * drift.threshold


def loosened(pairs: Iterable[Pair]) -> list[Loosened]:
    """The thresholds that a user loosened, whatever became of the case: on the command line or in the case.

    Thresholds that follow from a baseline grow and shrink with it, and nobody loosened them.
    """
    return [
        Loosened(new.id, output.name, name, then.thresholds[name].value, limit.value, limit.origin)
        for old, new in pairs
        for then, output in _outputs(old, new)
        for name, limit in output.thresholds.items()
        if name in then.thresholds and _is_looser(then.thresholds[name], limit)
    ]


def _is_looser(before: Threshold, after: Threshold) -> bool:
    is_given = before.origin in GIVEN or after.origin in GIVEN
    return is_given and after.value > before.value * (1 + SAME_THRESHOLD)


def _outputs(old: Record, new: Record) -> Iterator[tuple[OutputVerdict, OutputVerdict]]:
    then = {output.name: output for output in old.outputs}
    return ((then[output.name], output) for output in new.outputs if output.name in then)


def _drifts(old: Record, new: Record) -> Iterator[Drift]:
    for then, output in _outputs(old, new):
        for name, limit in output.thresholds.items():
            if is_size(name) and name in then.measures and name in output.measures:
                yield Drift(
                    new.id, output.name, name, then.measures[name], output.measures[name], limit.value
                )
