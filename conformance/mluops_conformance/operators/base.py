"""The description of an operator, as data: dimensions, tensors, scalars, reference, thresholds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, Callable, Collection, Dict, Mapping, Sequence, Union

import numpy as np

from mluops_conformance.operators.limits import TASKS, Device, Limit

if TYPE_CHECKING:
    from mluops_conformance.fills.stream import Stream

Scalar = Union[int, float]
Arrays = Dict[str, np.ndarray]

UNLESS = " unless "
"""Separates an entry of a tensor's shape from the dimension that removes it."""

WHERE = " where "
"""Separates the dimension that another one equals from the dimension that makes it so."""

CASE_DTYPE = "dtype"
"""A tensor of this dtype takes the dtype of the case."""


@dataclass(frozen=True)
class Dim:
    """A named dimension of an operator.

    Parameters
    ----------
    name : str
        The name used in case files and in tensor shapes.
    help : str
        One line on what is counted.
    default : int, optional
        The size where a case gives none; a case must give the others.
    most : int, optional
        The greatest size that the library takes, where there is a limit.
    accepts : tuple of int
        The only sizes that the library takes; empty: all from `least` to `most`.
    least : int
        The smallest size for which the library computes outputs: 0 where it does so without elements.
    same_as: str
        "n where aligned": it equals `n` where the dimension `aligned` is not 0; empty: it is free.
    is_costly : bool
        One more takes as long as thousands of bytes elsewhere, so that large sizes are for written cases.
    """

    name: str
    help: str
    default: int | None = None
    most: int | None = None
    accepts: tuple[int, ...] = ()
    least: int = 1
    same_as: str = ""
    is_costly: bool = False

    def unmet(self, value: Scalar) -> str:
        """Return the permitted sizes if the value is not one ("1 or more"); empty if it is."""
        if self.accepts:
            return _none_of(self.accepts, value)
        if value >= self.least and (self.most is None or value <= self.most):
            return ""
        return f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"


@dataclass(frozen=True)
class Param:
    """A scalar parameter of the C function, by its name there.

    Parameters
    ----------
    name : str
    kind : type
        int or float.
    help : str
        One line on what it does.
    default : int or float, optional
        The value where a case gives none; a case must give the others.
    accepts : tuple of int
        The only values that the library takes; empty: all.
    special : tuple of float
        Values with a meaning of their own, as NaN, infinity and the ends of a range.
    """

    name: str
    kind: type
    help: str
    default: Scalar | None = None
    accepts: tuple[int, ...] = ()
    special: tuple[float, ...] = ()

    def unmet(self, value: Scalar) -> str:
        """Return the permitted values if the value is not one ("1 or 5"); empty if it is."""
        return _none_of(self.accepts, value) if self.accepts else ""


def _none_of(accepted: tuple[int, ...], value: Scalar) -> str:
    return "" if value in accepted else " or ".join(map(str, accepted))


@dataclass(frozen=True)
class Tensor:
    """A tensor argument of the C function.

    Parameters
    ----------
    name : str
        The C parameter's name; its descriptor's is `name` + "_desc".
    shape : tuple of str
        One entry a dimension: a number, a `Dim` name, or a product of them ("channels*kernel_h"). An entry
        "m unless aligned" is left out where the dimension `aligned` is not 0.
    dtype : str
        A NumPy dtype name, or `CASE_DTYPE`.
    layout : str
        The mluOpTensorLayout_t name without its prefix.
    fill : mapping, optional
        The fill of an input where a case gives none.
    optional : bool
        NULL (descriptor and pointer) where a case names it null or `absent` by default.
    only_with : str
        The optional input that this output needs: it is absent where that is; empty: it needs none.
    described : bool
        False for a device result that has a pointer but no descriptor (`result_num`).
    counted_by : str
        The output that says how many leading elements of this one count; empty: all do.
    special : mapping of int to tuple of float
        Numbers beyond its fill for which there is a right answer, as NaN, by the last axis' index.
    reversible : tuple of pairs of int
        Indices of the last axis that hold the two ends of a span, which may be equal or exchanged.
    """

    name: str
    shape: tuple[str, ...]
    help: str
    dtype: str = CASE_DTYPE
    layout: str = "ARRAY"
    fill: Mapping[str, Any] | None = None
    optional: bool = False
    only_with: str = ""
    described: bool = True
    counted_by: str = ""
    special: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    reversible: tuple[tuple[int, int], ...] = ()

    @cached_property
    def plain_shape(self) -> bool:
        """Return whether each entry of the shape is the name of a dimension."""
        return all(entry.isidentifier() for entry in self.shape)


