"""Errors that correct arithmetic may make: what no threshold may refuse.

A sum of n values x_i in a dtype of unit roundoff u is within about n u S of the exact one, S the sum of
|x_i|, in whatever order it is added up (Jeannerod and Rump 2013, as cited in docs/numerics.md). With the
roundings of a term before it is added, an element of local scale S is right within (n + OWN_ROUNDINGS) u S.
"""

from __future__ import annotations

import numpy as np

OWN_ROUNDINGS = 8
"""Of a term: a weight, a product, a share, and the sums of one sample's four corners."""


def unit_roundoff(dtype: np.dtype) -> float:
    return 2.0 ** -(np.finfo(dtype).nmant + 1)


def bound(addends: np.ndarray | float, dtype: np.dtype) -> np.ndarray:
    """Return the share of its local scale that rounding may cost an element of so many addends."""
    share: np.ndarray = (np.asarray(addends, np.float64) + OWN_ROUNDINGS) * unit_roundoff(dtype)
    return share


def rounding_explains(
    actual: np.ndarray, expected: np.ndarray, scale: np.ndarray, addends: np.ndarray
) -> bool:
    """Return whether rounding explains the errors of all elements that are finite on both sides."""
    with np.errstate(all="ignore"):
        error = np.abs(actual.astype(np.float64) - expected.astype(actual.dtype))
        allowed = np.maximum(scale, np.finfo(actual.dtype).tiny) * bound(addends, actual.dtype)
    return not (error > allowed).any()


def with_overflow(
    actual: np.ndarray, expected: np.ndarray, scale: np.ndarray, sums_over_scale: np.ndarray | float
) -> np.ndarray:
    """Return the expectation, with the infinities of `actual` where a sum of finite values may overflow.

    A device that adds up in the storage dtype ends there although the result itself can be stored. Nothing
    in the documents says that it must not, so both answers are right.
    """
    infinite = np.isinf(actual)
    if not infinite.any():
        return expected
    with np.errstate(all="ignore"):
        may = scale * sums_over_scale > np.finfo(actual.dtype).max
    return np.where(infinite & may & np.isfinite(expected), actual.astype(expected.dtype), expected)


def nearest(
    actual: np.ndarray, expected: np.ndarray, other: np.ndarray, scale: np.ndarray, tolerance: float
) -> np.ndarray:
    """Return of two right answers, element by element, the one that the output is nearer to.

    The answers differ where a sample falls on either side of a pixel or a limit. Elsewhere, within
    `tolerance` of the local scale, the first one stands.
    """
    with np.errstate(all="ignore"):
        both, stored = other.astype(actual.dtype), expected.astype(actual.dtype)
        apart = ~(np.abs(other - expected) <= tolerance * scale) & ~_same(both, stored)
        closer = _same(actual, both) | (
            np.abs(actual.astype(np.float64) - other) < np.abs(actual.astype(np.float64) - expected)
        )
        neither = ~np.isfinite(expected) & np.isfinite(other) & np.isfinite(actual)
    return np.where(apart & (closer | neither), other, expected)


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    same: np.ndarray = (a == b) | (np.isnan(a) & np.isnan(b))
    return same
