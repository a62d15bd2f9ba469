"""Compare two arrays of one shape: the places, sizes and axes of their differences, as values and as text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Iterator, Mapping, Sequence

import numpy as np
from tabulate import tabulate

from mluops_conformance.artefacts.file import REPEATED, Artefact
from mluops_conformance.judging.chunks import LOWEST, PER_DECADE, distribution
from mluops_conformance.judging.tally import Tally, tally
from mluops_conformance.judging.values import Distribution, Element
from mluops_conformance.operators import operator_names, the_operator
from mluops_conformance.operators.base import Operator
from mluops_conformance.support.formatting import counted, exact, short

DOUBLE = "the double-precision reference"

DECADES_SHOWN = 2
"""Errors of the largest so many decades count, when the indices where errors sit are listed."""

BAR = 40
"""Signs of the longest bar."""
RANGES = 6
"""Ranges of indices that are written out."""


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
    """The differences between the outputs of two executions, in the words of the operator.

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
    operator = the_operator(name) if name in operator_names() else None
    compare = operator.compare if operator else None
    if (
        operator is None
        or compare is None
        or not all(_has_any(each, operator) for each in (artefact, before or artefact))
    ):
        return None
    if before is not None:
        return Told(against, tuple(compare(dict(artefact.outputs), dict(before.outputs))))
    answers = {output: next(iter(answers.values())) for output, answers in artefact.expected.items()}
    return Told(DOUBLE, tuple(compare(dict(artefact.outputs), answers)))


def _has_any(artefact: Artefact, operator: Operator) -> bool:
    """Return whether there are outputs of the operator itself; those of calls before it have other names."""
    return any(output.name in artefact.outputs for output in operator.outputs)


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


def difference_text(difference: Difference) -> str:
    """A block of lines."""
    return "\n".join(_lines(difference))


def told_text(told: Told) -> str:
    """The sentences of an operator, a line each below what the outputs are compared with."""
    if not told.sentences:
        return f"the outputs against {told.against}: nothing differs"
    return "\n".join([f"the outputs against {told.against}:", *(f"  {line}" for line in told.sentences)])


def summary(difference: Difference) -> str:
    """One line: how much of an output differs, and by how much at most."""
    found = difference.found
    head = f"output `{difference.name}` against {difference.against}"
    if not difference.differing:
        same = "1 element is" if found.elements == 1 else f"all {found.elements} elements are"
        return f"{head}: {same} the same"
    special = f", {found.mismatched} of them in NaN or infinity" if found.mismatched else ""
    return (
        f"{head}: {difference.differing} of {counted(found.elements, 'element')} differ{special}, "
        f"by at most {short(found.error_max)}"
    )


def _lines(difference: Difference) -> Iterator[str]:
    yield summary(difference)
    if not difference.differing:
        return
    shape = difference.distribution.shape
    yield f"  {difference.dtype}, shape {' x '.join(map(str, shape)) or 'scalar'}"
    yield "  errors of more than a hundredth of the largest sit at"
    for axis, indices in enumerate(difference.places):
        yield f"    axis {axis}: {ranges(indices)}  ({len(indices)} of {shape[axis]})"
    yield ""
    yield from (f"  {line}" for line in _elements(difference))
    yield ""
    yield "  relative errors"
    yield from (f"  {line}" for line in bars(difference.distribution.histogram))
    yield ""
    yield "  map: last axis from left to right; 9 the largest errors, 8 a decade below, ! NaN or infinity"
    yield from (f"  |{line}|" for line in difference.distribution.map)


def ranges(indices: Sequence[int]) -> str:
    """Indices in order as ranges: "0, 3-7, 12"."""
    runs = []
    for _, group in groupby(enumerate(indices), key=lambda pair: pair[1] - pair[0]):
        members = [index for _, index in group]
        runs.append(str(members[0]) if len(members) == 1 else f"{members[0]}-{members[-1]}")
    more = f", and {len(runs) - RANGES} ranges more" if len(runs) > RANGES else ""
    return ", ".join(runs[:RANGES]) + more


def bars(histogram: Sequence[int]) -> Iterator[str]:
    """A bar for each bin that has something in it, and dots where others lie between."""
    before = None
    for place, count in enumerate(histogram):
        if not count:
            continue
        if before is not None and place > before + 1:
            yield " ..."
        size = -(-count * BAR // max(histogram))
        yield f"{10.0 ** (LOWEST + place / PER_DECADE):8.1e} {'#' * size:{BAR}} {count}"
        before = place


def _elements(difference: Difference) -> list[str]:
    elements = [*difference.found.mismatches, *difference.found.worst]
    rows = [_row(element) for element in elements]
    headers = ("at", "actual", "against", "off by", "relative")
    return tabulate(rows, headers=headers, tablefmt="plain", disable_numparse=True).splitlines()


def _row(element: Element) -> tuple[str, ...]:
    relative = short(element.error / abs(element.expected)) if element.expected else "-"
    index = ", ".join(map(str, element.index))
    return f"[{index}]", exact(element.actual), exact(element.expected), short(element.error), relative
