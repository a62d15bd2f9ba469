"""Whether two samples differ in location: a rank test and robust figures, without a distribution assumed."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from functools import lru_cache
from statistics import median
from typing import Sequence

EXACT_UP_TO = 20
"""Values of the smaller sample for which p is counted out; above, the normal distribution is close."""

NORMAL_SIGMA = 1.4826
"""The standard deviation of normal values is so many times their median absolute deviation."""


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
    """How many orders of `first` and `second` values give U = 0, 1, …: a Gaussian binomial coefficient.

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
