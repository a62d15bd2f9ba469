"""Differences that correct arithmetic may make, against the reference and between equal calls.

A sum of n values x_i in a dtype of unit roundoff u is within about n u S of the exact one, S the sum of
|x_i|, in whatever order it is added up (Jeannerod and Rump 2013, as cited in docs/numerics.md). With the
roundings of a term before it is added, an element of local scale S is right within (n + OWN_ROUNDINGS) u S.

Copies, and sums of a fixed order, must be equal bit for bit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Iterator, Sequence

import numpy as np

from mluops_conformance.support.formatting import counted, short

OWN_ROUNDINGS = 8
"""Roundings of a term: a weight, a product, a share, and the sums of one sample's four corners."""

ELEMENTS_AT_ONCE = 1 << 14
BYTES_AT_ONCE = 1 << 16
"""Compared at a time: the working set stays in the second-level cache."""


@lru_cache(maxsize=None)
def unit_roundoff(dtype: np.dtype) -> float:
    return 2.0 ** -(np.finfo(dtype).nmant + 1)


def bound(addends: np.ndarray | float, dtype: np.dtype) -> np.ndarray:
    """Return the share of its local scale that rounding may cost an element of so many addends."""
    share: np.ndarray = (np.asarray(addends, np.float64) + OWN_ROUNDINGS) * unit_roundoff(dtype)
    return share


def rounding_explains(
    actual: np.ndarray, expected: np.ndarray, scale: np.ndarray, addends: np.ndarray
) -> bool:
    """Return whether rounding explains the errors of all elements that are finite on both sides.

    A rounding costs a share of its result, and below the smallest normal number as much as there: so each
    rounding of each addend may cost that share of the smallest normal number besides.
    """
    together = blocks(actual, expected, scale, np.broadcast_to(addends, scale.shape))
    return not any(_exceeds_rounding(*block) for block in together)


def _exceeds_rounding(
    actual: np.ndarray, expected: np.ndarray, scale: np.ndarray, addends: np.ndarray
) -> bool:
    with np.errstate(all="ignore"):
        error = np.abs(actual.astype(np.float64) - expected.astype(actual.dtype))
        tiny = float(np.finfo(actual.dtype).tiny)
        below_normal = OWN_ROUNDINGS * addends.astype(np.float64) * unit_roundoff(actual.dtype) * tiny
        allowed = np.maximum(scale, tiny) * bound(addends, actual.dtype) + below_normal
    return bool((error > allowed).any())


