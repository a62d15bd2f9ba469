"""Cases as values, their sizes on a device, and problems at places of case files.

A case is what a case file says once it is expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Iterable, Mapping, Sequence, Union

import numpy as np
from mluops_emulator.device import MODELS

from mluops_conformance.errors import UserError
from mluops_conformance.language.expressions import Expression
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import Operator
from mluops_conformance.operators.limits import Device

Scalar = Union[int, float]

SHOWN = 12
"""Known names that an error lists where none is close."""

KNOWN_DEVICES: dict[str, Device] = {
    name: Device(model.nram_bytes, model.clusters, model.cores_per_cluster, model.sram_bytes)
    for name, model in MODELS.items()
}
"""Devices on which every case must have sizes. Until a run's device is known, they are those of the first."""


@dataclass(frozen=True)
class Origin:
    """A place in a case file; `str()` gives "file:line:column", the file as seen from the current folder."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class FillSpec:
    """The fill of an input: its name and its options, as written (`uniform`, `{"range": (0, 1)}`)."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Link:
    """The tensor of an earlier call whose device buffer an input is; `str()` gives "step.tensor"."""

    step: str
    tensor: str

    def __str__(self) -> str:
        return f"{self.step}.{self.tensor}"


@dataclass(frozen=True)
class DescriptorOverride:
    """The changes that a case makes to one tensor's descriptor; `null` passes NULL for the descriptor."""

    dtype: str | None = None  # a mluOpDataType_t name without its prefix ("HALF") or a NumPy name
    layout: str | None = None
    shape: tuple[int, ...] | None = None
    strides: tuple[int, ...] | None = None
    null: bool = False

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that are given, but for `null`."""
        values = {name: getattr(self, name) for name in ("dtype", "layout", "shape", "strides")}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Case:
    """One case, as it will be executed. Everything is resolved but the data itself.

    Parameters
    ----------
    id : str
        "<operator>/<id in the file>", then ":key=value,key=value" for matrix points. Unique in a run.
    dims, params : mapping
        Every dimension and scalar of the operator, defaults applied. A param named like a dim overrides only
        the scalar that is passed, not the shapes.
    limits : mapping of dim to Expression
        Dims that follow from the device; none once the device is known (`sized`). Until then `dims` has
        what they are on the first of the known devices.
    dtype : str
        The NumPy name of the case's dtype.
    data : mapping of input name to FillSpec
        Every input that is neither absent nor linked.
    links : mapping of input name to Link
        The inputs that are tensors of earlier calls.
    after : tuple of Step
        The calls before this one, in order, on the same queue.
    absent : frozenset of str
        Optional tensors that are passed as NULL, descriptor and pointer.
    pointers : frozenset of str
        Tensors (or "workspace", "handle") whose pointer is NULL.
    call : str
        "operator", or "workspace" to call the workspace query alone.
    statuses : tuple of str
        The expected mluOpStatus_t names without their prefix, any of which is right.
    compare : bool
        False: status only, outputs must stay untouched (zero-element successes).
    thresholds : mapping of measure to float
        The case's own, over the operator's.
    clusters : int, optional
        How many clusters kernels may use; 0: one core. All by default.
    mode : str
        "check", "status" (derived where the status is a refusal), "repeat" or "perf".
    """

    id: str
    operator: str
    origin: Origin = field(compare=False)
    dims: Mapping[str, int]
    params: Mapping[str, Scalar]
    dtype: str
    limits: Mapping[str, Expression] = field(default_factory=dict)
    data: Mapping[str, FillSpec] = field(default_factory=dict)
    links: Mapping[str, Link] = field(default_factory=dict)
    after: tuple[Step, ...] = ()
    absent: frozenset[str] = frozenset()
    descriptors: Mapping[str, DescriptorOverride] = field(default_factory=dict)
    pointers: frozenset[str] = frozenset()
    call: str = "operator"
    statuses: tuple[str, ...] = ("SUCCESS",)
    compare: bool = True
    thresholds: Mapping[str, float] = field(default_factory=dict)
    clusters: int | None = None
    mode: str = "check"
    repeat: int = 1
    tags: frozenset[str] = frozenset()
    checks: tuple[str, ...] = ()
    source: str = ""
    note: str = ""
    requires: frozenset[str] = frozenset()  # "device"
    library: str = ""  # version range of libmluops, as ">=1.0,<1.9"
    series: frozenset[str] = frozenset()  # device series; empty: any
    timeout: float | None = None  # seconds

    def but(self, **fields: Any) -> Case:
        """Return a copy with other fields. `dataclasses.replace` takes many times as long."""
        assert fields.keys() <= vars(self).keys()
        copy = object.__new__(Case)
        vars(copy).update(vars(self), **fields)
        return copy

    @property
    def refused(self) -> bool:
        """True where the call is, or may be, refused: nothing is computed then, and little is allocated."""
        return self.statuses != ("SUCCESS",)

    @property
    def changed_scalars(self) -> dict[str, Scalar]:
        """The scalars that differ from the dimension of their name, which gives the shapes."""
        return {
            name: value
            for name, value in self.params.items()
            if name in self.dims and value != self.dims[name]
        }

    @property
    def expected_status(self) -> str:
        """The expected statuses in words, as "BAD_PARAM or NOT_SUPPORTED"."""
        return " or ".join(self.statuses)

    @property
    def entry_id(self) -> str:
        """The id without what a matrix added: that of the entry in the file."""
        return self.id.partition(":")[0]

    @property
    def calls(self) -> tuple[Case, ...]:
        """All calls in order: those of the steps before, then this one."""
        return (*(step.case for step in self.after), self)

    @property
    def follows_device(self) -> bool:
        """True where a size of any call follows from the device."""
        return bool(self.limits) or any(step.case.limits for step in self.after)


@dataclass(frozen=True)
class Step:
    """A call that a case makes before its own, on the same queue.

    Parameters
    ----------
    name : str
        Its name in the case.
    case : Case
        The call. Its id, "CASE#STEP", decides its data.
    shared : frozenset of str
        The dimensions that the case gives it.
    """

    name: str
    case: Case
    shared: frozenset[str] = frozenset()

    def given(self, dims: Mapping[str, int]) -> Step:
        """Return the step with the case's sizes of the dimensions that it shares."""
        sizes = {name: dims[name] for name in self.shared}
        return replace(self, case=replace(self.case, dims={**self.case.dims, **sizes}))


