"""Equal calls, and how far their outputs may differ."""

from __future__ import annotations

from typing import Sequence

import numpy as np

from mluops_conformance.judging.bits import same_bits
from mluops_conformance.support.formatting import short


def is_among(output: np.ndarray, answers: Sequence[np.ndarray]) -> bool:
    """Whether an output has the same bits as one of several of its dtype and shape."""
    return any(same_bits(output, answer) for answer in answers)


def disagreement(
    answers: Sequence[np.ndarray],
    repetitions: int,
    *,
    addends: int | None = None,
    scale: np.ndarray | None = None,
) -> str | None:
    """Why distinct outputs of equal calls differ by more than they may, in a sentence; None if they do not.

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
