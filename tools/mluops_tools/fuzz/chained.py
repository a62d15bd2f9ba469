"""Random calls before a case on the same queue, whose tensors the case takes as its inputs.

Inputs that may hold anything take an output of any operator. The others take their namesake, or an input with
the same fill where there is none: the definitions say no more of what they may hold. Dimensions follow from
the shapes, and from the names that both operators have.
"""

from __future__ import annotations

import random
from typing import Iterator, Mapping, NamedTuple

import numpy as np
from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.language.model import Case, FillSpec, Link, Step
from mluops_conformance.operators import operators
from mluops_conformance.operators.base import CASE_DTYPE, Operator, Tensor, entries_of, shape_of, tied

from mluops_tools.fuzz.draw import (
    DATA,
    Space,
    default_fill,
    drawn_dims,
    drawn_param,
    is_free,
    is_within,
    nbytes,
    without_data,
)
from mluops_tools.fuzz.illegal import Statuses

STEP_BYTES = 1 << 11
"""The most bytes in all tensors of the call before, which is there for its outputs, not for its size."""

STEP = "before"
"""The name of the step."""


class Pair(NamedTuple):
    """An input of a case, and a tensor of an earlier call that it may be."""

    taken: Tensor
    given: Tensor


def chained(operator: Operator, case: Case, chance: random.Random, space: Space, statuses: Statuses) -> Case:
    """Return the case with a drawn call before it; the case itself where none fits.

    Parameters
    ----------
    operator : Operator
    case : Case
        A legal call, with its data.
    chance : random.Random
    space : Space
    statuses : Statuses
        Tells steps that the library refuses.
    """
    takers = [first for first in operators().values() if case.dtype in first.dtypes]
    if case.clusters is not None:  # under which operators have known issues, of their own cases alone
        takers = [operator]
    for first in chance.sample(takers, len(takers)):
        step = _step(first, operator, case, chance)
        if step is not None and _is_computed(step.case, first, space, statuses):
            return _linked(operator, case, step, first)
    return case


def _is_computed(call: Case, first: Operator, space: Space, statuses: Statuses) -> bool:
    return (
        nbytes(call, first) <= STEP_BYTES
        and is_within(call, first, space)
        and not statuses.of(without_data(call), first)
    )


def _linked(operator: Operator, case: Case, step: Step, first: Operator) -> Case:
    """Return the case behind the step, with every input that can be taken from it."""
    call, absent = step.case, first.absent_with(step.case.absent)
    sized_alike = all(case.dims.get(name, size) == size for name, size in call.dims.items())
    links = {
        pair.taken.name: Link(step.name, pair.given.name)
        for pair in _pairs(operator, case, first, call.dims)
        if pair.given.name not in absent
        and shape_of(pair.given, call.dims) == shape_of(pair.taken, case.dims)
        and (sized_alike or is_free(operator, pair.taken, case))
    }
    own = {name: spec for name, spec in case.data.items() if name not in links}
    return case.but(data=own, links=links, after=(step,))


def _step(first: Operator, operator: Operator, case: Case, chance: random.Random) -> Step | None:
    """Draw a call that gives one tensor the shape that the case takes; None if there is no such tensor."""
    of_both = {dim.name: case.dims[dim.name] for dim in first.dims if dim.name in case.dims}
    dims = {**drawn_dims(first, chance), **of_both}
    pairs = list(_pairs(operator, case, first, dims))
    if not pairs:
        return None
    dims = tied(first, {**dims, **_agreeing(chance.choice(pairs), case, dims)})
    if any(dim.unmet(dims[dim.name]) for dim in first.dims):
        return None
    call = _with_plain_data(first, _scaffold(first, case, dims, chance), chance)
    return Step(STEP, call, frozenset(name for name in dims if case.dims.get(name) == dims[name]))


def _with_plain_data(first: Operator, call: Case, chance: random.Random) -> Case:
    """Return a call with the fills of its definition, so that its answer is seldom in doubt."""
    given = [tensor for tensor in first.inputs if not tensor.optional or chance.random() < 0.5]
    fills = {
        tensor.name: FillSpec(*chance.choice(DATA)) if is_free(first, tensor, call) else default_fill(tensor)
        for tensor in given
    }
    absent = frozenset(tensor.name for tensor in first.inputs if tensor not in given)
    return call.but(data={name: fill for name, fill in fills.items() if fill}, absent=absent)


def _scaffold(first: Operator, case: Case, dims: Mapping[str, int], chance: random.Random) -> Case:
    """Return a call without data, with the scalars of the case as far as it has them."""
    params = {param.name: drawn_param(param, chance) for param in first.params}
    return Case(
        id=f"{case.id}#{STEP}",
        operator=first.name,
        origin=case.origin,
        dims=dims,
        params={name: case.params.get(name, value) for name, value in params.items()},
        dtype=case.dtype,
        clusters=case.clusters,
        repeat=case.repeat,
    )


def _pairs(operator: Operator, case: Case, first: Operator, dims: Mapping[str, int]) -> Iterator[Pair]:
    """Give each input of a case with each tensor of an earlier call that it may be, by dtype and rank."""
    for taken in operator.inputs:
        for given in first.tensors if taken.name in case.data else ():
            dtypes = dtype_of(taken, case), np.dtype(case.dtype if given.dtype == CASE_DTYPE else given.dtype)
            ranks = len(entries_of(taken, case.dims)), len(entries_of(given, dims))
            if len({*dtypes}) == len({*ranks}) == 1 and _may_hold(operator, case, taken, given, first):
                yield Pair(taken, given)


def _may_hold(operator: Operator, case: Case, taken: Tensor, given: Tensor, first: Operator) -> bool:
    """Return whether an input may be another tensor: its namesake, or one like it if it has none."""
    if is_free(operator, taken, case) or given.name == taken.name:
        return given.fill is None or given.fill == taken.fill
    has_namesake = any(tensor.name == taken.name for tensor in first.tensors)
    return not has_namesake and given.fill is not None and _name(given) == _name(taken)


def _name(tensor: Tensor) -> str:
    """Return the name of a tensor's fill; empty if it has none."""
    return str((tensor.fill or {}).get("fill", ""))


def _agreeing(wanted: Pair, case: Case, dims: Mapping[str, int]) -> dict[str, int]:
    """Return the dimensions with which a tensor has the wanted shape; all but one of a product are 1."""
    agreeing: dict[str, int] = {}
    for entry, size in zip(entries_of(wanted.given, dims), shape_of(wanted.taken, case.dims)):
        names = [factor for factor in entry.split("*") if factor in dims]
        agreeing.update(dict.fromkeys(names[1:], 1))
        agreeing.update(dict.fromkeys(names[:1], size))
    return agreeing