@dataclass(frozen=True)
class Problem:
    """One thing wrong; `str()` gives "file:line:column: text"."""

    origin: Origin
    text: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.text}"


class CaseFileError(UserError):
    """Case files that cannot be used; the text holds all problems, one a line."""

    prefixed = False

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems: tuple[Problem, ...] = tuple(problems)


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of an error on an unknown `word`: the name that was meant, or the names that exist."""
    names = sorted(known)
    by_folded = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), by_folded, n=1)
    if close:
        return f" (did you mean '{by_folded[close[0]]}'?)"
    if not names:
        return " (there are none)"
    more = ", ..." if len(names) > SHOWN else ""
    return f" (there are: {', '.join(names[:SHOWN])}{more})"


def sized(case: Case, operator: Operator, device: Device) -> Case:
    """A case with the sizes that it has on a device; the case itself where it names no limit."""
    if not case.follows_device:
        return case
    dims = _dims_on(case, operator, device)
    steps = [step.given(dims) for step in case.after]
    after = tuple(
        replace(step, case=sized(step.case, the_operator(step.case.operator), device)) for step in steps
    )
    return replace(case, dims=dims, limits={}, after=after)


def _dims_on(case: Case, operator: Operator, device: Device) -> dict[str, int]:
    usable, itemsize = device.limited_to(case.clusters), np.dtype(case.dtype).itemsize
    limits = {name: operator.limit(expression.limit) for name, expression in case.limits.items()}
    known: dict[str, Scalar] = {**case.params, **case.dims}
    for name in sorted(limits, key=lambda name: len(limits[name].given)):  # what others need comes first
        known[name] = case.limits[name].at(limits[name].of(usable, itemsize, known))
    return {dim.name: int(known[dim.name]) for dim in operator.dims}


def misfit(case: Case, operator: Operator, device: Device) -> str:
    """Return the reason why an operator refuses the sizes of a case on a device; empty if all are taken.

    Without the size, which a record has beside it, so that one line tells of all cases with the same reason.
    """
    if not case.follows_device:
        return ""
    there = sized(case, operator, device)
    followed = [(operator, there.dims, name) for name in case.limits]
    for step in there.after:
        followed += [(the_operator(step.case.operator), step.case.dims, name) for name in step.case.dims]
    for taking, dims, name in followed:
        unmet = taking.dim(name).unmet(dims[name])
        if unmet:
            return f"{name}, which follows from the device, is not what the library takes: {unmet}"
    return ""