def blocks(*arrays: np.ndarray) -> Iterator[tuple[np.ndarray, ...]]:
    """Cut arrays of one shape along their first axes into blocks that stay in the second-level cache."""
    shape, size = arrays[0].shape, arrays[0].size
    if size <= ELEMENTS_AT_ONCE:
        yield arrays
    elif shape[0] == 1:
        yield from blocks(*(array[0] for array in arrays))
    else:
        rows = max(ELEMENTS_AT_ONCE * shape[0] // size, 1)
        for first in range(0, shape[0], rows):
            yield from blocks(*(array[first : first + rows] for array in arrays))


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
    nearer, units = np.zeros(actual.shape, bool), np.broadcast_to(scale, actual.shape)
    for found, answer, first, second, unit in blocks(nearer, actual, expected, other, units):
        found[...] = _is_nearer(answer, first, second, unit, tolerance)
    return np.where(nearer, other, expected) if nearer.any() else expected


def _is_nearer(
    actual: np.ndarray, expected: np.ndarray, other: np.ndarray, scale: np.ndarray, tolerance: float
) -> np.ndarray | bool:
    """Mark the elements that are nearer to another right answer, and for which it counts."""
    with np.errstate(all="ignore"):
        apart = ~(np.abs(other - expected) <= tolerance * scale)
        if not apart.any():
            return False
        both, stored = other.astype(actual.dtype), expected.astype(actual.dtype)
        closer = _same(actual, both) | (
            np.abs(actual.astype(np.float64) - other) < np.abs(actual.astype(np.float64) - expected)
        )
        neither = ~np.isfinite(expected) & np.isfinite(other) & np.isfinite(actual)
    nearer: np.ndarray = apart & ~_same(both, stored) & (closer | neither)
    return nearer


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    same: np.ndarray = (a == b) | (np.isnan(a) & np.isnan(b))
    return same


def same_bits(first: np.ndarray[Any, Any], second: np.ndarray[Any, Any]) -> bool:
    """Return whether two contiguous arrays of the same shape and dtype hold the same bits."""
    if max(first.nbytes, second.nbytes) <= BYTES_AT_ONCE:
        return first.tobytes() == second.tobytes()
    one, other = (array.reshape(-1).view(np.uint8) for array in (first, second))
    parts = (slice(start, start + BYTES_AT_ONCE) for start in range(0, one.size, BYTES_AT_ONCE))
    return one.size == other.size and all(one[part].tobytes() == other[part].tobytes() for part in parts)


def differing_bits(actual: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> str:
    """Say where a pure copy is not the same bit for bit; empty where it is.

    Parameters
    ----------
    actual, expected : ndarray
        Of the same shape and dtype. -0 for 0, which every measure takes for equal, differs here, and so
        does a NaN with another payload.
    """
    found, right = _words(actual), _words(expected)
    if same_bits(found, right):
        return ""
    places = np.flatnonzero(found != right)
    first = places[0]
    index = [int(place) for place in np.unravel_index(first, actual.shape)]
    values = f"{actual.reshape(-1)[first]!s} for {expected.reshape(-1)[first]!s}"
    elements = counted(places.size, "element")
    return f"a copy has {elements} with other bits, the first at {index}: {values}"


def _words(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements' bits as unsigned integers."""
    return np.ascontiguousarray(array).reshape(-1).view(f"u{array.itemsize}")


def is_among(output: np.ndarray, answers: Sequence[np.ndarray]) -> bool:
    """Return whether an output has the same bits as one of several of its dtype and shape."""
    return any(same_bits(output, answer) for answer in answers)


def disagreement(
    answers: Sequence[np.ndarray],
    repetitions: int,
    *,
    addends: int | None = None,
    scale: np.ndarray | None = None,
) -> str | None:
    """Explain in a sentence why equal calls gave outputs that differ too much; None if they do not.

    Bitwise equality is expected of all but sums whose order is free. With n addends x_i and a unit roundoff
    u, each order gives a sum within (n - 1) u S |x_i| of the exact one (Jeannerod and Rump, "Improved error
    bounds for inner products in floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34 (2013), for any
    order of evaluation and any n), and so two of them are within 2 (n - 1) u S |x_i| of each other.

    NaN and infinity must be the same in all of them.

    Parameters
    ----------
    answers : sequence of ndarray
        The distinct outputs, in their storage dtype.
    repetitions : int
        How many calls gave them.
    addends : int, optional
        The most values that any element adds up in no fixed order.
    scale : ndarray, optional
        S |x_i| of each element, or less: an output's own magnitude counts where it is larger, and where the
        scale is NaN or infinite, which bounds nothing.
    """
    if len(answers) < 2:
        return None
    shown = f"{repetitions} equal calls gave {len(answers)} distinct outputs"
    dtype = answers[0].dtype
    if addends is None or dtype.kind != "f":
        return f"{shown}, and bitwise equality is expected: {_first_difference(answers)}"
    values = np.stack(answers).astype(np.float64)
    digits = np.finfo(dtype).nmant + 1
    share = 2 * (addends - 1) * 2.0**-digits
    magnitude = _magnitude(values if scale is None else np.concatenate([values, scale[np.newaxis]]))
    spread = _spread(values)
    worst = _index(np.argmax(spread - share * magnitude), spread.shape)
    if spread[worst] <= share * magnitude[worst]:
        return None
    return (
        f"{shown}, which differ by {short(float(spread[worst]))} at {worst}: {addends} addends of magnitude "
        f"{short(float(magnitude[worst]))} in all, summed in any order in {dtype}, may differ by "
        f"2 x {addends - 1} x 2^-{digits} = {short(share)} of it"
    )


def _first_difference(answers: Sequence[np.ndarray]) -> str:
    first, second = answers[:2]
    bits = [
        answer.reshape(-1).view(np.uint8).reshape(answer.size, answer.itemsize) for answer in (first, second)
    ]
    index = _index(np.flatnonzero((bits[0] != bits[1]).any(axis=1))[0], first.shape)
    return f"{index} is {first[index]} and {second[index]}"


def _magnitude(values: np.ndarray) -> np.ndarray:
    magnitude: np.ndarray = np.where(np.isfinite(values), np.abs(values), 0).max(axis=0)
    return magnitude


def _spread(values: np.ndarray) -> np.ndarray:
    """The largest less the smallest value of each element; infinite where only some are NaN or infinite."""
    same = (values == values[0]).all(axis=0) | np.isnan(values).all(axis=0)
    with np.errstate(invalid="ignore"):
        spread = values.max(axis=0) - values.min(axis=0)
    return np.where(same, 0.0, np.where(np.isnan(spread), np.inf, spread))


def _index(position: np.intp, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(number) for number in np.unravel_index(position, shape))
