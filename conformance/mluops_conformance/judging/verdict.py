"""One verdict on one output."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Callable, Mapping, Sequence

import numpy as np

from mluops_conformance.judging.discrimination import Probe, Region, undetected
from mluops_conformance.judging.distribution import distribution
from mluops_conformance.judging.glance import Glance
from mluops_conformance.judging.measures import measures_of
from mluops_conformance.judging.plain_sight import SPECIAL, VALUES, plain_fault
from mluops_conformance.judging.refusal import accumulation, distance, is_degenerate, reasons
from mluops_conformance.judging.tally import Tally, tally
from mluops_conformance.judging.values import FAILED, MISTRUSTED, PASSED, OutputVerdict, Threshold
from mluops_conformance.support.formatting import short

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Finding

SHOWN = 5
"""Findings that a verdict names."""

ELEMENTWISE = frozenset({"diff3", "diff3_2", "pointwise"})
"""Measures that one wrong element can exceed, however many there are: only they are asked to see it."""


@dataclass(frozen=True)
class Interpretation:
    """A right answer: an output passes when it is close to any one of them.

    Parameters
    ----------
    name : str
        What sets it apart ("double", "coordinates in half").
    expected : ndarray
        float64, or integers for integer outputs.
    thresholds : mapping of measure to Threshold
        From `thresholds.resolve`.
    scale : ndarray, optional
        The local scale of the pointwise measure.
    """

    name: str
    expected: np.ndarray
    thresholds: Mapping[str, Threshold]
    scale: np.ndarray | None = None


@dataclass(frozen=True)
class Comparison:
    """An output held against one right answer; `reasons` says what is wrong with it."""

    right: Interpretation
    found: Tally
    reasons: tuple[str, ...]


def judge(
    name: str,
    actual: np.ndarray,
    interpretations: Sequence[Interpretation],
    *,
    discriminate: bool = True,
    addends: Callable[[], int] | None = None,
    decoys: Mapping[str, np.ndarray] | None = None,
    compared: Sequence[Comparison] | None = None,
) -> OutputVerdict:
    """Judge one output.

    Parameters
    ----------
    name : str
        The output's name.
    actual : ndarray
        What the device gave, in its storage dtype.
    interpretations : sequence of Interpretation
        The right answers, the plain one first; the first that the output is close to is the one it matches.
    discriminate : bool
        False where the case declares that its expectation is rightly zero or constant: a pass is then not
        mistrusted.
    addends : callable, optional
        Gives the most values that any element adds up, for the message of an accumulation error; it is only
        asked where the output is refused.
    decoys : mapping of description to ndarray, optional
        Outputs that would be wrong ("a copy of top_output") and must not pass either.
    compared : sequence of Comparison, optional
        What `compare_until_match` gives, where that is known already.
    """
    compared = compared or compare_until_match(actual, interpretations)
    shown = min(compared, key=lambda one: distance(one.found, one.right.thresholds) if one.reasons else -1.0)
    why: tuple[str, ...] = ()
    fault = ""
    if shown.reasons:
        outcome = FAILED
        fault, plainly = plain_fault(actual, shown.right.expected)
        fault = fault or (SPECIAL if shown.found.mismatched else VALUES)
        why = (
            *([plainly] if plainly else []),
            *_all_reasons(compared, shown),
            *accumulation(shown.found, actual.dtype, shown.right.scale, addends() if addends else None),
        )
    else:
        if discriminate:
            why = _mistrust(actual.dtype, shown, interpretations, decoys or {})
        outcome = MISTRUSTED if why else PASSED
    return OutputVerdict(
        name=name,
        outcome=outcome,
        reasons=why,
        measures=measures_of(shown.found),
        thresholds=dict(shown.right.thresholds),
        worst=shown.found.worst,
        mismatches=shown.found.mismatches,
        mismatched=shown.found.mismatched,
        elements=shown.found.elements,
        matched=shown.right.name if len(interpretations) > 1 and outcome != FAILED else None,
        distribution=(
            distribution(actual, shown.right.expected, shown.found.error_max) if outcome == FAILED else None
        ),
        fault=fault,
    )


def explained(verdict: OutputVerdict, findings: Sequence[Finding]) -> OutputVerdict:
    """A verdict with findings in place of what a comparison by position says.

    Without any the output is right: it differs from the expectation by decisions within rounding.
    """
    told = tuple(finding.text for finding in findings[:SHOWN])
    more = len(findings) - SHOWN
    if more > 0:
        told = (*told, f"and {more} more")
    outcome = FAILED if findings else PASSED
    return replace(
        verdict,
        outcome=outcome,
        reasons=told,
        measures={},
        worst=(),
        mismatches=(),
        mismatched=0,
        distribution=None,
    )


def compare_until_match(actual: np.ndarray, interpretations: Sequence[Interpretation]) -> list[Comparison]:
    """Hold an output against one right answer after the other, up to the first that it is close to."""
    compared: list[Comparison] = []
    for right in interpretations:
        found = tally(actual, right.expected, right.scale)
        compared.append(Comparison(right, found, tuple(reasons(found, right.thresholds))))
        if not compared[-1].reasons:
            break
    return compared


def _all_reasons(compared: Sequence[Comparison], shown: Comparison) -> list[str]:
    """The reasons for each interpretation, those of the nearest first."""
    if len(compared) == 1:
        return list(shown.reasons)
    ordered = sorted(compared, key=lambda one: one is not shown)
    return [f"{one.right.name}: {reason}" for one in ordered for reason in one.reasons]


def _mistrust(
    dtype: np.dtype,
    matched: Comparison,
    interpretations: Sequence[Interpretation],
    decoys: Mapping[str, np.ndarray],
) -> tuple[str, ...]:
    """Why a pass proves nothing; empty when it does."""

    def acceptance(region: Region) -> Callable[[Probe], bool]:
        parts = [_Part(right, region, dtype) for right in interpretations]
        return lambda probe: any(part.accepts(probe) for part in parts)

    found = matched.found
    passing = undetected(matched.right.expected, dtype, acceptance, found.heaviest, decoys)
    if not passing:
        return ()
    why = f"a wrong output would pass as well: {', '.join(passing)}"
    if not is_degenerate(found):
        return (why,)
    absolute = f"the largest absolute error is {short(found.error_max)}"
    return (f"the expectation is zero, where diff1 and diff2 have no meaning; {absolute}", why)


class _Part:
    """A region of an expectation."""

    def __init__(self, right: Interpretation, region: Region, dtype: np.dtype) -> None:
        self._thresholds = right.thresholds
        self._expected = right.expected[region]
        self._scale = None if right.scale is None else right.scale[region]
        self._glance = Glance(self._expected, dtype, self._scale)

    def accepts(self, probe: Probe) -> bool:
        """Whether the probe would pass as this region."""
        thresholds = self._thresholds
        if probe.elementwise:
            thresholds = {name: thresholds[name] for name in thresholds if name in ELEMENTWISE}
            if not thresholds:
                return False
        if self._glance.refuses(probe.output, thresholds):
            return False
        found = tally(probe.output, self._expected, self._scale, shown=1)
        return next(reasons(found, thresholds), None) is None
