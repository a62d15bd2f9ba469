"""Where two arrays of one shape differ, by how much, and along which axes: pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Mapping

import numpy as np

from mluops_conformance.artefacts.file import REPEATED, Artefact
from mluops_conformance.judging.distribution import distribution
from mluops_conformance.judging.tally import Tally, tally
from mluops_conformance.judging.values import Distribution
from mluops_conformance.operators import operator_names, the_operator

DOUBLE = "the double-precision reference"

DECADES_SHOWN = 2
"""Errors of the largest so many decades count, when the indices where errors sit are listed."""


@dataclass(frozen=True)
class Difference:
    """An output against what it is compared with.

    Parameters
    ----------
    name, against : str
        The output; what it is compared with.
    differing : int
        Elements that differ.
    found : Tally
        Sums, maxima, and the worst elements.
    distribution : Distribution
    places : tuple of tuple of int
        For each axis the indices at which an error sits that is more than a hundredth of the largest.
    """

    name: str
    against: str
    dtype: str
    differing: int
    found: Tally
    distribution: Distribution
    places: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Told:
    """How the outputs of two executions differ, in the operator's own words.

    Parameters
    ----------
    against : str
        What they are compared with.
    sentences : tuple of str
        Empty where they are the same.
    """

    against: str
    sentences: tuple[str, ...]


def told(artefact: Artefact, before: Artefact | None = None, against: str = "") -> Told | None:
    """The difference as the operator tells it; None where it has no words for it, or there are no outputs.

    Parameters
    ----------
    before : Artefact, optional
        The other execution; the right answer without it.
    against : str
        What to call it.
    """
    name = artefact.record.get("operator", "")
    compare = the_operator(name).compare if name in operator_names() else None
    if compare is None or not artefact.outputs:
        return None
    if before is not None:
        return Told(against, tuple(compare(dict(artefact.outputs), dict(before.outputs))))
    answers = {output: next(iter(answers.values())) for output, answers in artefact.expected.items()}
    return Told(DOUBLE, tuple(compare(dict(artefact.outputs), answers)))


def differences(artefact: Artefact, shown: int) -> Iterator[Difference]:
    """Each output against the right answer that it is nearest to.

    Parameters
    ----------
    shown : int
        How many of the worst elements to list.
    """
    for name, actual in artefact.outputs.items():
        answers = artefact.expected.get(name.partition(REPEATED)[0], {})
        compared = [
            difference(name, actual, interpretation, expected, shown)
            for interpretation, expected in answers.items()
            if expected.shape == actual.shape
        ]
        if compared:
            yield min(compared, key=lambda entry: (entry.found.mismatched, entry.found.error_sum))


def changes(
    outputs: Mapping[str, np.ndarray[Any, Any]],
    others: Mapping[str, np.ndarray[Any, Any]],
    against: str,
    shown: int,
) -> Iterator[Difference]:
    """Each output against the output of the same name, shape and kind of another execution."""
    for name, actual in outputs.items():
        other = others.get(name)
        if other is not None and other.shape == actual.shape and other.dtype.kind == actual.dtype.kind:
            yield difference(name, actual, against, other, shown)


def difference(
    name: str, actual: np.ndarray[Any, Any], against: str, expected: np.ndarray[Any, Any], shown: int
) -> Difference:
    """Compare two arrays; the second is rounded to the first one's dtype."""
    found = tally(actual, expected, shown=shown)
    spread = distribution(actual, expected, found.error_max)
    differing = found.elements - spread.equal
    places = _places(actual, expected, found.error_max) if differing else ()
    return Difference(name, against, actual.dtype.name, differing, found, spread, places)


def _places(
    actual: np.ndarray[Any, Any], expected: np.ndarray[Any, Any], largest: float
) -> tuple[tuple[int, ...], ...]:
    with np.errstate(all="ignore"):
        stored = expected.astype(actual.dtype)
        error = np.abs(actual.astype(np.float64) - stored.astype(np.float64))
        same = (actual == stored) | ((actual != actual) & (stored != stored))
        wrong = ~same & ~(error <= largest * 10.0**-DECADES_SHOWN)
    return tuple(tuple(np.unique(axis).tolist()) for axis in np.nonzero(wrong))
