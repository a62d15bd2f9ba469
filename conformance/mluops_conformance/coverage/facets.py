"""Count what cases cover, requirement by requirement and argument by argument, and show it as tables."""

from __future__ import annotations

import csv
import math
import textwrap
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence, Tuple, TypeVar

import numpy as np
from mluops.constants import mluOpStatus_t
from mluops.dtypes import to_mluop
from mluops.signatures import MLUOP
from tabulate import tabulate

from mluops_conformance.errors import UserError
from mluops_conformance.language.model import Case, DescriptorOverride
from mluops_conformance.language.requirements import TESTED, Requirement
from mluops_conformance.operators.base import CASE_DTYPE, Operator, Tensor
from mluops_conformance.support.formatting import counted

__all__ = [
    "NOT_RUN",
    "Extent",
    "Statement",
    "calls",
    "dtypes",
    "entries",
    "layouts",
    "outcomes_of",
    "read_tried",
    "render",
    "render_tried",
    "statements",
    "values",
]


NOT_RUN = "not run"

Key = TypeVar("Key")
Call = Tuple[Tuple[str, ...], str]
Observed = Iterator[Tuple[str, Any, bool]]
"""A name, a value that a case passes for it, and whether the case expects the call to be accepted."""

Operators = Mapping[str, Operator]
Outcomes = Mapping[str, str]

STATEMENT_WIDTH, CASES_WIDTH = 46, 60
"""Characters of a line in the columns that wrap."""

LISTED = 12
"""Values that are listed one by one; of more, only the number and the ends are shown."""


@dataclass(frozen=True)
class Statement:
    """A requirement and the cases that check it."""

    requirement: Requirement
    cases: tuple[Case, ...]

    @property
    def is_open(self) -> bool:
        """Return whether the statement has neither a case nor a reason to have none."""
        return not self.cases and self.requirement.status == TESTED


@dataclass(frozen=True)
class Extent:
    """The values that cases pass for one thing, and in how many cases: accepted calls, and refused ones."""

    accepted: Counter[Any] = field(default_factory=Counter)
    refused: Counter[Any] = field(default_factory=Counter)


def statements(requirements: Iterable[Requirement], cases: Iterable[Case]) -> list[Statement]:
    """Each requirement with its cases, in the order of the requirements."""
    by_id = _grouped(cases, lambda case: case.checks)
    return [Statement(requirement, tuple(by_id.get(requirement.id, ()))) for requirement in requirements]


