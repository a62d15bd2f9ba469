"""Random ordinary cases, drawn from an operator's definition.

Ordinary means what users run every day: sizes from 1 to 40, small, prime or beside a power of two; data
within 10; scales that need not be powers of two; the operator's own fills with other options, or their
numbers as a person writes them, rounded to quarters.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count
from typing import Any, Callable, Mapping, Sequence

import numpy as np
from mluops_conformance.engine.plan import elements
from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.fills.registry import GENERIC, Fill, FillContext, FillError, Option, make
from mluops_conformance.fills.stream import seed_for
from mluops_conformance.language.model import Case, FillSpec, Origin
from mluops_conformance.operators.base import Dim, Operator, Param, Scalar, Tensor, shape_of

SIZES: tuple[Sequence[int], ...] = (
    range(1, 7),
    (7, 11, 13, 17, 19, 23, 29, 31, 37),
    (7, 8, 9, 15, 16, 17, 31, 32, 33),
    range(7, 41),
)
"""Small, prime, beside a power of two, any: one row is drawn, then one of its sizes."""

FACTORS = (1, 1, 1, 0.5, 0.25, 2, 1 / 3, 0.7, 0.1)
"""The factors of a floating parameter's default."""

STEPS = (0, 0, 1, 2, 3)
"""The increments of a whole parameter's default."""

DATA: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(
        ("uniform", {"range": pair})
        for pair in ((-1, 1), (0, 1), (0.5, 1), (-10, 10), (5, 10), (-1e-3, 1e-3))
    ),
    ("constant", {"value": 0.7}),
    ("integers", {"range": (-5, 6)}),
    ("log_uniform", {"exponents": (-3, 4)}),
)
"""Fills of a floating tensor that may hold anything."""

WRITTEN_BY_HAND = 64
"""The most numbers that a person writes into a case."""

QUARTER = 0.25


MOST_ELEMENTS = 1 << 15
"""The most elements in all tensors of a case together."""


def draw(operator: Operator, dtype: str, seed: int, number: int, most_elements: int = MOST_ELEMENTS) -> Case:
    """One ordinary case.

    Parameters
    ----------
    operator : Operator
    dtype : str
        One of the operator's.
    seed, number : int
        The same two give the same case, whatever was drawn before.
    most_elements : int
        Of all tensors together: sizes are drawn again until the case fits.

    Returns
    -------
    Case
        Its id names seed and number, so that the data follow from them too.
    """
    drawn = (_attempt(operator, dtype, seed, number, most_elements, attempt) for attempt in count())
    return next(case for case in drawn if case is not None)


def _attempt(
    operator: Operator, dtype: str, seed: int, number: int, most_elements: int, attempt: int
) -> Case | None:
    """One case; None where a fill cannot be made for its sizes."""
    chance = random.Random(f"{seed} {operator.name} {dtype} {number} {attempt}")
    case = Case(
        id=f"{operator.name}/ordinary-{dtype}-{seed}-{number}",
        operator=operator.name,
        origin=Origin("fuzz", 1),
        dims=_dims(operator, chance),
        params={param.name: _param(param, chance) for param in operator.params},
        dtype=dtype,
    )
    while elements(case) > most_elements:
        case = replace(case, dims=_smaller(operator, case.dims, chance))
    try:
        data = {tensor.name: _spec(operator, tensor, case, chance) for tensor in operator.inputs}
    except FillError:
        return None
    absent = frozenset(name for name, spec in data.items() if spec is None)
    return replace(case, data={name: spec for name, spec in data.items() if spec}, absent=absent)


def _dims(operator: Operator, chance: random.Random) -> dict[str, int]:
    return {dim.name: _size(dim, chance, chance.choice(SIZES)) for dim in operator.dims}


def _size(dim: Dim, chance: random.Random, sizes: Sequence[int]) -> int:
    sizes = dim.accepts or [size for size in sizes if dim.most is None or size <= dim.most]
    return chance.choice(sizes)


def _smaller(operator: Operator, dims: Mapping[str, int], chance: random.Random) -> dict[str, int]:
    """The sizes with one of the large ones, or one of any above 1, drawn anew among the small."""
    free = [dim for dim in operator.dims if dims[dim.name] > 1 and not dim.accepts]
    dim = chance.choice([dim for dim in free if dims[dim.name] > max(SIZES[0])] or free)
    return {**dims, dim.name: chance.randrange(1, min(dims[dim.name], max(SIZES[0]) + 1))}


def _param(param: Param, chance: random.Random) -> Scalar:
    if param.accepts:
        return chance.choice(param.accepts)
    default = 0 if param.default is None else param.default
    if param.kind is int:
        return int(default) + chance.choice(STEPS)
    return float(default) * chance.choice(FACTORS)


def _spec(operator: Operator, tensor: Tensor, case: Case, chance: random.Random) -> FillSpec | None:
    if tensor.optional and chance.random() < 0.5:
        return None
    name = tensor.fill["fill"] if tensor.fill else ""
    fill = operator.fills.get(name)
    if fill is None and dtype_of(tensor, case).kind == "f" and name != "distinct_uniform":
        return FillSpec(*chance.choice(DATA))
    return _own(operator, tensor, fill or GENERIC[name], case, chance)


def _own(operator: Operator, tensor: Tensor, fill: Fill, case: Case, chance: random.Random) -> FillSpec:
    """The fill that the definition names, with other options where it takes them, or its numbers by hand."""
    context = FillContext(
        tensor.name, shape_of(tensor, case.dims), dtype_of(tensor, case), case.dims, case.params
    )
    given = {key: value for key, value in (tensor.fill or {}).items() if key != "fill"}
    drawn = {option.name: _option(option, chance) for option in fill.options if chance.random() < 0.3}
    seed = seed_for(case.id, tensor.name)
    spec = FillSpec(fill.name, {**given, **drawn})
    try:
        made = make(spec, operator.fills, context, seed)
    except FillError:
        spec = FillSpec(fill.name, given)
        made = make(spec, operator.fills, context, seed)
    is_short = made.size <= WRITTEN_BY_HAND and made.dtype.kind == "f" and fill.name in operator.fills
    return _by_hand(made) if is_short and chance.random() < 0.25 else spec


def _by_hand(made: np.ndarray[Any, Any]) -> FillSpec:
    """The numbers of a fill, rounded to quarters."""
    quarters = np.rint(made.astype(np.float64) / QUARTER) * QUARTER
    return FillSpec("values", {"values": _nested(quarters)})


def _nested(array: np.ndarray[Any, Any]) -> tuple[Any, ...]:
    return tuple(_nested(part) if part.ndim else part.item() for part in array)


def _option(option: Option, chance: random.Random) -> Any:
    return _OPTIONS[option.kind](option, chance)


def _pair(option: Option, chance: random.Random) -> tuple[float, float]:
    """A part of the default range, or all of it at another size."""
    low, high = option.default
    if chance.random() < 0.5:
        first, second = sorted(round(chance.uniform(low, high), 2) for _ in range(2))
        return first, second
    factor = chance.choice(FACTORS)
    return low * factor, high * factor


def _number(option: Option, chance: random.Random) -> float:
    return float(option.default * chance.choice(FACTORS)) or round(chance.uniform(0, 0.3), 2)


_OPTIONS: Mapping[str, Callable[[Option, random.Random], Any]] = {
    "pair": _pair,
    "number": _number,
    "integer": lambda option, chance: option.default + chance.choice(STEPS),
    "choice": lambda option, chance: chance.choice(option.choices),
}
