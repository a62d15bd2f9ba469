"""One verdict on one output."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Callable, Iterator, Mapping, Sequence, overload

import numpy as np

from mluops_conformance.judging.chunks import distribution
from mluops_conformance.judging.measures import is_degenerate, measures_of
from mluops_conformance.judging.refusal import (
    BLIND,
    SPECIAL,
    VALUES,
    accumulation,
    distance,
    plain_fault,
    reasons,
    resolution,
)
from mluops_conformance.judging.rounding import bound, nearest, rounding_explains, with_overflow
from mluops_conformance.judging.tally import Tally, tally
from mluops_conformance.judging.values import FAILED, GIVEN, MISTRUSTED, PASSED, OutputVerdict, Threshold
from mluops_conformance.support.formatting import counted, short

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Finding

FINDINGS_SHOWN = 5
"""Findings that a verdict names."""

ROUNDING = "every error is within what rounding may cost"
"""The reason why an output passes beyond its thresholds."""


@dataclass(frozen=True)
class Interpretation:
    """A right answer: an output passes when it is close to any one of them.

    Parameters
    ----------
    name : str
        The name that sets it apart ("double", "half coordinates").
    expected : ndarray
        float64, or integers for integer outputs.
    thresholds : mapping of measure to Threshold
        From `thresholds.resolve`.
    scale : ndarray, optional
        The local scale of the pointwise measure.
    addends : ndarray, optional
        How many values each element adds up; broadcasts to `scale`.
    sums_over_scale : ndarray or float
        How many times its local scale an intermediate sum of an element may be.
    other_side : callable, optional
        Gives the answer with samples on the other side of pixels and limits, where that may be right too, and
        its local scale.
    """

    name: str
    expected: np.ndarray
    thresholds: Mapping[str, Threshold]
    scale: np.ndarray | None = None
    addends: np.ndarray | None = None
    sums_over_scale: np.ndarray | float = 1.0
    other_side: Callable[[], tuple[np.ndarray, np.ndarray]] | None = None


class RightAnswers(Sequence[Interpretation]):
    """Right answers to one output: the plain one, then others, each made when it is asked for.

    Parameters
    ----------
    plain : callable
    further : sequence of callable
    stricter : sequence of callable
        The plain answer with stricter thresholds, the cheapest first: an output that is close to one of them
        is close to the plain one. The last one has its local scale and addends.
    """

    def __init__(
        self,
        plain: Callable[[], Interpretation],
        further: Sequence[Callable[[], Interpretation]] = (),
        stricter: Sequence[Callable[[], Interpretation]] = (),
    ) -> None:
        self._each = (plain, *further)
        self.stricter = tuple(stricter)

    @property
    def scaled(self) -> Interpretation:
        """The plain answer with its local scale and addends, by whatever thresholds it is made first."""
        return self.stricter[-1]() if self.stricter else self[0]

    def __len__(self) -> int:
        return len(self._each)

    @overload
    def __getitem__(self, place: int) -> Interpretation: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Interpretation]: ...
    def __getitem__(self, place: int | slice) -> Interpretation | Sequence[Interpretation]:
        if isinstance(place, slice):
            return [answer() for answer in self._each[place]]
        return self._each[place]()


@dataclass(frozen=True)
class Comparison:
    """An output held against one right answer.

    Parameters
    ----------
    right : Interpretation
        Its `expected` holds what each element was held against.
    found : Tally
    reasons : tuple of str
        What is wrong; empty for an output that passes.
    besides : tuple of str
        What is right for another reason than its closeness to the expectation.
    """

    right: Interpretation
    found: Tally
    reasons: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()


def judge(
    name: str,
    actual: np.ndarray,
    interpretations: Sequence[Interpretation],
    compared: Sequence[Comparison] | None = None,
) -> OutputVerdict:
    """Judge one output.

    Parameters
    ----------
    name : str
        The output's name.
    actual : ndarray
        What the device gave, in its storage dtype.
    interpretations : sequence of Interpretation
        The right answers, the plain one first; the first that the output is close to is the one it matches.
    compared : sequence of Comparison, optional
        What `compare_until_match` gives, where that is known already.
    """
    compared = compared or compare_until_match(actual, interpretations)
    shown = min(compared, key=lambda one: distance(one.found, one.right.thresholds) if one.reasons else -1.0)
    verdict = partial(
        OutputVerdict,
        name=name,
        measures=measures_of(shown.found),
        thresholds=dict(shown.right.thresholds),
        worst=shown.found.worst,
        mismatches=shown.found.mismatches,
        mismatched=shown.found.mismatched,
        elements=shown.found.elements,
    )
    if shown.reasons:
        fault, plainly = plain_fault(actual, shown.right.expected)
        return verdict(
            outcome=FAILED,
            reasons=(
                *([plainly] if plainly else []),
                *_all_reasons(compared, shown),
                *_accumulation(actual.dtype, shown),
            ),
            distribution=distribution(actual, shown.right.expected, shown.found.error_max),
            fault=fault or (SPECIAL if shown.found.mismatched else VALUES),
        )
    share = _resolution(actual.dtype, shown)
    blind = _is_blind(actual, share)
    return verdict(
        outcome=MISTRUSTED if blind else PASSED,
        reasons=tuple(_mistrust(share, shown)) if blind else (),
        resolution=share,
        matched=_matched(shown, len(interpretations)),
    )


def _is_blind(actual: np.ndarray, share: float) -> bool:
    """Return whether a pass of this resolution proves nothing."""
    return share >= BLIND and actual.size > 0


def _matched(shown: Comparison, interpretations: int) -> str | None:
    """Return which right answer an output is close to, and what in it is right besides."""
    if interpretations < 2 and not shown.besides:
        return None
    return "; ".join([shown.right.name, *shown.besides])


def explained(verdict: OutputVerdict, findings: Sequence[Finding]) -> OutputVerdict:
    """A verdict with findings in place of what a comparison by position says.

    Without any the output is right: it differs from the expectation by decisions within rounding.
    """
    told = tuple(finding.text for finding in findings[:FINDINGS_SHOWN])
    more = len(findings) - FINDINGS_SHOWN
    if more > 0:
        told = (*told, f"and {more} more")
    outcome = FAILED if findings else PASSED
    return replace(
        verdict,
        outcome=outcome,
        reasons=told,
        measures={},
        worst=(),
        mismatches=(),
        mismatched=0,
        distribution=None,
    )


def compare_until_match(actual: np.ndarray, interpretations: Sequence[Interpretation]) -> list[Comparison]:
    """Hold an output against one right answer after the other, up to the first that it is close to.

    Answers are tried as they are first: what rounding may make of them takes further references. But an
    answer whose thresholds would pass anything counts only if rounding explains no answer before it.
    """
    compared: list[Comparison] = []
    for right in interpretations:
        compared.append(_compare(actual, right))
        if not compared[-1].reasons:
            break
    last = compared[-1]
    if not last.reasons and (len(compared) == 1 or not _is_blind(actual, _resolution(actual.dtype, last))):
        return compared
    for place, plain in enumerate(compared):
        compared[place] = _with_rounding(actual, plain) if plain.reasons else plain
        if not compared[place].reasons:
            return compared[: place + 1]
    return compared


def _with_rounding(actual: np.ndarray, plain: Comparison) -> Comparison:
    """Hold an output that is not close to a right answer against what rounding may make of this answer.

    Each element may be what the other side of a pixel or limit gives, or infinite where a sum may overflow.
    An output whose every error rounding explains is right, whatever its averages are, unless thresholds are
    given by hand.
    """
    right = plain.right
    if right.scale is None:
        return plain
    if _is_rounding(actual, right, plain.found):
        return replace(plain, reasons=(), besides=(ROUNDING,))
    right, besides = _with_other_answers(actual, right, right.scale)
    again = replace(_compare(actual, right), besides=besides) if besides else plain
    if again.reasons and _is_rounding(actual, right, again.found):
        return replace(again, reasons=(), besides=(*besides, ROUNDING))
    return again


def _is_rounding(actual: np.ndarray, right: Interpretation, found: Tally) -> bool:
    """Return whether rounding explains every error, where thresholds are not given by hand."""
    if right.addends is None or right.scale is None or found.mismatched or _by_hand(right):
        return False
    return rounding_explains(actual, right.expected, right.scale, right.addends)


def _with_other_answers(
    actual: np.ndarray, right: Interpretation, scale: np.ndarray
) -> tuple[Interpretation, tuple[str, ...]]:
    """Return the right answer with what else is right at single elements, and how many these are."""
    expected, besides = right.expected, []
    if right.addends is not None:
        given = with_overflow(actual, expected, scale, right.sums_over_scale)
        besides += _changed(expected, given, "infinite where a sum may leave the range of its dtype")
        expected = given
    if right.other_side is not None:
        other, other_scale = right.other_side()
        given = nearest(actual, expected, other, scale, _pointwise(right))
        besides += _changed(expected, given, "on the other side of a pixel or limit")
        expected, scale = given, np.maximum(scale, other_scale)
    return replace(right, expected=expected, scale=scale), tuple(besides)


def _changed(before: np.ndarray, after: np.ndarray, what: str) -> list[str]:
    if before is after:
        return []
    count = int(np.count_nonzero(~((before == after) | (np.isnan(before) & np.isnan(after)))))
    return [f"{counted(count, 'element')} {what}"] if count else []


def _compare(actual: np.ndarray, right: Interpretation) -> Comparison:
    found = tally(actual, right.expected, right.scale)
    return Comparison(right, found, tuple(reasons(found, right.thresholds)))


def _by_hand(right: Interpretation) -> bool:
    return any(limit.origin in GIVEN for limit in right.thresholds.values())


def _pointwise(right: Interpretation) -> float:
    limit = right.thresholds.get("pointwise")
    return 0.0 if limit is None else limit.value


def _all_reasons(compared: Sequence[Comparison], shown: Comparison) -> list[str]:
    """Return the reasons for each interpretation, those of the nearest first."""
    if len(compared) == 1:
        return list(shown.reasons)
    ordered = sorted(compared, key=lambda one: one is not shown)
    return [f"{one.right.name}: {reason}" for one in ordered for reason in one.reasons]


def _accumulation(dtype: np.dtype, shown: Comparison) -> Iterator[str]:
    """Say of the worst element whether its additions may cost that much."""
    right = shown.right
    if right.addends is None or right.scale is None or not shown.found.worst:
        return iter(())
    index = shown.found.worst[0].index
    addends = int(np.broadcast_to(right.addends, right.scale.shape)[index])
    return accumulation(shown.found.worst[0], dtype, float(right.scale[index]), addends)


def _resolution(dtype: np.dtype, shown: Comparison) -> float:
    right = shown.right
    scale = right.scale if dtype.kind == "f" else None
    largest = shown.found.expected_max if scale is None else _largest(scale)
    rounding, addends = 0.0, right.addends if dtype.kind == "f" else None
    if addends is not None and addends.size and largest > 0 and not _by_hand(right):
        rounding = float(bound(addends.min(), dtype))
    return resolution(shown.found, right.thresholds, largest, rounding)


def _largest(values: np.ndarray) -> float:
    if not values.size:
        return 0.0
    with np.errstate(invalid="ignore"):
        largest = max(float(values.max()), -float(values.min()))
    if np.isfinite(largest):
        return largest
    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max()) if finite.size else 0.0


def _mistrust(share: float, matched: Comparison) -> Iterator[str]:
    """Say why a pass proves nothing, and what helps."""
    if is_degenerate(matched.found):
        error = short(matched.found.error_max)
        yield f"the expectation is zero, where diff1 and diff2 have no meaning; the largest error is {error}"
    sizes = [item for item in matched.right.thresholds.items() if item[0] != "diff4"]
    widest = max(sizes, key=lambda item: item[1].value, default=None)
    limit = (
        f"; the threshold of {widest[0]} is {short(widest[1].value)} ({widest[1].origin})" if widest else ""
    )
    yield (
        f"an element may be wrong by {short(share)} times its local scale and pass{limit}. "
        "Give the case fewer addends, smaller coordinates, a wider dtype, or thresholds of its own"
    )
