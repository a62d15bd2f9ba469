"""Read the sections of a case that name parts of its operator: dimensions, scalars, tensors, measures."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Dict, Mapping, NamedTuple, Sequence

import numpy as np

from mluops_conformance.fills.registry import GENERIC, Fill, FillContext, options_of
from mluops_conformance.judging.measures import MEASURES as ALL_MEASURES
from mluops_conformance.language.documents import Findings, unknown, wanted
from mluops_conformance.language.expressions import Expression
from mluops_conformance.language.fields import read_fields
from mluops_conformance.language.kinds import (
    KINDS,
    LARGEST_SIZE,
    NUMPY_DTYPES,
    float_scalar,
    int_scalar,
    mapping,
    size_or_limit,
    text,
    threshold,
)
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec, Link
from mluops_conformance.language.nodes import Node
from mluops_conformance.language.requirements import Requirement, complaint
from mluops_conformance.operators.base import (
    CASE_DTYPE,
    Dim,
    Operator,
    Param,
    Scalar,
    Tensor,
    entries_of,
    shape_of,
)
from mluops_conformance.operators.limits import Limit

__all__ = [
    "MEASURES",
    "Sections",
    "Shared",
    "Vocabulary",
    "inner",
    "read_descriptor",
    "read_fill",
    "read_link",
]


NOTHING_COMPUTED = (
    "a call that computes nothing needs expect: {status: ...} if it is refused, else {outputs: untouched}"
)
FROM = "from"
"""The key of an input that is a tensor of an earlier call."""
REFUSED_DTYPES = "write what the library must refuse under descriptors"

Entries = Dict[str, Node]

MEASURES = tuple(ALL_MEASURES)
"""Measures that can have a threshold."""


class Shared(NamedTuple):
    """The sizes, scalars and dtype that a step takes from its case where it gives none itself."""

    dims: Mapping[str, int] = {}
    params: Mapping[str, Scalar] = {}
    dtype: str = ""


NOTHING_SHARED = Shared()


class Sections:
    """The readers of one case's mappings; each notes what is wrong and returns what is right.

    Parameters
    ----------
    place : Node
        The entry of `cases`, where what is missing is reported.
    entries, defaults : dict of str to Node
        The fields of the case, expanded, and those of the file's `defaults` among them: what comes from there
        may be of no use to a case, while what a case says itself may not.
    names : Vocabulary
        The operator's names.
    shared : Shared
        The values of a case whose step this is.
    """

    def __init__(
        self,
        place: Node,
        entries: Entries,
        defaults: Entries,
        names: Vocabulary,
        found: Findings,
        shared: Shared = NOTHING_SHARED,
    ) -> None:
        self.place = place
        self.entries = entries
        self._defaults = defaults
        self.names = names
        self._found = found
        self._shared = shared

    def section(self, name: str) -> Entries:
        """The entries of a mapping; none where the case has no such field."""
        node = self.entries.get(name)
        return {} if node is None else self._found.read(mapping, name, node) or {}

    def inherited(self, name: str) -> Node | None:
        """Return a field as the file's defaults have it."""
        return self._defaults.get(name)

    def dims(self) -> tuple[dict[str, int], dict[str, Expression]]:
        """Every dimension's size: the numbers, and those that follow from the device."""
        given = self.section("dims")
        for name, node in given.items():
            if name not in self.names.dims:
                self._found.unknown_key(node, "dim", name, self.names.dims)
        numbers: dict[str, int] = {}
        limits: dict[str, Expression] = {}
        for name, dim in self.names.dims.items():
            value: int | Expression | None = self._shared.dims.get(name, dim.default)
            if name in given:
                value = self._found.read(size_or_limit, f"dims.{name}", given[name], self.names.limits)
            elif value is None:
                self._missing("dims", name, dim.help)
            if isinstance(value, Expression):
                limits[name] = value
            elif value is not None:
                numbers[name] = value
        self._check_given(limits)
        return numbers, limits

    def _check_given(self, limits: dict[str, Expression]) -> None:
        """Refuse a limit that follows from a dimension; its arguments may follow from the device in turn."""
        needs = {name: self.names.limits[expression.limit].given for name, expression in limits.items()}
        for name, given in needs.items():
            for needed in filter(needs.get, given):
                text = f"{limits[name].limit} follows from {needed}, which follows from dims in turn"
                self._found.at(self.section("dims")[name], f"dims.{name}: {text}")

    def params(self) -> dict[str, Scalar]:
        """Every scalar's value, and those of dimensions that the call is to be told otherwise."""
        given = self.section("params")
        scalars: dict[str, Scalar] = {}
        for name, param in self.names.params.items():
            value = self._shared.params.get(name, param.default)
            if name in given:
                reader = int_scalar if param.kind is int else float_scalar
                value = self._found.read(reader, f"params.{name}", given[name])
            elif value is None:
                self._missing("params", name, param.help)
            if value is not None:
                scalars[name] = value
        for name, node in given.items():
            if name in self.names.params:
                continue
            if name not in self.names.dims:
                self._found.unknown_key(node, "param", name, (*self.names.params, *self.names.dims))
                continue
            value = self._found.read(int_scalar, f"params.{name}", node)
            if value is not None:
                scalars[name] = value
        return scalars

    def check_accepted(self, dims: Mapping[str, int], params: Mapping[str, Scalar]) -> None:
        """Refuse values with which nothing is computed: such a case has no outputs to compare."""
        scalars: dict[str, Dim | Param] = {**self.names.dims, **self.names.params}
        for section, values in (("dims", dims), ("params", params)):
            given = self.section(section)
            for name, value in values.items():
                unmet = scalars[name].unmet(value)
                if unmet:
                    text = f"{section}.{name}: {value} is not accepted ({unmet}); {NOTHING_COMPUTED}"
                    self._found.at(given.get(name, self.place), text)

    def dtype(self) -> str:
        """The dtype of the case."""
        dtypes = self.names.operator.dtypes
        node = self.entries.get("dtype")
        default = self._shared.dtype if self._shared.dtype in dtypes else dtypes[0]
        value = default if node is None else self._found.read(text, "dtype", node)
        if node is None or not value or value in dtypes:
            return value or default
        if value in NUMPY_DTYPES:
            self._found.at(node, f"dtype: {value} is not accepted ({' or '.join(dtypes)}); {REFUSED_DTYPES}")
        else:
            self._found.note(unknown(node, "dtype", value, dtypes))
        return default

    def data(self, runs: bool) -> tuple[dict[str, FillSpec], dict[str, Link], frozenset[str]]:
        """The fills and links of inputs, none where nothing runs, and the optional inputs that are absent."""
        given = self.section("data")
        for name, node in given.items():
            if name not in self.names.inputs:
                self._found.unknown_key(node, "input", name, self.names.inputs)
        specs, links, absent = {}, {}, set()
        for name, tensor in self.names.inputs.items():
            spec = self._fill(tensor, given.get(name), runs)
            if isinstance(spec, Link):
                links[name] = spec
            elif spec is not None:
                specs[name] = spec
            elif tensor.optional:
                absent.add(name)
        return (specs, links, frozenset(absent)) if runs else ({}, {}, frozenset(absent))

    def _fill(self, tensor: Tensor, node: Node | None, runs: bool) -> FillSpec | Link | None:
        name = f"data.{tensor.name}"
        if node is None:
            spec = self.names.default_fills.get(tensor.name)
            if spec is None and runs and not tensor.optional:
                self._found.at(self.place, f"{name} is missing: {tensor.help}")
            return spec
        if node.value is None:
            if not tensor.optional:
                self._found.at(node, f"{name} is not optional; NULL stands under pointers and descriptors")
            return None
        if not runs:
            self._check_use("data", tensor.name, node)
        if isinstance(node.value, dict) and FROM in node.value:
            return read_link(name, node.value, self._found)
        return read_fill(name, node, self.names.fills, self._found)

    def check_requirements(self) -> None:
        """Refuse requirements that no file states."""
        node, stated = self.entries.get("checks"), self.names.stated
        if stated is None or node is None or not isinstance(node.value, list):
            return
        for name in node.value:
            unfit = complaint(name.value, stated) if isinstance(name.value, str) else ""
            if unfit:
                self._found.at(name, unfit)

    def check_limits(self, limits: Mapping[str, Expression], dims: Mapping[str, int], device: str) -> bool:
        """Note sizes on a device that lie outside of 1 to `LARGEST_SIZE`; return whether there are none."""
        given, before = self.section("dims"), self._found.reports
        for name, expression in limits.items():
            if not 1 <= dims[name] <= LARGEST_SIZE:
                self._found.at(given[name], f"dims.{name}: {expression} is {dims[name]} on {device}")
        return self._found.reports == before

    def check_fills(self, case: Case, where: str = "") -> bool:
        """Return whether each fill can make its input in its shape and dtype; `where` ends each complaint."""
        before = self._found.reports
        given = self.section("data")
        for name, spec in case.data.items():
            tensor = self.names.inputs[name]
            fill = self.names.fills[spec.name]
            shape, storage = shape_of(tensor, case.dims), self.names.dtype_of(tensor, case.dtype)
            options = options_of(fill, spec)
            context = FillContext(name, shape, storage, case.dims, case.params, options, self._found.folder)
            complaint = fill.complaint(context)
            if complaint:
                self._found.at(
                    given.get(name, self.place), f"data.{name}: fill {spec.name} {complaint}{where}"
                )
        return self._found.reports == before

    def descriptors(self, runs: bool, dims: Mapping[str, int]) -> dict[str, DescriptorOverride]:
        """Read the changes to the descriptors; a dimension that is wrong is missing in `dims`."""
        overrides = {}
        for name, node in self.section("descriptors").items():
            tensor = self.names.described.get(name)
            if tensor is None:
                self._found.unknown_key(node, "tensor with a descriptor", name, self.names.described)
                continue
            override = read_descriptor(f"descriptors.{name}", node, self._found)
            if override is not None:
                entries = entries_of(tensor, defaultdict(int, dims))
                self._check_ranks(name, entries, node, override, runs)
                overrides[name] = override
        return overrides

    def _check_ranks(
        self, name: str, entries: Sequence[str], node: Node, override: DescriptorOverride, runs: bool
    ) -> None:
        rank = len(entries)
        if override.shape is not None:
            if runs and len(override.shape) != rank:
                dims = f"{rank} dimensions ({', '.join(entries)})"
                text = f"descriptors.{name}.shape has {len(override.shape)} numbers, {name} {dims}"
                self._found.at(inner(node, "shape"), text)
            rank = len(override.shape)
        if override.strides is not None and len(override.strides) != rank:
            text = f"descriptors.{name}.strides has {len(override.strides)} numbers for {rank} dimensions"
            self._found.at(inner(node, "strides"), text)

    def pointers(self, call: str) -> frozenset[str]:
        """The pointers that are NULL."""
        known = self.names.pointers[call]
        given = self.section("pointers")
        for name, node in given.items():
            if name not in known:
                self._found.unknown_key(node, "pointer", name, known)
            elif node.value is not None:
                self._found.note(wanted(node, f"pointers.{name}", "null"))
        return frozenset(given)

    def thresholds(self, runs: bool) -> dict[str, float]:
        """The case's own thresholds, none where nothing runs."""
        limits: dict[str, float] = {}
        for name, node in self.section("thresholds").items():
            if name not in MEASURES:
                self._found.unknown_key(node, "measure", name, MEASURES)
                continue
            if not runs:
                self._check_use("thresholds", name, node)
            limit = self._found.read(threshold, f"thresholds.{name}", node)
            if limit is not None:
                limits[name] = limit
        return limits if runs else {}

    def _check_use(self, section: str, name: str, node: Node) -> None:
        """Refuse fields of the case itself that have no use; inherited fields need none."""
        defaults = self._defaults.get(section)
        inherited = defaults.value if defaults is not None and isinstance(defaults.value, dict) else {}
        if inherited.get(name) is not node:
            self._found.at_key(node, f"{section}.{name} has no effect: this case computes nothing")

    def _missing(self, section: str, name: str, help: str) -> None:
        node = self.entries.get(section)
        if node is None or isinstance(node.value, dict):
            self._found.at(node or self.place, f"{section}.{name} is missing: {help}")


