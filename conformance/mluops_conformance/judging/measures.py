"""The measures: the vendor's, and a pointwise one of our own.

Each is one object: how it is computed of a `Tally`, what it refuses, in which words, and whether one wrong
element can exceed it. A new measure is a new object here.

The formulas are those of mlu-ops' evaluator (evaluator.h of its gtest, v1.11.1), and its numbers come out.
Here a = actual, b = expected rounded to the dtype of a, and sums are in double.

NaN and infinity, in all of them: a position where either side is not finite is left out, its two values are
compared by themselves (`Tally.mismatches`), and the finite rest is judged. The evaluator compares nothing
else of a tensor once it has met equal special values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Mapping

import numpy as np

from mluops_conformance.judging.tally import EPSILON, Tally, tally
from mluops_conformance.support.formatting import short


@dataclass(frozen=True)
class Measure:
    """A number that says how wrong an output is: it is refused above its limit.

    Parameters
    ----------
    name : str
    of : callable
        Gives the number of a tally.
    least_seen : callable, optional
        `(tally, limit, scale)` to the smallest error of one element, as a share of the largest local scale,
        that exceeds the limit; None where one element alone never does.
    averaged : bool
        True where it divides by the sum of the expectation, and says nothing where that is 0.
    scaled : bool
        True where it exists only for outputs with a local scale.
    """

    name: str
    of: Callable[[Tally], float]
    least_seen: Callable[[Tally, float, float], float] | None = None
    averaged: bool = False
    scaled: bool = False

    is_size = True
    """More is worse: the number over its limit says how close an output came to it."""

    def judged(self, found: Tally) -> float:
        """Return the number that is held against the limit.

        An average over an expectation of (nearly) 0 is replaced by the largest absolute error.
        """
        return found.error_max if self.averaged and is_degenerate(found) else self.of(found)

    def refuses(self, found: Tally, limit: float) -> bool:
        """Return whether an output is refused; a number equal to its limit passes."""
        value = self.judged(found)
        return not (value <= limit and math.isfinite(value))

    def excess(self, found: Tally, limit: float) -> float:
        """Return how many times its limit the number is."""
        if limit:
            return self.judged(found) / limit
        return math.inf if self.refuses(found, limit) else 0.0

    def sentence(self, found: Tally, limit: float) -> str:
        """Say why an output is refused."""
        value = short(self.judged(found))
        if self.averaged and is_degenerate(found):
            return f"the expected value is 0, and the absolute error, {value}, is above {short(limit)}"
        return f"{self.name} is {value}, above {short(limit)}"

    def accepts_limit(self, limit: float) -> bool:
        """Return whether a number can be a limit of this measure."""
        return limit >= 0

    def limit_text(self, limit: float) -> str:
        """Say what the limit allows."""
        return f"at most {short(limit)}"

    def vendor_refuses(self, value: float, limit: float) -> bool:
        """Return whether mlu-ops' evaluator fails a number."""
        return value > limit or value < 0 or not math.isfinite(value)

    def vendor_sentence(self, value: float, limit: float) -> str:
        return f"{self.name} {short(value)} above {short(limit)}"

    def settled_limit(self, rate: float, baseline: Mapping[str, float]) -> tuple[float, str] | None:
        """Return a limit that no baseline scales, and its origin; None for a measure with a limit of size."""
        return None


class SideMeasure(Measure):
    """A measure of the side on which errors lie, not of their size: all on one side is refused.

    A negative limit switches it off.
    """

    is_size = False

    ONE_SIDED = 4.0
    """Unit roundoffs that errors of one side may be on average. A rounded constant, such as
    the reciprocal of a count, moves all of them to one side, by one; the product with it rounds once more."""

    def refuses(self, found: Tally, limit: float) -> bool:
        average = found.error_sum / (found.expected_sum + EPSILON)
        return self.vendor_refuses(self.of(found), limit) and average > self.ONE_SIDED * found.unit_roundoff

    def excess(self, found: Tally, limit: float) -> float:
        return math.inf if self.refuses(found, limit) else 0.0

    def sentence(self, found: Tally, limit: float) -> str:
        side = "above" if found.above else "below"
        errors = found.above + found.below
        return f"all {errors} errors lie {side} the expectation, so {self.name} is {short(self.of(found))}"

    def accepts_limit(self, limit: float) -> bool:
        return not math.isnan(limit)

    def limit_text(self, limit: float) -> str:
        return "neither 0 nor 1" if limit >= 0 else "off"

    def vendor_refuses(self, value: float, limit: float) -> bool:
        return limit >= 0 and value in (0.0, 1.0)

    def vendor_sentence(self, value: float, limit: float) -> str:
        return f"{self.name} is {short(value)}"

    def settled_limit(self, rate: float, baseline: Mapping[str, float]) -> tuple[float, str] | None:
        if baseline.get(self.name) in (0.0, 1.0):
            return -1.0, "off: the baseline's errors have one sign as well"
        return rate, "errors of one sign are refused"


