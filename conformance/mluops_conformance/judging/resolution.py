"""The smallest error of one element that the thresholds of an output refuse.

A verdict is worth what it would have refused. Take an output that passes, and let the element with the
largest local scale be wrong by a share of that scale. The resolution is the smallest such share that is
refused. It is 0 where outputs are exact, and 1 where an element may be wrong by all that was added up in it.
"""

from __future__ import annotations

from typing import Mapping

import numpy as np

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.judging.tally import Tally
from mluops_conformance.judging.values import Threshold

BLIND = 1.0
"""A passed output of this resolution, or a larger one, is mistrusted: nothing wrong in it would be seen."""


def resolution(
    found: Tally,
    thresholds: Mapping[str, Threshold],
    largest_scale: float,
    rounding: float = 0.0,
) -> float:
    """Return the smallest error of one element, as a share of the largest local scale, that is refused.

    Parameters
    ----------
    found : Tally
        Of the output.
    thresholds : mapping of measure to Threshold
    largest_scale : float
        The largest local scale; the largest magnitude that is expected where an output has none.
    rounding : float
        The share that rounding alone may cost an element, which is never refused.

    Returns
    -------
    float
        Infinite where nothing is refused.
    """
    exact = found.scaled_max is None and found.expected_sum == 0
    shares = [0.0] if exact else []
    for name, limit in thresholds.items():
        least_seen = MEASURES[name].least_seen
        if least_seen is not None:
            shares.append(least_seen(found, limit.value, largest_scale))
    return max(min(shares, default=np.inf), rounding)