def inner(node: Node, name: str) -> Node:
    """Return an entry of a mapping."""
    return node.value[name] if isinstance(node.value, dict) else node


def read_fill(name: str, node: Node, fills: Mapping[str, Fill], found: Findings) -> FillSpec | None:
    """The fill of an input, its options checked one by one; None, and the reasons noted, where it is wrong.

    A list is short for `{fill: values, values: ...}`.
    """
    if isinstance(node.value, list):
        values = found.read(KINDS["list"], name, node, ())
        return None if values is None else FillSpec("values", {"values": values})
    if not isinstance(node.value, dict):
        found.note(
            wanted(node, name, "{fill: NAME, ...}, nested lists of values, {from: STEP.TENSOR}, or null")
        )
        return None
    options = dict(node.value)
    named = options.pop("fill", None)
    if named is None:
        found.at(node, f"{name} names no fill")
        return None
    fill_name = found.read(KINDS["text"], f"{name}.fill", named, ())
    fill = fills.get(fill_name or "")
    if fill is None:
        if fill_name:
            found.note(unknown(named, "fill", fill_name, fills))
        return None
    return _read_options(name, node, fill, options, found)


def _read_options(
    name: str, node: Node, fill: Fill, given: dict[str, Node], found: Findings
) -> FillSpec | None:
    before = found.reports
    known = {option.name: option for option in fill.options}
    options: dict[str, Any] = {}
    for key, value in given.items():
        option = known.get(key)
        if option is None:
            found.unknown_key(value, f"option of fill {fill.name}", key, known)
        else:
            options[key] = found.read(KINDS[option.kind], f"{name}.{key}", value, option.choices)
    for option in fill.options:
        if option.default is None and option.name not in given:
            found.at(node, f"{name}: fill {fill.name} needs '{option.name}', {option.help}")
    return FillSpec(fill.name, options) if found.reports == before else None


