"""From an operator's criteria, a case and the command line to thresholds that say where they come from."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import TYPE_CHECKING, Mapping

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.judging.values import GIVEN, Threshold
from mluops_conformance.support.formatting import short

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Criteria

STATIC = {"float32": 1e-5, "float16": 1e-3}
"""The vendor's static thresholds, which are the floor of the dynamic ones; integers must be equal."""

POINTWISE = {"float32": 1e-5, "float16": 4e-3}
"""The floor of the pointwise criterion: 168 roundings of float32 (u = 2^-24), 8 of float16 (u = 2^-11)."""

POINTWISE_RATE = 4.0
"""Times the baseline: the largest error of many varies less between correct devices than their average."""


def resolve(
    criteria: Criteria,
    dtype: str,
    *,
    series: str = "",
    baseline: Mapping[str, float] | None = None,
    case: Mapping[str, float] | None = None,
    command_line: Mapping[str, float] | None = None,
    pointwise: bool = False,
) -> dict[str, Threshold]:
    """The thresholds of one output, by measure.

    The operator's criteria come first, made dynamic where they name rates: max(rate x the baseline's own
    diff, static). A value of the case replaces them, and one of the command line replaces both.

    Parameters
    ----------
    criteria : Criteria
        The operator's; the keys of `by_series` are beginnings of device names ("MLU2").
    dtype : str
        The NumPy name of the output's dtype.
    series : str
        The device's name ("MLU370-X8").
    baseline : mapping of measure to float, optional
        What `measures.measure` gives for the baseline; without it the static thresholds stand alone.
    case, command_line : mapping of measure to float, optional
        Thresholds given there.
    pointwise : bool
        Add the pointwise criterion: the output has a local scale.

    Raises
    ------
    ValueError
        A measure that does not exist, a threshold that the measure cannot have, a case's pointwise threshold
        without a local scale, or a dtype without a static threshold.
    """
    if baseline:
        found = _of_operator(criteria, dtype, series, baseline, pointwise)
    else:
        found = {**_without_baseline(criteria, dtype, series, pointwise)}
    for values, origin in zip((case, command_line), GIVEN):
        for name, value in (values or {}).items():
            found[name] = Threshold(float(value), origin)
            _check(name, found[name])
    if not pointwise and "pointwise" in (case or {}):
        raise ValueError("case: a threshold of pointwise, and the output has no local scale")
    return {name: threshold for name, threshold in found.items() if pointwise or name != "pointwise"}


def _measures(criteria: Criteria, series: str) -> tuple[str, ...]:
    matching = (names for start, names in criteria.by_series.items() if series.startswith(start))
    return next(matching, criteria.measures)


@lru_cache(maxsize=256)
def _without_baseline(
    criteria: Criteria, dtype: str, series: str, pointwise: bool
) -> Mapping[str, Threshold]:
    return _of_operator(criteria, dtype, series, {}, pointwise)


def _of_operator(
    criteria: Criteria, dtype: str, series: str, baseline: Mapping[str, float], pointwise: bool
) -> dict[str, Threshold]:
    """Return the thresholds that nobody has replaced."""
    names = _measures(criteria, series) + (("pointwise",) if pointwise else ())
    return {name: _threshold(name, criteria, dtype, baseline) for name in names}


def _threshold(name: str, criteria: Criteria, dtype: str, baseline: Mapping[str, float]) -> Threshold:
    settled = MEASURES[name].settled_limit(float(criteria.rates.get(name, 1)), baseline)
    if settled is not None:
        return Threshold(settled[0], f"{settled[1]}; {criteria.source}")
    static = _static(name, criteria, dtype)
    rate = criteria.rates.get(name, POINTWISE_RATE if name == "pointwise" else None)
    if rate is None:
        return Threshold(static, f"static {short(static)} ({dtype}); {criteria.source}")
    if name not in baseline:
        return Threshold(static, f"floor {short(static)} ({dtype}), no baseline; {criteria.source}")
    dynamic = f"dynamic {short(rate)} x baseline {short(baseline[name])}"
    value = max(rate * baseline[name], static)
    return Threshold(value, f"{dynamic}; floor {short(static)} ({dtype}); {criteria.source}")


def _static(name: str, criteria: Criteria, dtype: str) -> float:
    if name == "pointwise":
        table: Mapping[str, float] = POINTWISE
    else:
        table = {**STATIC, **criteria.static}
    if dtype in table:
        return table[dtype]
    if "int" in dtype or dtype == "bool":
        return 0.0
    raise ValueError(f"no static threshold of {name} for {dtype}: give one in the operator's criteria")


def _check(name: str, threshold: Threshold) -> None:
    if name not in MEASURES:
        near = difflib.get_close_matches(name, MEASURES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(MEASURES)}"
        raise ValueError(f"{threshold.origin}: unknown measure {name!r}; {hint}")
    if not MEASURES[name].accepts_limit(threshold.value):
        raise ValueError(
            f"{threshold.origin}: the threshold of {name} is {threshold.value}, not a number from 0 up"
        )
