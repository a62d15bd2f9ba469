"""Random legal cases, drawn from an operator's definition.

Ordinary cases are what users run every day: sizes from 1 to 40, small, prime or beside a power of two; data
within 10; scales that need not be powers of two; the operator's own fills with other options, or their
numbers as a person writes them, rounded to quarters, halves or whole numbers.

Special cases are ordinary ones with a few twists: sizes at limits of the device, tensors of more elements
than 16 bits count, extreme scalars and data, job limits, repeated calls, and workspace queries.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import prod
from typing import Any, Callable, Collection, Iterable, Mapping, Sequence

import numpy as np
from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.fills.registry import GENERIC, Fill, FillContext, FillError, Option, make, options_of
from mluops_conformance.fills.stream import seed_for
from mluops_conformance.language.model import KNOWN_DEVICES, Case, FillSpec, Origin
from mluops_conformance.operators.base import (
    Dim,
    Operator,
    Param,
    Scalar,
    Tensor,
    entries_of,
    shape_of,
    tied,
)
from mluops_conformance.operators.limits import TASKS, Device, Limit

SIZES: tuple[Sequence[int], ...] = (
    range(1, 7),
    range(1, 7),
    range(1, 7),
    (7, 11, 13, 17, 19, 23, 29, 31, 37),
    (7, 8, 9, 15, 16, 17, 31, 32, 33),
    range(7, 41),
)
"""Small, prime, beside a power of two, any: one row is drawn, then one of its sizes.

Half of the rows are small: such an example takes half the time of another, and shows most failures.
"""

FACTORS = (1, 1, 1, 0.5, 0.25, 2, 1 / 3, 0.7, 0.1)
"""The factors of a floating parameter's default."""

STEPS = (0, 0, 1, 2, 3)
"""The increments of a whole parameter's default."""

RANGES = ((-1, 1), (0, 1), (0.5, 1), (-10, 10), (5, 10), (-1e-3, 1e-3))
"""The ranges of floating data that may hold anything."""

DATA: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(("uniform", {"range": pair}) for pair in RANGES),
    ("constant", {"value": 0.7}),
    ("integers", {"range": (-5, 6)}),
    ("log_uniform", {"exponents": (-3, 4)}),
)
"""Fills of a floating tensor that may hold anything."""

WRITTEN_BY_HAND = 64
"""The most numbers that a person writes into a case."""

GRIDS = (0.25, 0.5, 1)
"""Multiples of which are written by hand: edges of boxes and bins meet there."""

SPECIAL_DATA: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("zeros", {}),
    ("constant", {"value": -1.0}),
    ("integers", {"range": (0, 2)}),
    ("log_uniform", {"exponents": (-12, 10)}),
    ("special", {"values": ("zero", "-zero"), "fraction": 0.3}),
    ("special", {"values": ("denormal", "-denormal"), "fraction": 0.3}),
    ("special", {"values": ("nan",), "fraction": 0.05}),
)
"""Fills of a floating tensor that may hold anything: ties, denormals, signs of zero, magnitudes, NaN."""

INFINITE_DATA: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("special", {"values": ("nan", "inf", "-inf"), "fraction": 0.05}),
    ("special", {"values": ("inf", "-inf"), "fraction": 0.02}),
)
"""Such fills for an operator without samples: infinity times a weight within rounding of 0 is undecided."""

SPECIAL_FACTORS = (0, 1e-3, 0.01, 3, -1)
"""The factors of a floating parameter's default in special cases."""

SPECIAL_STEPS = (3, 4, 5)
"""The increments of a whole parameter's default in special cases."""

ORDINARY_BYTES = (1 << 9, 1 << 10, 1 << 11, 1 << 13, 1 << 16)
"""Limits for all tensors of an ordinary case together; one is drawn."""

MOST_TWISTS = 3

LARGE_SHARE = 0.25
"""The share of cases with a large size that take more memory than an ordinary case."""

MANY_SHARE = 0.5
"""The share of cases with a large tensor, of those that may get one."""

COUNTS = (2**16, 3 * 2**15, 2**17)
"""The elements of a large tensor: about and beyond what 16 bits count."""

