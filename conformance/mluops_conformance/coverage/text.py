"""Coverage as tables for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

from mluops.constants import mluOpStatus_t
from mluops.signatures import MLUOP
from tabulate import tabulate

from mluops_conformance.coverage.facets import (
    Extent,
    Statement,
    calls,
    dtypes,
    entries,
    layouts,
    outcomes_of,
    statements,
    values,
)
from mluops_conformance.language.model import Case
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators.base import Operator
from mluops_conformance.support.formatting import counted

__all__ = ["render"]

Operators = Mapping[str, Operator]
Outcomes = Mapping[str, str]

STATEMENT_WIDTH, CASES_WIDTH = 46, 60
"""Characters of a line in the columns that wrap."""

LISTED = 12
"""Values that are listed one by one; of more, only the number and the ends are shown."""


def render(
    cases: Sequence[Case],
    operators: Operators,
    requirements: Iterable[Requirement],
    outcomes: Outcomes | None = None,
) -> str:
    """Everything that the cases cover, one plain line on the requirements last.

    Parameters
    ----------
    cases : sequence of Case
    operators : mapping of str to Operator
        Those of the cases.
    requirements : iterable of Requirement
        The statements on these operators.
    outcomes : mapping of str to str, optional
        A run's, by case id; without it, no outcomes are shown.
    """
    covered = statements(requirements, cases)
    blocks = [_statements(name, covered, outcomes) for name in operators]
    blocks += [_calls(cases, operators, outcomes), *_passed(cases, operators), _summary(covered)]
    return "\n\n".join(blocks)


def _statements(operator: str, covered: Iterable[Statement], outcomes: Outcomes | None) -> str:
    mine = [entry for entry in covered if entry.requirement.operator == operator]
    rows = [_statement_row(entry, outcomes) for entry in mine]
    document = mine[0].requirement.document if mine else "no document"
    return _titled(f"{operator} ({document})", ("requirement", "statement", "cases"), rows, outcomes)


def _statement_row(entry: Statement, outcomes: Outcomes | None) -> list[str]:
    requirement = entry.requirement
    return [
        requirement.id.partition("/")[2],
        textwrap.fill(requirement.text, STATEMENT_WIDTH),
        "\n".join(_wrapped(text) for text in _evidence(entry, outcomes)),
        *_outcome_cell(entry.cases, outcomes),
    ]


def _evidence(entry: Statement, outcomes: Outcomes | None) -> Iterator[str]:
    """Why no case need check a statement, and the entries whose cases do."""
    if entry.requirement.explanation:
        yield f"{entry.requirement.status}: {entry.requirement.explanation}"
    if entry.is_open:
        yield "NO CASE AND NO REASON"
    names = [_entry_text(name, cases, outcomes) for name, cases in entries(entry.cases).items()]
    if names:
        yield ", ".join(names)


def _entry_text(name: str, cases: Sequence[Case], outcomes: Outcomes | None) -> str:
    """`name`, or `name (12)` for twelve cases, with the outcomes that are not `passed`."""
    counts: Counter[str] = Counter() if outcomes is None else outcomes_of(cases, outcomes)
    passed = counts.pop("passed", 0)
    parts = [str(len(cases))] if len(cases) > 1 and (passed or not counts) else []
    parts += [_counted(counts)] if counts else []
    return f"{name} ({': '.join(parts)})" if parts else name


def _calls(cases: Sequence[Case], operators: Operators, outcomes: Outcomes | None) -> str:
    called = calls(cases, operators)
    rows = [
        [
            ", or ".join(functions),
            MLUOP[functions[0]].since,
            status,
            str(len(its)),
            *_outcome_cell(its, outcomes),
        ]
        for (functions, status), its in sorted(called.items())
    ]
    expected = {status for _, status in called}
    others = [name for name in (_short(status.name) for status in mluOpStatus_t) if name not in expected]
    number = len({functions for functions, _ in called})
    table = _titled("C functions and statuses", ("function", "since", "expected", "cases"), rows, outcomes)
    called_of_all = f"{number} of {len(MLUOP)} functions of mlu_op.h are called."
    return f"{table}\n\n{called_of_all} No case expects {', '.join(others)}."


def _passed(cases: Sequence[Case], operators: Operators) -> Iterator[str]:
    """A table for each kind of thing that cases pass to operators."""
    facets: tuple[tuple[str, Callable[..., dict[str, Extent]]], ...] = (
        ("Dtypes of descriptors", dtypes),
        ("Layouts of descriptors", layouts),
        ("Dimensions and scalars", values),
    )
    for title, facet in facets:
        rows = [
            [f"{name}.{thing}", _wrapped(_listed(extent.accepted)), _wrapped(_listed(extent.refused))]
            for name, operator in operators.items()
            for thing, extent in facet([case for case in cases if case.operator == name], operator).items()
        ]
        yield _titled(title, ("", "accepted (cases)", "refused (cases)"), rows, None)


def _listed(found: Counter[Any]) -> str:
    """`FLOAT (12), HALF (3)`; of many numbers, how many and from where to where."""
    if len(found) <= LISTED:
        return ", ".join(f"{_shown(value)} ({found[value]})" for value in sorted(found, key=_order))
    numbers = [value for value in found if math.isfinite(value)]
    special = [_shown(value) for value in found if not math.isfinite(value)]
    return ", ".join(
        [f"{len(numbers)} values from {_shown(min(numbers))} to {_shown(max(numbers))}", *special]
    )


def _order(value: Any) -> tuple[bool, Any]:
    return value != value, value


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _summary(covered: Sequence[Statement]) -> str:
    counts = Counter(entry.requirement.status for entry in covered)
    uncovered = [entry.requirement.id for entry in covered if entry.is_open]
    end = (
        f"without a case or a reason: {', '.join(uncovered)}" if uncovered else "each has a case or a reason"
    )
    return f"{counted(len(covered), 'requirement')} ({_counted(counts)}): {end}"


def _outcome_cell(cases: Sequence[Case], outcomes: Outcomes | None) -> list[str]:
    return [] if outcomes is None else [_counted(outcomes_of(cases, outcomes))]


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


def _titled(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], outcomes: Outcomes | None
) -> str:
    heads = heads if outcomes is None else (*heads, "last outcome")
    return f"{title}\n\n{tabulate(rows, heads, tablefmt='simple', disable_numparse=True)}"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, CASES_WIDTH, break_on_hyphens=False)


def _short(status: str) -> str:
    return status[len("MLUOP_STATUS_") :]
