"""The vendor's accuracy measures, and a pointwise one of our own.

The formulas are those of mlu-ops' evaluator (evaluator.h of its gtest, v1.11.1), and its numbers come out.
Here a = actual, b = expected rounded to the dtype of a, and sums are in double.

NaN and infinity, in all of them: a position where either side is not finite is left out, its two values are
compared by themselves (`Tally.mismatches`), and the finite rest is judged. The evaluator compares nothing
else of a tensor once it has met equal special values.
"""

from __future__ import annotations

import math
from typing import Callable

import numpy as np

from mluops_conformance.judging.tally import EPSILON, Tally, tally


def diff1(found: Tally) -> float:
    """S |a - b| / (S |b| + 1e-9), S a sum over all elements: the average error per average magnitude."""
    return found.error_sum / (found.expected_sum + EPSILON)


def diff2(found: Tally) -> float:
    """Root of S (a - b)^2 / (S b^2 + 1e-9): like diff1, but large errors apply_known_issue more."""
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
    """Whether the errors lean to one side: #(a < b) / #(a != b), over distinct pairs (a, b).

    -1, no statement, with fewer than 100 distinct pairs, as in the evaluator's code. The written standard
    counts all points, distinct or not: `diff4_p1`, `diff4_p2`, `diff4_n`. Past 256 unequal points of both
    signs this ratio is taken over points as well: 0 and 1, the only values that are refused, cannot be
    among them.
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


ACCEPTANCE: dict[str, Callable[[Tally], float]] = {
    "diff1": diff1,
    "diff2": diff2,
    "diff3": diff3,
    "diff3_2": diff3_2,
    "diff4": diff4,
    "pointwise": pointwise,
}
"""Measures that can have a threshold."""

FIGURES: dict[str, Callable[[Tally], float]] = {
    "diff4_p1": diff4_p1,
    "diff4_p2": diff4_p2,
    "diff4_n": diff4_n,
}
"""Measures that are only shown."""


def measures_of(found: Tally) -> dict[str, float]:
    """Every measure of a tally by name; "pointwise" only where there was a scale."""
    functions = {**ACCEPTANCE, **FIGURES}
    if found.scaled_max is None:
        del functions["pointwise"]
    return {name: function(found) for name, function in functions.items()}


def measure(actual: np.ndarray, expected: np.ndarray, scale: np.ndarray | None = None) -> dict[str, float]:
    """Every measure of one output by name, in one pass; parameters as in `tally`."""
    return measures_of(tally(actual, expected, scale))