MOST_GIVEN = 1 << 15
"""A large size that another limit depends on, where the library sets none."""

FIRST_DEVICE = next(iter(KNOWN_DEVICES.values()))

BLANK = Case(id="", operator="", origin=Origin("fuzz", 1), dims={}, params={}, dtype="")
"""Every drawn case begins as a copy of it."""


@dataclass(frozen=True)
class Space:
    """The limits within which cases are drawn.

    Parameters
    ----------
    device : Device
        The device on which limits are sought.
    most_bytes : int
        The most bytes in all tensors of a case together.
    """

    device: Device = FIRST_DEVICE
    most_bytes: int = 1 << 21

    @property
    def ordinary_bytes(self) -> int:
        """The most bytes of a case without a large size."""
        return min(self.most_bytes, ORDINARY_BYTES[-1])

    def large_bytes(self, chance: random.Random) -> int:
        """Draw the most bytes of a case with a large size."""
        return self.most_bytes if chance.random() < LARGE_SHARE else self.ordinary_bytes


def ordinary(operator: Operator, dtype: str, name: str, chance: random.Random, space: Space) -> Case:
    """Draw one ordinary case.

    Parameters
    ----------
    operator : Operator
    dtype : str
        One of the operator's.
    name : str
        The id in the case file. The data follow from it.
    chance : random.Random
    space : Space
    """
    while True:
        try:
            return with_data(operator, _scaffold(operator, dtype, name, chance, space), chance)
        except FillError:
            pass  # a fill cannot be made for these sizes


def special(operator: Operator, dtype: str, name: str, chance: random.Random, space: Space) -> Case:
    """Draw one special case; see `ordinary` for the parameters."""
    while True:
        case = _scaffold(operator, dtype, name, chance, space)
        for twist in chance.sample(TWISTS, chance.randint(1, MOST_TWISTS)):
            case = twist(operator, case, chance, space)
        try:
            case = with_data(operator, case, chance)
        except FillError:
            continue
        twisted = case.but(data=_special_data(operator, case, chance))
        if operator.workspace_functions and chance.random() < 0.1:
            return query(twisted)
        return twisted


