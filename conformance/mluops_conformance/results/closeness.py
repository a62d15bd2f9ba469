"""How close a case comes to its thresholds, as one number."""

from __future__ import annotations

import math
from typing import Iterator

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.results.record import Record


def closeness(record: Record) -> float | None:
    """The largest measure / threshold of a case: at most 1 where all are accepted.

    Infinite above a threshold of 0; None where nothing was measured. Measures that are not sizes are left
    out.
    """
    return max(_ratios(record), default=None)


def _ratios(record: Record) -> Iterator[float]:
    for output in record.outputs:
        for name, threshold in output.thresholds.items():
            value = output.measures.get(name)
            if value is None or not is_size(name):
                continue
            if threshold.value:
                yield value / threshold.value if not math.isnan(value) else math.inf
            else:
                yield 0.0 if value == 0 else math.inf


def is_size(name: str) -> bool:
    """Return whether more of a measure is worse; True for measures of other versions."""
    return name not in MEASURES or MEASURES[name].is_size
