"""Differences for a terminal: where, how much, and a picture of both."""

from __future__ import annotations

from itertools import groupby
from typing import Iterator, Sequence

from tabulate import tabulate

from mluops_conformance.artefacts.difference import Difference, Told
from mluops_conformance.judging.distribution import LOWEST, PER_DECADE
from mluops_conformance.judging.values import Element
from mluops_conformance.support.formatting import counted, exact, short

BAR = 40
"""Signs of the longest bar."""
RANGES = 6
"""Ranges of indices that are written out."""


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