def read_link(name: str, entries: Entries, found: Findings) -> Link | None:
    """Read `{from: STEP.TENSOR}`; note the reason and return None if it is wrong."""
    for key, node in entries.items():
        if key != FROM:
            found.at_key(node, f"{name} is a tensor of another call: nothing else stands beside 'from'")
    place = entries[FROM]
    step, dot, tensor = place.value.partition(".") if isinstance(place.value, str) else ("", "", "")
    if step and dot and tensor:
        return Link(step, tensor)
    found.note(wanted(place, f"{name}.{FROM}", "STEP.TENSOR, a step of after and one of its tensors"))
    return None


def read_descriptor(name: str, node: Node, found: Findings) -> DescriptorOverride | None:
    """Read the changes to a descriptor; note the reasons and return None if they are wrong."""
    if node.value is None:
        return DescriptorOverride(null=True)
    before = found.reports
    values = read_fields("descriptors", found.read(mapping, name, node) or {}, node, found, f"{name}.")
    return DescriptorOverride(**values) if found.reports == before else None


class Vocabulary:
    """An operator's names, looked up for every case of a file.

    Attributes
    ----------
    dims, limits, params, inputs, tensors, described : dict by name
    default_fills : dict of str to FillSpec
        By input, where it has one.
    fills : dict of str to Fill
        The operator's own before the generic ones.
    pointers : dict of str to tuple of str
        What may be NULL, by the value of a case's `call`.
    stated : mapping of str to Requirement, optional
        What cases may check, by id; anything where it is None.
    """

    def __init__(self, operator: Operator, stated: Mapping[str, Requirement] | None = None) -> None:
        self.operator = operator
        self.stated = stated
        self.dims: dict[str, Dim] = {dim.name: dim for dim in operator.dims}
        self.limits: dict[str, Limit] = {limit.name: limit for limit in operator.limits}
        self.params: dict[str, Param] = {param.name: param for param in operator.params}
        self.inputs: dict[str, Tensor] = {tensor.name: tensor for tensor in operator.inputs}
        self.tensors: dict[str, Tensor] = {tensor.name: tensor for tensor in operator.tensors}
        self.described = {name: tensor for name, tensor in self.tensors.items() if tensor.described}
        self.default_fills: dict[str, FillSpec] = {
            tensor.name: _spec(tensor.fill) for tensor in operator.inputs if tensor.fill is not None
        }
        self.fills: dict[str, Fill] = {**GENERIC, **operator.fills}
        workspace = ("workspace",) if operator.workspace_functions else ()
        self.pointers: dict[str, tuple[str, ...]] = {
            "operator": ("handle", *self.tensors, *workspace),
            "workspace": ("handle", "workspace_size"),
        }

    def dtype_of(self, tensor: Tensor, dtype: str) -> np.dtype[Any]:
        """The storage dtype of a tensor in a case of a dtype."""
        return np.dtype(dtype if tensor.dtype == CASE_DTYPE else tensor.dtype)


def _spec(fill: Mapping[str, Any]) -> FillSpec:
    return FillSpec(fill["fill"], {name: value for name, value in fill.items() if name != "fill"})