def with_data(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Return the case with a fill for each input that is not left out.

    Raises
    ------
    FillError
        A fill cannot be made for these sizes.
    """
    data = {tensor.name: _spec(operator, tensor, case, chance) for tensor in operator.inputs}
    absent = frozenset(name for name, spec in data.items() if spec is None)
    return case.but(data={name: spec for name, spec in data.items() if spec}, absent=absent)


def without_data(case: Case) -> Case:
    """Return the case as one that computes nothing."""
    return case.but(data={}, links={}, after=(), mode="status", repeat=1)


def query(case: Case) -> Case:
    """Return the case as a call of the workspace query alone."""
    return without_data(case).but(call="workspace")


def nbytes(case: Case, operator: Operator) -> int:
    """Count the bytes of all tensors of a case."""
    return _nbytes(case.dims, _itemsizes(case, operator))


def _itemsizes(case: Case, operator: Operator) -> list[tuple[Tensor, int]]:
    """Return each tensor with the bytes of an element."""
    return [(tensor, dtype_of(tensor, case).itemsize) for tensor in operator.tensors]


def _nbytes(dims: Mapping[str, int], itemsizes: Iterable[tuple[Tensor, int]]) -> int:
    return sum([prod(shape_of(tensor, dims)) * itemsize for tensor, itemsize in itemsizes])


def is_within(case: Case, operator: Operator, space: Space) -> bool:
    """Return whether a case is as small as an ordinary one, and its fills can be made."""
    if nbytes(case, operator) > space.ordinary_bytes:
        return False
    for name, spec in case.data.items():
        fill = operator.fills.get(spec.name) or GENERIC[spec.name]
        if fill.complaint(_context(operator.tensor(name), case, options_of(fill, spec))):
            return False
    return True


def _scaffold(operator: Operator, dtype: str, name: str, chance: random.Random, space: Space) -> Case:
    """Draw a case without data."""
    case = BLANK.but(
        id=f"{operator.name}/{name}",
        operator=operator.name,
        dims=drawn_dims(operator, chance),
        params={param.name: drawn_param(param, chance) for param in operator.params},
        dtype=dtype,
    )
    return _fitting(operator, case, chance, min(space.most_bytes, chance.choice(ORDINARY_BYTES)))


def _fitting(
    operator: Operator, case: Case, chance: random.Random, most_bytes: int, fixed: Collection[str] = ()
) -> Case:
    """Return the case with sizes drawn again until it fits; the dimensions `fixed` keep theirs."""
    dims, itemsizes = case.dims, _itemsizes(case, operator)
    while _nbytes(dims, itemsizes) > most_bytes:
        smaller = _smaller(operator, dims, chance, fixed)
        if smaller is None:
            break
        dims = smaller
    return case.but(dims=dims)


def _at_limit(operator: Operator, case: Case, chance: random.Random, space: Space) -> Case:
    """Set a dimension to a limit of the device, or of the library, or beside it."""
    limits = TASKS if chance.random() < 0.4 else operator.own_limits or TASKS
    limit = chance.choice(limits)
    free = [dim for dim in operator.dims if not dim.accepts]
    dim = operator.dim(limit.dim) if limit.dim else chance.choice(free)
    dims = {**case.dims, **_given(operator, limit, case.dims, chance)}
    usable, itemsize = space.device.limited_to(case.clusters), np.dtype(case.dtype).itemsize
    size = limit.of(usable, itemsize, {**case.params, **dims}) * chance.choice((1, 1, 2))
    if dim.most is not None and chance.random() < 0.2:
        size = dim.most
    size += chance.choice((-1, 0, 1))
    if dim.unmet(size):
        return case
    grown = case.but(dims=tied(operator, {**dims, dim.name: size}))
    most_bytes = space.ordinary_bytes if dim.is_costly else space.large_bytes(chance)
    fitting = _fitting(operator, grown, chance, most_bytes, {dim.name, *limit.given})
    return fitting if nbytes(fitting, operator) <= most_bytes else case


def _given(
    operator: Operator, limit: Limit, dims: Mapping[str, int], chance: random.Random
) -> dict[str, int]:
    """Draw the dimensions that a limit depends on, half of them large: it moves only by large ones."""
    large = (operator.dim(name) for name in limit.given if chance.random() < 0.5)
    return {
        dim.name: max((dim.most or MOST_GIVEN) // chance.choice((1, 2, 3, 8)), dim.least) for dim in large
    }


def _many(operator: Operator, case: Case, chance: random.Random, space: Space) -> Case:
    """Give a tensor about as many elements as 16 bits count, or more, by sizes that cost little."""
    cheap = _cheap(operator) if chance.random() < MANY_SHARE else frozenset()
    tensors = [tensor for tensor in operator.tensors if cheap.intersection(entries_of(tensor, case.dims))]
    if not tensors:
        return case
    tensor = chance.choice(tensors)
    names = [name for name in entries_of(tensor, case.dims) if name in cheap]
    large = chance.sample(names, min(len(names), chance.randint(1, 2)))
    free = {dim.name for dim in operator.dims if not dim.accepts}
    small = {name: chance.randint(1, 3) for name in free.intersection(entries_of(tensor, case.dims))}
    dims = {**case.dims, **small, **dict.fromkeys(large, 1)}
    count = chance.choice(COUNTS) // prod(shape_of(tensor, dims)) + chance.choice((-1, 0, 1))
    first = count if len(large) == 1 else round(count ** chance.uniform(0.3, 0.7))
    dims.update(zip(large, (first, -(-count // first))))
    if any(operator.dim(name).unmet(dims[name]) for name in large):
        return case
    fitting = _fitting(operator, case.but(dims=tied(operator, dims)), chance, space.most_bytes, large)
    return fitting if nbytes(fitting, operator) <= space.most_bytes else case


def _cheap(operator: Operator) -> frozenset[str]:
    """The dimensions of which a large size costs little: those of copies, and those of whole vectors."""
    if operator.criteria.bitwise:
        return frozenset(dim.name for dim in operator.dims if not dim.accepts)
    return frozenset(operator.tensor(name).shape[-1] for name in operator.channelwise)


def _least(operator: Operator, case: Case, chance: random.Random, space: Space) -> Case:
    """Set some dimensions to their least sizes."""
    least = {dim.name: dim.least for dim in operator.dims if not dim.accepts and chance.random() < 0.4}
    return case.but(dims=tied(operator, {**case.dims, **least}))


def _extreme(operator: Operator, case: Case, chance: random.Random, space: Space) -> Case:
    """Set a scalar to an extreme value."""
    free = [param for param in operator.params if not param.accepts]
    if not free:
        return case
    param = chance.choice(free)
    default = param.default or 0
    if param.special and chance.random() < 0.5:
        value: Scalar = chance.choice(param.special)
    elif param.kind is int:
        value = int(default) + chance.choice(SPECIAL_STEPS)
    else:
        value = float(default) * chance.choice(SPECIAL_FACTORS)
    return case.but(params={**case.params, param.name: value})


def _job_limit(operator: Operator, case: Case, chance: random.Random, space: Space) -> Case:
    """Limit the clusters of the job."""
    return case.but(clusters=chance.choice((0, 1, 2, space.device.clusters)))


def _repeated(operator: Operator, case: Case, chance: random.Random, space: Space) -> Case:
    """Make the same call several times."""
    return case.but(mode="repeat", repeat=chance.choice((2, 3)))


TWISTS: tuple[Callable[[Operator, Case, random.Random, Space], Case], ...] = (
    _at_limit,
    _many,
    _least,
    _extreme,
    _job_limit,
    _repeated,
)


def _special_data(operator: Operator, case: Case, chance: random.Random) -> dict[str, FillSpec]:
    """The fills of a case, some of them replaced by special data where the tensor may hold any number."""
    data = dict(case.data)
    fills = SPECIAL_DATA if operator.float32_coordinates else (*SPECIAL_DATA, *INFINITE_DATA)
    for tensor in operator.inputs:
        if tensor.name in data and is_free(operator, tensor, case) and chance.random() < 0.4:
            spec = FillSpec(*chance.choice(fills))
            fill = GENERIC[spec.name]
            if fill.complaint(_context(tensor, case, options_of(fill, spec))) is None:
                data[tensor.name] = spec
        elif tensor.name in data and (tensor.special or tensor.reversible) and chance.random() < 0.4:
            data[tensor.name] = _with_special_rows(operator, tensor, case, chance)
    return data


def _with_special_rows(operator: Operator, tensor: Tensor, case: Case, chance: random.Random) -> FillSpec:
    """Return the data of a tensor with special numbers and reversed spans in some rows, where it is short."""
    spec = case.data[tensor.name]
    context = _context(tensor, case, {})
    if not 0 < context.size <= WRITTEN_BY_HAND:
        return spec
    made = make(spec, operator.fills, context, seed_for(case.id, tensor.name))
    rows = made.reshape(-1, context.shape[-1])
    for row in chance.sample(range(len(rows)), min(len(rows), chance.randint(1, 3))):
        changes = [(place, values) for place, values in tensor.special.items()]
        changes += [(last, (rows[row, first], 0)) for first, last in tensor.reversible]
        place, values = chance.choice(changes)
        rows[row, place] = chance.choice(values)
    return FillSpec("values", {"values": _nested(made)})


def default_fill(tensor: Tensor) -> FillSpec | None:
    """Return the fill of a definition."""
    options = {key: value for key, value in (tensor.fill or {}).items() if key != "fill"}
    return FillSpec(tensor.fill["fill"], options) if tensor.fill else None


def is_free(operator: Operator, tensor: Tensor, case: Case) -> bool:
    """Return whether a tensor may hold any finite number: its fill is a generic one with ties."""
    name = tensor.fill["fill"] if tensor.fill else ""
    return name not in operator.fills and dtype_of(tensor, case).kind == "f" and name != "distinct_uniform"


def _context(tensor: Tensor, case: Case, options: Mapping[str, Any]) -> FillContext:
    shape = shape_of(tensor, case.dims)
    return FillContext(tensor.name, shape, dtype_of(tensor, case), case.dims, case.params, options)


def drawn_dims(operator: Operator, chance: random.Random) -> dict[str, int]:
    """Draw a size of each dimension, now and then the same of all."""
    same = (chance.choice(chance.choice(SIZES)),) if chance.random() < 0.15 else None
    sizes = {dim.name: _size(dim, chance, same or _sizes(dim, chance)) for dim in operator.dims}
    return tied(operator, sizes)


def _sizes(dim: Dim, chance: random.Random) -> Sequence[int]:
    """Draw a row of `SIZES`; most of a costly dimension are small."""
    return SIZES[0] if dim.is_costly and chance.random() < 0.5 else chance.choice(SIZES)


def _size(dim: Dim, chance: random.Random, sizes: Sequence[int]) -> int:
    size = chance.choice(dim.accepts or sizes)
    return size if dim.most is None else min(size, dim.most)


def _smaller(
    operator: Operator, dims: Mapping[str, int], chance: random.Random, fixed: Collection[str]
) -> dict[str, int] | None:
    """The sizes with a large one, or any above 1, drawn anew among the small; None if there is none."""
    free = [dim for dim in operator.dims if dims[dim.name] > 1 and not dim.accepts and dim.name not in fixed]
    if not free:
        return None
    dim = chance.choice([dim for dim in free if dims[dim.name] > max(SIZES[0])] or free)
    smaller = {**dims, dim.name: chance.randrange(1, min(dims[dim.name], max(SIZES[0]) + 1))}
    changed = tied(operator, smaller)
    return changed if changed != dims else None  # a tied one follows another, which keeps its size


def drawn_param(param: Param, chance: random.Random) -> Scalar:
    if param.accepts:
        return chance.choice(param.accepts)
    default = 0 if param.default is None else param.default
    if param.kind is int:
        return int(default) + chance.choice(STEPS)
    return float(default) * chance.choice(FACTORS)


def _spec(operator: Operator, tensor: Tensor, case: Case, chance: random.Random) -> FillSpec | None:
    if tensor.optional and chance.random() < 0.5:
        return None
    if is_free(operator, tensor, case):
        return FillSpec(*chance.choice(DATA))
    name = tensor.fill["fill"] if tensor.fill else ""
    return _own(operator, tensor, operator.fills.get(name) or GENERIC[name], case, chance)


def _own(operator: Operator, tensor: Tensor, fill: Fill, case: Case, chance: random.Random) -> FillSpec:
    """The fill that the definition names, with other options where it takes them, or its numbers by hand."""
    default = default_fill(tensor) or FillSpec(fill.name)
    drawn = {option.name: _option(option, chance) for option in fill.options if chance.random() < 0.3}
    if fill.name not in operator.fills and "range" in drawn and dtype_of(tensor, case).kind == "f":
        drawn["range"] = chance.choice(RANGES)
    spec = FillSpec(fill.name, {**default.options, **drawn})
    context = _context(tensor, case, options_of(fill, spec))
    if fill.complaint(context):
        spec, context = default, context.given(options_of(fill, default))
        complaint = fill.complaint(context)
        if complaint:
            raise FillError(complaint)
    is_short = context.size <= WRITTEN_BY_HAND and context.dtype.kind == "f" and fill.name in operator.fills
    if is_short and chance.random() < 0.25:
        made = make(spec, operator.fills, context, seed_for(case.id, tensor.name))
        return _by_hand(made, chance.choice(GRIDS))
    return spec


def _by_hand(made: np.ndarray[Any, Any], grid: float) -> FillSpec:
    """The numbers of a fill, rounded to multiples of one."""
    return FillSpec("values", {"values": _nested(np.rint(made.astype(np.float64) / grid) * grid)})


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
    """A part of the default, or another; 0 now and then, which makes equal boxes of a spread."""
    if chance.random() < 0.15:
        return 0.0
    return float(option.default * chance.choice(FACTORS)) or round(chance.uniform(0, 0.3), 2)


_OPTIONS: Mapping[str, Callable[[Option, random.Random], Any]] = {
    "pair": _pair,
    "number": _number,
    "integer": lambda option, chance: option.default + chance.choice(STEPS),
    "choice": lambda option, chance: chance.choice(option.choices),
}
