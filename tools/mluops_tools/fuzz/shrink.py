"""Find the smallest example that is still wrong in the same way, by delta debugging.

The steps simplify the call, the sizes, the scalars and the fills; then the data themselves: fewer rows, then
rounder numbers. They begin again until a round of all steps finds nothing smaller, or the time is over.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from mluops_conformance.execution.inputs import dtype_of, fill_inputs
from mluops_conformance.execution.options import PLACEMENTS
from mluops_conformance.fills.registry import FillError
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec
from mluops_conformance.language.steps import are_linked
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import Arrays, Operator, Tensor, entries_of, shape_of, tied

from mluops_tools.fuzz.draw import default_fill
from mluops_tools.fuzz.pool import Example

Fails = Callable[[Example], bool]
Simplify = Callable[[Example], Iterator[Example]]
"""Offers simpler examples than one."""
Step = Callable[[Example, Fails], Iterator[Example]]
"""Gives smaller and smaller examples that fail."""

MOST_NUMBERS = 4096
"""The most numbers that are written into a case, except for those of files."""

FEW_NUMBERS = 64
"""The most numbers of which each is made round alone."""

DECIMALS = (0, 1, 2, 3, 4)

PLAIN_FILLS: tuple[tuple[str, Mapping[str, Any]], ...] = (("zeros", {}), ("constant", {"value": 1}))


def shrink(example: Example, fails: Fails, end: float) -> Example:
    """Return the smallest example found that fails.

    Parameters
    ----------
    example : Example
        One that fails.
    fails : callable
        Whether an example is wrong in the same way.
    end : float
        The time, by `time.monotonic`, after which nothing more is tried.
    """
    tried: set[str] = set()

    def is_smaller(candidate: Example) -> bool:
        text = repr(candidate)
        if text in tried:
            return False
        tried.add(text)
        return fails(candidate)

    def is_wanted(candidate: Example) -> bool:
        if time.monotonic() >= end:
            raise _TimeIsUp
        return is_smaller(candidate)

    before = None
    try:
        while example != before:
            before = example
            for step in STEPS:
                for smaller in step(example, is_wanted):
                    example = smaller
    except _TimeIsUp:
        pass
    return example


class _TimeIsUp(Exception):
    """Ends the search within its steps."""


def _greedy(simplify: Simplify, example: Example, is_wanted: Fails) -> Iterator[Example]:
    """Give simpler examples, each made of the one before, until none is wrong any more."""
    found: Example | None = example
    while found is not None:
        found = next(filter(is_wanted, simplify(found)), None)
        if found is not None:
            yield found


def _calls(example: Example) -> Iterator[Example]:
    """Leave out what sets the call apart from a plain one."""
    case, plain = example.case, PLACEMENTS[0]
    if example.placement != plain:
        yield example._replace(placement=plain)
    if example.queues != 1:
        yield example._replace(queues=1)
    simpler: list[Case] = []
    if case.mode == "repeat":
        simpler.append(replace(case, mode="check", repeat=1))
    if case.clusters is not None:
        simpler.append(replace(case, clusters=None))
    if case.after:
        simpler.append(replace(_unlinked(case, case.links), after=()))
        simpler += [_unlinked(case, [name]) for name in case.links]
    simpler += [replace(case, pointers=case.pointers - {name}) for name in sorted(case.pointers)]
    simpler += [replace(case, descriptors=_without(case.descriptors, name)) for name in case.descriptors]
    simpler += [
        replace(case, params=_without(case.params, name)) for name in case.params if name in case.dims
    ]
    yield from (example._replace(case=candidate) for candidate in simpler)


def _unlinked(case: Case, names: Iterable[str]) -> Case:
    """Return the case with plain fills in place of links."""
    tensors = [tensor for tensor in the_operator(case.operator).inputs if tensor.name in names]
    fills = {tensor.name: default_fill(tensor) or FillSpec(*PLAIN_FILLS[1]) for tensor in tensors}
    links = {name: link for name, link in case.links.items() if name not in fills}
    return replace(case, data={**case.data, **fills}, links=links)


def _absent(example: Example) -> Iterator[Example]:
    """Leave out optional inputs."""
    case = example.case
    for tensor in the_operator(case.operator).inputs:
        if tensor.optional and tensor.name in case.data:
            absent = case.absent | {tensor.name}
            yield _with(example, absent=absent, data=_without(case.data, tensor.name))


def _sizes(example: Example) -> Iterator[Example]:
    """Make dimensions smaller: the least, half of the way to it, and one less."""
    case = example.case
    if _written(case):
        return
    for dim in the_operator(case.operator).dims:
        size = case.dims[dim.name]
        least = dict.fromkeys((dim.least, (size + dim.least) // 2, size - 1))
        targets = [value for value in dim.accepts or least if dim.least <= value < size]
        for target in targets:
            dims = tied(the_operator(case.operator), {**case.dims, dim.name: target})
            after = tuple(step.given(dims) for step in case.after)
            smaller = replace(case, dims=dims, after=after)
            if are_linked(smaller):
                yield _with(example, dims=dims, after=after, descriptors=_narrowed(case, dim.name, target))


def _narrowed(case: Case, name: str, size: int) -> Mapping[str, DescriptorOverride]:
    """Return the changes to descriptors, whose shapes follow a dimension where they agree with it."""
    operator, changed = the_operator(case.operator), {}
    for tensor_name, override in case.descriptors.items():
        tensor = operator.tensor(tensor_name)
        entries = entries_of(tensor, case.dims)
        if override.shape is not None and len(override.shape) == len(entries):
            shape = tuple(
                size if entry == name and extent == case.dims[name] else extent
                for entry, extent in zip(entries, override.shape)
            )
            override = replace(override, shape=shape)
        changed[tensor_name] = override
    return changed


def _scalars(example: Example) -> Iterator[Example]:
    """Set scalars to their defaults, or to round numbers."""
    case = example.case
    for param in the_operator(case.operator).params:
        value = case.params[param.name]
        simple: list[Any] = [*param.accepts[:1]] if param.accepts else [param.default, 1, 0]
        if param.kind is float:
            simple = [None if number is None else float(number) for number in simple]
            simple += [round(float(value), decimals) for decimals in DECIMALS]
        rank = simple.index(value) if value in simple else len(simple)
        for number in simple[:rank]:
            if number is not None:
                yield _with(example, params={**case.params, param.name: number})


def _fills(example: Example) -> Iterator[Example]:
    """Fill inputs plainly, or by their definition without options."""
    case = example.case
    for tensor in the_operator(case.operator).inputs:
        spec = case.data.get(tensor.name)
        if spec is None or spec.name in ("values", *(name for name, _ in PLAIN_FILLS)):
            continue
        default = list(filter(None, [default_fill(tensor)]))
        plain = [] if _is_distinct(tensor) else [FillSpec(name, given) for name, given in PLAIN_FILLS]
        for simple in plain + default:
            if simple != spec:
                yield _with(example, data={**case.data, tensor.name: simple})


# Data


def _numbers(example: Example) -> Iterator[Example]:
    """Write the numbers of the inputs into the case, where they are few enough."""
    case, operator = example.case, the_operator(example.case.operator)
    if not case.data or case.after or all(_is_plain(spec) for spec in case.data.values()):
        return
    is_given = any(spec.name == "file" for spec in case.data.values())
    if is_given or _count(case, operator) <= MOST_NUMBERS:
        try:
            arrays = fill_inputs(case, operator, 0)
        except FillError:
            return
        yield _with_arrays(
            example, {name: arrays[name] for name in case.data if not _is_plain(case.data[name])}
        )


def _rows(example: Example, is_wanted: Fails) -> Iterator[Example]:
    """Leave out indices along each dimension: halves, quarters, and so on to single ones."""
    operator = the_operator(example.case.operator)
    if not _written(example.case) or example.case.after:
        return
    for dim in operator.dims:
        length = 0 if dim.accepts else example.case.dims[dim.name] // 2
        while length:
            start = 0
            while start < example.case.dims[dim.name]:
                shorter = _leaving_out(example, operator, dim.name, slice(start, start + length))
                if shorter.case.dims[dim.name] >= dim.least and is_wanted(shorter):
                    example = shorter
                    yield example
                else:
                    start += length
            length //= 2


def _leaving_out(example: Example, operator: Operator, name: str, part: slice) -> Example:
    """Return the example without some indices along a dimension, in every tensor that has it."""
    case = example.case
    arrays = fill_inputs(case, operator, 0)
    for tensor_name, array in arrays.items():
        for axis, entry in enumerate(entries_of(operator.tensor(tensor_name), case.dims)):
            if entry == name:
                array = np.delete(array, part, axis)
        arrays[tensor_name] = array
    left = len(np.delete(np.arange(case.dims[name]), part))
    smaller = _with(example, dims={**case.dims, name: left})
    return _with_arrays(
        smaller, {key: array for key, array in arrays.items() if not _is_uniform(case.data[key])}
    )


def _rounded(example: Example) -> Iterator[Example]:
    """Round all numbers of an input."""
    case, operator = example.case, the_operator(example.case.operator)
    for name, spec in case.data.items():
        if spec.name != "values":
            continue
        tensor, array = operator.tensor(name), np.array(spec.options["values"], np.float64)
        for value in () if _is_distinct(tensor) else (0.0, 1.0):
            yield _with(example, data={**case.data, name: FillSpec("constant", {"value": value})})
        for decimals in DECIMALS:
            rounded = np.round(array, decimals)
            if not np.array_equal(rounded, array, equal_nan=True) and _is_allowed(tensor, rounded):
                yield _with_arrays(example, {name: rounded.astype(dtype_of(tensor, case))})


def _single(example: Example, is_wanted: Fails) -> Iterator[Example]:
    """Make each number of small inputs round, one after the other."""
    case, operator = example.case, the_operator(example.case.operator)
    for name, spec in case.data.items():
        array = np.array(spec.options["values"], np.float64) if spec.name == "values" else np.empty(0)
        tensor = operator.tensor(name)
        for place in range(array.size if array.size <= FEW_NUMBERS else 0):
            for number in _rounder(array.flat[place]):
                other = array.copy()
                other.flat[place] = number
                candidate = _with_arrays(example, {name: other.astype(dtype_of(tensor, case))})
                if _is_allowed(tensor, other) and is_wanted(candidate):
                    example, array = candidate, other
                    yield example
                    break


def _is_distinct(tensor: Tensor) -> bool:
    """Return whether an operator has no answer for equal numbers in a tensor."""
    return (tensor.fill or {}).get("fill") == "distinct_uniform"


def _is_allowed(tensor: Tensor, array: np.ndarray[Any, Any]) -> bool:
    return not _is_distinct(tensor) or len(np.unique(array)) == array.size


def _rounder(value: float) -> Iterator[float]:
    """Rounder numbers than a value, the roundest first."""
    for number in dict.fromkeys((0.0, 1.0, *(float(np.round(value, decimals)) for decimals in DECIMALS))):
        if number == value or np.isnan(value):
            return
        yield number


STEPS: Sequence[Step] = (
    *(partial(_greedy, simplify) for simplify in (_calls, _absent, _sizes, _scalars, _fills, _numbers)),
    _rows,
    partial(_greedy, _rounded),
    _single,
)


def _count(case: Case, operator: Operator) -> int:
    """Count the numbers of the inputs of a case."""
    return sum(prod(shape_of(operator.tensor(name), case.dims)) for name in case.data)


def _written(case: Case) -> bool:
    """Return whether the case has its numbers in it."""
    return any(spec.name == "values" for spec in case.data.values())


def _is_plain(spec: FillSpec) -> bool:
    return spec.name == "values" or _is_uniform(spec)


def _is_uniform(spec: FillSpec) -> bool:
    """Return whether a fill has one value everywhere, whatever the shape is."""
    return spec.name in (name for name, _ in PLAIN_FILLS)


def _with_arrays(example: Example, arrays: Arrays) -> Example:
    written = {name: FillSpec("values", {"values": nested(array)}) for name, array in arrays.items()}
    return _with(example, data={**example.case.data, **written})


def nested(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    """Return an array as nested tuples of plain numbers, as the case language has them."""
    return tuple(nested(part) if part.ndim else part.item() for part in array)


def _with(example: Example, **fields: Any) -> Example:
    return example._replace(case=example.case.but(**fields))


def _without(mapping: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key != name}
