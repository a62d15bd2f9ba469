"""Repeated times in a few figures, without a distribution assumed."""

from __future__ import annotations

import math
from statistics import median
from typing import Sequence

from mluops_conformance.performance.values import Summary

CONFIDENCE = 0.95
LEAST = 6
"""Fewer times give no interval of 95 %: all of n lie on one side of the median with probability 2 / 2^n."""


def summary(times: Sequence[float]) -> Summary:
    """The figures of at least one time, in its unit."""
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
