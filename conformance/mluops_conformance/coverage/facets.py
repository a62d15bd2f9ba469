"""Pure functions from cases, definitions and the outcomes of a run to what the cases cover."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence, Tuple, TypeVar

import numpy as np
from mluops.dtypes import to_mluop

from mluops_conformance.language.model import Case, DescriptorOverride
from mluops_conformance.language.requirements import TESTED, Requirement
from mluops_conformance.operators.base import CASE_DTYPE, Operator, Tensor

__all__ = [
    "NOT_RUN",
    "Extent",
    "Statement",
    "calls",
    "dtypes",
    "entries",
    "layouts",
    "outcomes_of",
    "statements",
    "values",
]

NOT_RUN = "not run"

Key = TypeVar("Key")
Call = Tuple[Tuple[str, ...], str]
Observed = Iterator[Tuple[str, Any, bool]]
"""A name, a value that a case passes for it, and whether the case expects the call to be accepted."""


@dataclass(frozen=True)
class Statement:
    """A requirement and the cases that check it."""

    requirement: Requirement
    cases: tuple[Case, ...]

    @property
    def is_open(self) -> bool:
        """Whether it has neither a case nor a reason to have none."""
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
    """How many cases ended how, by a run's outcomes by case id."""
    return Counter(outcomes.get(case.id, NOT_RUN) for case in cases)


def calls(cases: Iterable[Case], operators: Mapping[str, Operator]) -> dict[Call, list[Case]]:
    """The cases by the C function that they call and the status that they expect.

    A function stands with its older names, the newest first: the first that a library has is called.
    """

    def called(case: Case) -> tuple[str, ...]:
        operator = operators[case.operator]
        return operator.functions if case.call == "operator" else (operator.workspace_function or "",)

    return _grouped(cases, lambda case: [(called(case), status) for status in case.statuses])


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