def is_degenerate(found: Tally) -> bool:
    """Return whether the vendor's 1e-9 is all that the averages would divide by."""
    return found.elements > 0 and found.expected_sum < EPSILON


def diff1(found: Tally) -> float:
    """S |a - b| / (S |b| + 1e-9), S a sum over all elements: the average error per average magnitude."""
    return found.error_sum / (found.expected_sum + EPSILON)


def diff2(found: Tally) -> float:
    """Root of S (a - b)^2 / (S b^2 + 1e-9): like diff1, but large errors weigh more."""
    return math.sqrt(found.error_square_sum / (found.expected_square_sum + EPSILON))


def diff3(found: Tally) -> float:
    """The largest relative error: max |a - b| / (|b| + 1e-9), or |a - b| where |b| is small.

    Small means below 1e-4 for float16 and 1e-6 for float32; every other dtype has no such limit.
    """
    return found.relative_max


def diff3_2(found: Tally) -> float:
    """The largest absolute error: max |a - b|."""
    return found.error_max


def diff4(found: Tally) -> float:
    """The side to which errors lean: #(a < b) / #(a != b), over distinct pairs (a, b).

    -1, no statement, with fewer than 100 distinct pairs, as in the evaluator's code. The written standard
    counts all points, distinct or not: `diff4_p1`, `diff4_p2`, `diff4_n`. Past 256 unequal points of both
    signs this ratio is taken over points as well: 0 and 1, the only values that are refused, cannot be among
    them.
    """
    return found.pair_ratio


def diff4_p1(found: Tally) -> float:
    """The share of a < b among all unequal points (the written standard's p1); 0 when all are equal."""
    return found.below / max(found.below + found.above, 1)


def diff4_p2(found: Tally) -> float:
    """The share of a > b among all unequal points (the written standard's p2); 0 when all are equal."""
    return found.above / max(found.below + found.above, 1)


def diff4_n(found: Tally) -> float:
    """The number of unequal points (the written standard's n)."""
    return float(found.below + found.above)


def pointwise(found: Tally) -> float:
    """The largest error against a local scale, max |a - b| / scale: it sees one wrong element among millions.

    A sum of x_i computed with unit roundoff u is off by at most about n u S |x_i|, where n is how many
    roundings a term goes through (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2). The
    scale, which is the operator applied to absolute values, is that S |x_i|; so the measure is at most n u,
    whatever cancels in the element. An operator that computes coordinates adds to its scale what their
    rounding can change. A scale below the smallest normal number counts as that number, since rounding is
    absolute there; an element whose scale is NaN is left out.
    """
    return 0.0 if found.scaled_max is None else found.scaled_max


def _unit(scale: float) -> float:
    return scale if scale > 0 else 1.0


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "diff1",
            diff1,
            lambda found, limit, scale: limit * (found.expected_sum + EPSILON) / _unit(scale),
            averaged=True,
        ),
        Measure(
            "diff2",
            diff2,
            lambda found, limit, scale: limit * math.sqrt(found.expected_square_sum + EPSILON) / _unit(scale),
            averaged=True,
        ),
        Measure("diff3", diff3, lambda found, limit, scale: limit),
        Measure("diff3_2", diff3_2, lambda found, limit, scale: limit / _unit(scale)),
        SideMeasure("diff4", diff4),
        Measure("pointwise", pointwise, lambda found, limit, scale: limit if scale > 0 else 0.0, scaled=True),
    )
}
"""Measures that can have a threshold, by name."""

FIGURES: Mapping[str, Callable[[Tally], float]] = {
    "diff4_p1": diff4_p1,
    "diff4_p2": diff4_p2,
    "diff4_n": diff4_n,
}
"""Numbers that are only shown."""


def measures_of(found: Tally) -> dict[str, float]:
    """Return every number of a tally by name; those of a local scale only where there was one."""
    values = {
        name: measure.of(found)
        for name, measure in MEASURES.items()
        if not measure.scaled or found.scaled_max is not None
    }
    return {**values, **{name: function(found) for name, function in FIGURES.items()}}


def measure(actual: np.ndarray, expected: np.ndarray, scale: np.ndarray | None = None) -> dict[str, float]:
    """Return every number of one output by name, in one pass; parameters as in `tally`."""
    return measures_of(tally(actual, expected, scale))