@dataclass(frozen=True, eq=False)
class Criteria:
    """The acceptance criteria of an operator's output, after its design document, section 1.5.1.

    Two objects are never equal, so that what follows from one can be cached.

    Parameters
    ----------
    measures : tuple of str
        Names in `mluops_conformance.judging.measures`.
    rates : mapping of measure to float
        Dynamic thresholds are max(rate x the baseline's own diff, static). Empty: `static` alone.
    static : mapping of dtype name to float
        The floor (or the whole threshold) by output dtype; empty: the project's defaults by dtype.
    source : str
        The document and section the numbers come from.
    """

    measures: tuple[str, ...]
    source: str
    rates: Mapping[str, float] = field(default_factory=dict)
    static: Mapping[str, float] = field(default_factory=dict)
    bitwise: bool = False  # a pure copy: every bit arrives, the sign of zero and the payload of NaN included
    by_series: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Expectation:
    """A reference result.

    Parameters
    ----------
    outputs : dict of str to ndarray
        By output name: float64, or integers for indices.
    valid : dict of str to int
        Leading elements that count (nms_rotated's `output`: `result_num`); the rest is not compared.
    notes : dict of str to float
        Figures to be kept with the record (nms_rotated's `margin`).
    uncertain : tuple of tuple of int
        Groups of rows of the inputs on which a correct device of the storage type may decide otherwise.
    """

    outputs: Arrays
    valid: dict[str, int] = field(default_factory=dict)
    notes: dict[str, float] = field(default_factory=dict)
    uncertain: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an output, in the operator's own terms.

    Parameters
    ----------
    text : str
        A sentence for reports, without "; ".
    cause : str
        The name of a known weakness that explains it, which entries of `known_issues.yaml` refer to; empty
        where none does.
    """

    text: str
    cause: str = ""


Groups = Sequence[Sequence[int]]
Settle = Callable[[Mapping[str, Any], Arrays, Mapping[str, Scalar], Groups, "Stream"], Arrays]
Examine = Callable[[Arrays, Mapping[str, Scalar], Arrays, Device], Sequence[Finding]]
Reference = Callable[[Arrays, Mapping[str, Scalar]], Expectation]
Counts = Callable[[Arrays, Mapping[str, Scalar]], Arrays]


@dataclass(frozen=True)
class Reading:
    """A further way in which a correct device may read an operator's formula.

    Parameters
    ----------
    reference, baseline, scale : callable
        As those of `Operator`, by this reading.
    dtypes : tuple of str
        The storage dtypes whose devices may follow it; empty: all.
    """

    reference: Reference
    baseline: Reference
    scale: Reference
    dtypes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Theory:
    """The number of operations in an operator's formula, for its part of a device's peak.

    Parameters
    ----------
    operations : callable
        `(inputs, scalars, expected outputs)` to a number of arithmetic operations.
    source : str
        Whose count it is.
    """

    operations: Callable[[Arrays, Mapping[str, Scalar], Arrays], float]
    source: str


@dataclass(frozen=True)
class Implied:
    """Work that data ask for, and the most of it that is tested.

    Parameters
    ----------
    tensor : str
        The input that decides it.
    complaint : callable
        `(array, scalars)` says in a sentence what is too much, with the limit, or None.
    """

    tensor: str
    complaint: Callable[[Any, Mapping[str, Scalar]], str | None]


@dataclass(frozen=True)
class Operator:
    """An operator under test.

    Its functions of `(inputs, scalars)` get every input array by name (absent optional ones are missing) in
    the storage dtype, and every dim and param by name.

    Parameters
    ----------
    functions : tuple of str
        C functions, newest first: the first that the library has is called.
    reference : callable
        The operator in double precision.
    baseline : callable, optional
        The same formula in the storage type; dynamic thresholds are multiples of its error.
    interpretations : mapping of str to Reading
        Further readings that a correct device may follow, by name. One is evaluated where an output is close
        to none before it.
    float32_coordinates : Reading, optional
        The formula with sample coordinates rounded as float32 arithmetic rounds them. A sample on a pixel
        or a limit may fall on the other side than in double, and both answers are right.
    scale : callable, optional
        The operator applied to absolute values: the local scale of the pointwise criterion.
    addends : callable, optional
        How many values each element adds up: arrays by output, of a shape that broadcasts to the output's.
    sums_over_scale : callable, optional
        How many times its local scale an intermediate sum may be, in the same form: the number of values of
        an average that is divided last. 1 by default.
    atomic : bool
        Addends come in any order, so that equal calls may differ.
    workspace_functions : tuple of str
        C functions that tell the size of the workspace, newest first; empty: it needs none.
    least_workspace : callable, optional
        `(scalars, itemsize)` to the fewest bytes that a right workspace query can answer.
    implied : Implied, optional
        None for an operator whose work follows from its dimensions.
    theory : Theory, optional
        None for an operator that only moves data.
    channelwise : tuple of str
        Tensors whose last axis is independent: the baseline takes a sample of it. Not an output that adds up
        the channels of others.
    rowwise : tuple of str
        Tensors whose first axis is independent, and as long in all of them: the baseline samples it too.
    fills : mapping of str to Fill
        The operator's own, by name.
    own_limits : tuple of Limit
        Sizes beyond those of every operator that follow from the device.
    settle : callable, optional
        `(fills by tensor, inputs, scalars, uncertain groups, stream)` to inputs of which these rows are
        changed a little, so that a correct device has no doubt about them; the very inputs where they stand.
    examine : callable, optional
        `(inputs, scalars, whole outputs, device)` to what is wrong with outputs that differ from the
        expectation. Nothing: they are as right as it is, for they differ by decisions within rounding.
    compare : callable, optional
        `(outputs, others)` to sentences on how they differ, for outputs whose elements have no fixed places.
    causes : mapping of str to str
        The weaknesses that `examine` knows, by the name that findings give, and what they are.
    """

    name: str
    functions: tuple[str, ...]
    dtypes: tuple[str, ...]
    dims: tuple[Dim, ...]
    params: tuple[Param, ...]
    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]
    criteria: Criteria
    reference: Reference
    baseline: Reference | None = None
    interpretations: Mapping[str, Reading] = field(default_factory=dict)
    float32_coordinates: Reading | None = None
    scale: Reference | None = None
    addends: Counts | None = None
    sums_over_scale: Counts | None = None
    atomic: bool = False
    workspace_functions: tuple[str, ...] = ()
    least_workspace: Callable[[Mapping[str, Scalar], int], int] | None = None
    implied: Implied | None = None
    theory: Theory | None = None
    channelwise: tuple[str, ...] = ()
    rowwise: tuple[str, ...] = ()
    fills: Mapping[str, Any] = field(default_factory=dict)
    own_limits: tuple[Limit, ...] = ()
    settle: Settle | None = None
    examine: Examine | None = None
    compare: Callable[[Arrays, Arrays], Sequence[str]] | None = None
    causes: Mapping[str, str] = field(default_factory=dict)

    @property
    def limits(self) -> tuple[Limit, ...]:
        return TASKS + self.own_limits

    def limit(self, name: str) -> Limit:
        return next(limit for limit in self.limits if limit.name == name)

    def dim(self, name: str) -> Dim:
        return next(dim for dim in self.dims if dim.name == name)

    @cached_property
    def tensors(self) -> tuple[Tensor, ...]:
        return self.inputs + self.outputs

    def absent_with(self, inputs: Collection[str]) -> frozenset[str]:
        """Return inputs that are absent, and the outputs that are absent with them."""
        absent = frozenset(inputs)
        return absent.union([output.name for output in self.outputs if output.only_with in absent])

    def tensor(self, name: str) -> Tensor:
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> Mapping[str, Tensor]:
        return {tensor.name: tensor for tensor in self.tensors}


def tied(operator: Operator, dims: Mapping[str, int]) -> dict[str, int]:
    """Return the dimensions with those that equal another one set to its size."""
    sizes = dict(dims)
    for dim in operator.dims:
        other, _, condition = dim.same_as.partition(WHERE)
        if other and (not condition or dims[condition]):
            sizes[dim.name] = dims[other]
    return sizes


def shape_of(tensor: Tensor, dims: Mapping[str, int]) -> tuple[int, ...]:
    """The tensor's shape with its dimension names replaced by `dims`."""
    if tensor.plain_shape:
        return tuple([dims[name] for name in tensor.shape])
    shape = []
    for condition, size, names in _factors(tensor.shape):
        if condition and dims[condition]:
            continue
        for name in names:
            size *= dims[name]
        shape.append(size)
    return tuple(shape)


def entries_of(tensor: Tensor, dims: Mapping[str, int]) -> tuple[str, ...]:
    """Return the entries of the tensor's shape that `dims` leaves in, without their conditions."""
    split = _conditions(tensor.shape)
    return tuple(entry for entry, condition in split if not (condition and dims[condition]))


@lru_cache(maxsize=None)
def _conditions(shape: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the entries of a shape, each with the dimension that leaves it out, or none."""
    return tuple((entry, condition) for entry, _, condition in (text.partition(UNLESS) for text in shape))


@lru_cache(maxsize=None)
def _factors(shape: tuple[str, ...]) -> tuple[tuple[str, int, tuple[str, ...]], ...]:
    """Return the dimension that leaves an entry out, or none, its numbers multiplied, and its dimensions."""
    return tuple(
        (
            condition,
            prod(int(factor) for factor in entry.split("*") if factor.isdigit()),
            tuple(factor for factor in entry.split("*") if not factor.isdigit()),
        )
        for entry, condition in _conditions(shape)
    )
