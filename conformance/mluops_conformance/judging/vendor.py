"""The verdict of the evaluator of mlu-ops' own gtest on the outputs of a case.

After evaluator.h and evaluator.cpp of its gtest, v1.11.1, defects included: a user whom the two tools tell
different things finds out here why. The measures are ours, which are the evaluator's where all is finite. The
rules around them are not:

- A measure fails when it is above its threshold, negative or not finite; diff4 when it is exactly 0 or 1, and
  never with a negative threshold. Nothing looks at single elements, and nothing asks whether a wrong output
  would have passed.
- Where all thresholds but diff4's are 0, NaN against NaN and equal infinities count as zeros, and any other
  NaN or infinity makes every measure `WORST`.
- With other thresholds, every NaN or infinity must stand against the same, or every measure is `WORST`. Where
  they all do, every measure is 0, and the rest of the output is not compared at all.
- That outcome is never taken back: the outputs of the case that follow are not compared either.

The evaluator removes equal pairs from diff4 by a hash whose seed is not initialised; here they are removed.
"""

from __future__ import annotations

import sys
from typing import Mapping

import numpy as np

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.judging.tally import Tally, tally
from mluops_conformance.judging.values import GtestVerdict, Threshold

__all__ = ["VENDOR_MEASURES", "WORST", "Evaluator", "limits_of"]

VENDOR_MEASURES = ("diff1", "diff2", "diff3", "diff3_2", "diff4")
"""The measures that the evaluator has too."""

WORST = sys.float_info.max
"""Every measure of an output whose NaN or infinity are not as they should be: DBL_MAX."""

IGNORED = -1.0
"""A measure of sides of an output that it has no statement on."""

NOT_COMPARED = "equal NaN or infinity were met, and it compares nothing else then"


def limits_of(thresholds: Mapping[str, Threshold], own: Mapping[str, float]) -> dict[str, float]:
    """The evaluator's criteria for an output.

    Parameters
    ----------
    thresholds : mapping of measure to Threshold
        Ours, against the double-precision reference.
    own : mapping of measure to float
        What the case itself gives: where it gives any, gtest has no others.
    """
    return {
        name: threshold.value
        for name, threshold in thresholds.items()
        if name in VENDOR_MEASURES and (not own or name in own)
    }


class Evaluator:
    """The evaluator over the outputs of one case, in their order."""

    def __init__(self) -> None:
        self._skipping = False

    def evaluate(
        self,
        actual: np.ndarray,
        expected: np.ndarray,
        limits: Mapping[str, float],
        found: Tally | None = None,
    ) -> GtestVerdict:
        """Evaluate one output.

        Parameters
        ----------
        actual : ndarray
            What the device gave, in its storage dtype.
        expected : ndarray
            The double-precision reference, or integers.
        limits : mapping of measure to float
            From `limits_of`.
        found : Tally, optional
            The tally of the two, where that is known already.
        """
        if not actual.size or not limits:
            return GtestVerdict(True, reason="it has nothing to compare" if limits else "it has no criteria")
        errors, reason = self._errors(found or tally(actual, expected), limits)
        failing = [name for name in limits if MEASURES[name].vendor_refuses(errors[name], limits[name])]
        reason = reason or ", ".join(
            MEASURES[name].vendor_sentence(errors[name], limits[name]) for name in failing
        )
        return GtestVerdict(not failing, errors, dict(limits), reason)

    def _errors(self, found: Tally, limits: Mapping[str, float]) -> tuple[dict[str, float], str]:
        """The measures by the evaluator's rules, and what these did to them."""
        if found.mismatched:
            return dict.fromkeys(limits, WORST), "NaN or infinity are not where they should be"
        exact = not any(limit for name, limit in limits.items() if MEASURES[name].is_size)
        if found.special and not exact:
            self._skipping = True
        if self._skipping:
            return {name: 0.0 if MEASURES[name].is_size else IGNORED for name in limits}, NOT_COMPARED
        return {name: MEASURES[name].of(found) for name in limits}, ""