def entries(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """The cases by their entries in the case files, whose ids stand here without the operator."""
    return _grouped(cases, lambda case: (case.entry_id.partition("/")[2],))


def outcomes_of(cases: Iterable[Case], outcomes: Mapping[str, str]) -> Counter[str]:
    """Count the outcomes of cases; `outcomes` has those of a run by case id."""
    return Counter(outcomes.get(case.id, NOT_RUN) for case in cases)


def calls(cases: Iterable[Case], operators: Mapping[str, Operator]) -> dict[Call, list[Case]]:
    """The cases by the C function that they call and the status that they expect.

    A function stands with its older names, the newest first: the first that a library has is called. A case
    of several calls counts under each function.
    """

    def called(call: Case) -> tuple[str, ...]:
        operator = operators[call.operator]
        return operator.functions if call.call == "operator" else operator.workspace_functions

    return _grouped(
        cases,
        lambda case: {
            (called(call), status): None
            for call in case.calls
            if call.operator in operators
            for status in call.statuses
        },
    )


def dtypes(cases: Sequence[Case], operator: Operator) -> dict[str, Extent]:
    """The mluOpDataType_t of each tensor's descriptor; a refused call counts where the case changes it."""
    return _extents(_in_descriptors(cases, operator, _dtype))


def layouts(cases: Sequence[Case], operator: Operator) -> dict[str, Extent]:
    """The mluOpTensorLayout_t of each tensor's descriptor; refused calls count as in `dtypes`."""
    return _extents(_in_descriptors(cases, operator, _layout))


def values(cases: Iterable[Case], operator: Operator) -> dict[str, Extent]:
    """The values of each dimension and scalar; as refused, those that no accepted call has."""
    names = [dim.name for dim in operator.dims] + [param.name for param in operator.params]
    extents = _extents(
        (name, {**case.dims, **case.params}[name], not case.refused) for case in cases for name in names
    )
    for extent in extents.values():
        for value in extent.accepted:
            del extent.refused[value]
    return extents


def read_tried(path: str) -> dict[str, dict[str, Extent]]:
    """Read the values that a search has tried, by operator and argument; examples count in place of cases.

    Raises
    ------
    UserError
        The file is no table of tried values.
    """
    tried: dict[str, dict[str, Extent]] = {}
    try:
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                extent = tried.setdefault(row["operator"], {}).setdefault(row["argument"], Extent())
                counts = extent.refused if row["call"] == "refused" else extent.accepted
                counts[_number(row["value"])] += int(row["examples"])
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except (KeyError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UserError(f"{path} is not a tried.csv that `fuzz --out` wrote ({reason})") from None
    return tried


def render_tried(tried: Mapping[str, Mapping[str, Extent]], operators: Operators) -> str:
    """Show the values that a search has tried in calls of operators."""
    rows = [
        [f"{name}.{argument}", _wrapped(_listed(extent.accepted)), _wrapped(_listed(extent.refused))]
        for name in operators
        for argument, extent in tried.get(name, {}).items()
    ]
    return _titled("Tried by search", ("", "computed (examples)", "refused (examples)"), rows, None)


def _number(text: str) -> float:
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _in_descriptors(
    cases: Iterable[Case],
    operator: Operator,
    read: Callable[[Case, Tensor, DescriptorOverride], str],
) -> Observed:
    described = [tensor for tensor in operator.tensors if tensor.described]
    as_it_is = DescriptorOverride()
    for case in cases:
        accepted = not case.refused
        for tensor in described:
            override = case.descriptors.get(tensor.name, as_it_is)
            if override.null or tensor.name in operator.absent_with(case.absent):
                continue
            said = read(case, tensor, override)
            if accepted or said != read(case, tensor, as_it_is):
                yield tensor.name, said, accepted


def _dtype(case: Case, tensor: Tensor, override: DescriptorOverride) -> str:
    name = override.dtype or (case.dtype if tensor.dtype == CASE_DTYPE else tensor.dtype)
    return to_mluop(np.dtype(name)).name[len("MLUOP_DTYPE_") :] if name.islower() else name


def _layout(case: Case, tensor: Tensor, override: DescriptorOverride) -> str:
    return override.layout or tensor.layout


def _extents(observed: Iterable[tuple[str, Any, bool]]) -> dict[str, Extent]:
    extents: dict[str, Extent] = {}
    for name, value, accepted in observed:
        extent = extents.setdefault(name, Extent())
        (extent.accepted if accepted else extent.refused)[value] += 1
    return extents


def _grouped(cases: Iterable[Case], keys: Callable[[Case], Iterable[Key]]) -> dict[Key, list[Case]]:
    groups: dict[Key, list[Case]] = {}
    for case in cases:
        for key in keys(case):
            groups.setdefault(key, []).append(case)
    return groups


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
    blocks += [_calls_table(cases, operators, outcomes), *_passed(cases, operators), _summary(covered)]
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
    """Yield the reason why no case need check a statement, and the entries whose cases check it."""
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


def _calls_table(cases: Sequence[Case], operators: Operators, outcomes: Outcomes | None) -> str:
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
            for thing, extent in facet(_calls_of(name, cases), operator).items()
        ]
        yield _titled(title, ("", "accepted (cases)", "refused (cases)"), rows, None)


def _calls_of(operator: str, cases: Iterable[Case]) -> list[Case]:
    return [call for case in cases for call in case.calls if call.operator == operator]


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
