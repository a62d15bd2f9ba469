"""From a gtest case, read as a message, to a case of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np
from mluops import dtypes
from mluops.signatures import MLUOP
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec, Origin
from mluops_conformance.operators import operator_names, the_operator
from mluops_conformance.operators.base import CASE_DTYPE, Operator, Scalar, Tensor

from mluops_tools.gtest.criteria import read_criteria
from mluops_tools.gtest.dimensions import solve
from mluops_tools.gtest.enums import DEVICES, DTYPES, LAYOUTS
from mluops_tools.gtest.textformat import Message
from mluops_tools.gtest.unrepresentable import UnrepresentableError
from mluops_tools.gtest.values import VALUES, given_values, random_fill, stored_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "Imported",
    "OtherOperatorError",
    "import_case",
    "operator_of",
    "scalar_names",
    "word_of",
]

INLINE = 32
"""Elements that a case file holds itself; more go to a file of their own."""

USED = frozenset({"op_name", "input", "output", "test_param", "evaluation_criterion", "evaluation_threshold"})
WITHOUT_EFFECT = frozenset({"device", "evaluation_threshold_imag", "handle_param", "op_type"})
"""Fields of a case without effect: no operator here is complex, or rounds by the handle's parameter, and
`op_name` says what `op_type` does."""

OF_TENSORS = frozenset({"id", "shape", "layout", "dtype", "random_data", "path", *VALUES})
OF_TENSORS_WITHOUT_EFFECT = frozenset({"mlu_dtype", "onchip_dtype", "threshold_use", "thresholds"})
UNQUANTIZED = {"position": 0, "scale": 1, "offset": 0}
"""The values that the library dumps for tensors that are not quantized, as all are here."""


class OtherOperatorError(UnrepresentableError):
    """The case is of an operator that is not tested here."""


@dataclass(frozen=True)
class Imported:
    """A case, and the arrays that its fills take from files, by file name."""

    case: Case
    files: dict[str, NDArray[Any]] = field(default_factory=dict)


def import_case(message: Message, source: Path, name: str) -> Imported:
    """The case of ours that a gtest case stands for.

    Parameters
    ----------
    message : Message
        What the case's file holds.
    source : Path
        That file; raw data lies beside it.
    name : str
        The id to give it.

    Raises
    ------
    UnrepresentableError
        It has no counterpart.
    TextFormatError
        A field holds what it cannot.
    """
    operator = operator_of(message)
    reader = _Reader(message, operator, source.parent, name)
    scalars = reader.scalars()
    params = {param.name: scalars[param.name] for param in operator.params}
    criteria = read_criteria(message, source.stem)
    case = Case(
        id=f"{operator.name}/{name}",
        operator=operator.name,
        origin=Origin(str(source), 1),
        dims=solve(
            operator, reader.shapes, {key: int(size) for key, size in scalars.items() if key not in params}
        ),
        params=params,
        dtype=reader.dtype(),
        data=reader.data(),
        absent=reader.absent,
        descriptors=reader.descriptors(),
        compare=all(prod(reader.shapes[tensor.name]) for tensor in reader.present(operator.inputs)),
        thresholds=criteria.thresholds,
        tags=frozenset({"gtest"}),
        source=f"gtest case {source}",
        note="; ".join([*criteria.remarks, *reader.remarks()]),
    )
    return Imported(case, reader.files)


def scalar_names(operator: Operator) -> tuple[str, ...]:
    """Return the operator's scalars and dimensions that the C function takes; gtest has the same names."""
    known = {*(param.name for param in operator.params), *(dim.name for dim in operator.dims)}
    return tuple(name for name in MLUOP[operator.functions[0]].parameter_names if name in known)


def operator_of(message: Message) -> Operator:
    """The operator that a case is of.

    Raises
    ------
    OtherOperatorError
        It is none of those that are tested here.
    """
    named = message.scalar("op_name")
    name = "" if named is None else named.string()
    if name not in operator_names():
        raise OtherOperatorError(f"the operator {name or 'without a name'} is not tested here")
    return the_operator(name)


class _Reader:
    def __init__(self, message: Message, operator: Operator, folder: Path, name: str) -> None:
        self._message = message
        self._operator = operator
        self._folder = folder
        self._name = name
        self.files: dict[str, NDArray[Any]] = {}
        self._given = {
            **_paired(operator.inputs, message.messages("input"), "input"),
            **_paired(operator.outputs, message.messages("output"), "output"),
        }
        missing = [tensor.name for tensor in operator.inputs if tensor.name not in self._given]
        self.absent = frozenset(missing)
        for tensor in operator.inputs:
            if tensor.name in self.absent and not tensor.optional:
                raise UnrepresentableError(f"it has no {tensor.name}, which is not optional")
        self.shapes = {name: _shape(name, tensor) for name, tensor in self._given.items()}

    def present(self, tensors: Sequence[Tensor]) -> Iterator[Tensor]:
        return (tensor for tensor in tensors if tensor.name in self._given)

    def scalars(self) -> dict[str, Scalar]:
        """The scalars of the call."""
        section = f"{self._operator.name}_param"
        message = self._message.message(section)
        floating = {param.name for param in self._operator.params if param.kind is float}
        values: dict[str, Scalar] = {}
        for name in scalar_names(self._operator):
            given = message.scalar(name) if message else None
            if given is None:
                raise UnrepresentableError(f"{section} lacks {name}")
            values[name] = given.number() if name in floating else given.integer()
        return values

    def dtype(self) -> str:
        """The case's dtype: the one of the operator's by which every tensor has its right one."""
        tensors = [*self.present(self._operator.tensors)]
        words = {tensor.name: _dtype_word(self._given[tensor.name]) for tensor in tensors}
        for dtype in self._operator.dtypes:
            if all(words[tensor.name] == word_of(storage_dtype(tensor, dtype)) for tensor in tensors):
                return dtype
        shown = ", ".join(f"{name} {word}" for name, word in words.items())
        raise UnrepresentableError(f"the library takes no such dtypes together: {shown}")

    def data(self) -> dict[str, FillSpec]:
        """Return the fill of each input."""
        dtype = self.dtype()
        inputs = self.present(self._operator.inputs)
        return {
            tensor.name: self._fill(tensor.name, np.dtype(storage_dtype(tensor, dtype))) for tensor in inputs
        }

    def _fill(self, name: str, dtype: np.dtype[Any]) -> FillSpec:
        given, shape = self._given[name], self.shapes[name]
        count = prod(shape)
        values = given_values(given, dtype, count)
        if values is None:
            values = stored_values(given, dtype, count, self._folder)
        if values is None:
            return random_fill(given) or FillSpec("zeros")
        return self._kept(name, values.reshape(shape))

    def _kept(self, name: str, values: NDArray[Any]) -> FillSpec:
        if values.size <= INLINE and not np.isnan(values).any():  # of which text knows only one
            return FillSpec("values", {"values": _nested(values.tolist())})
        file = f"{self._name}.{name}.npy"
        self.files[file] = values
        return FillSpec("file", {"path": file})

    def descriptors(self) -> dict[str, DescriptorOverride]:
        """Layouts other than the operator's own, and strides where they are given."""
        overrides = {}
        for tensor in self.present(self._operator.tensors):
            layout, strides = self._layout(tensor), self._strides(tensor.name)
            if tensor.described and (layout or strides):
                overrides[tensor.name] = DescriptorOverride(layout=layout, strides=strides)
        return overrides

    def _layout(self, tensor: Tensor) -> str | None:
        given = self._given[tensor.name].scalar("layout")
        layout = tensor.layout if given is None else given.word(LAYOUTS)[len("LAYOUT_") :]
        return None if layout == tensor.layout else layout

    def _strides(self, name: str) -> tuple[int, ...] | None:
        shape = self._given[name].message("shape")
        strides = tuple(scalar.integer() for scalar in shape.scalars("dim_stride")) if shape else ()
        if strides and not _is_contiguous(self.shapes[name], strides):
            raise UnrepresentableError(
                f"{name} has the strides {list(strides)}, and the library refuses gaps"
            )
        return strides or None

    def remarks(self) -> Iterator[str]:
        """Yield a remark for each field of the case that has no effect here."""
        param = f"{self._operator.name}_param"
        yield from _unused("", self._message, USED | WITHOUT_EFFECT | {param})
        for name, tensor in self._given.items():
            yield from _unused(f"{name}.", tensor, OF_TENSORS | OF_TENSORS_WITHOUT_EFFECT)
            use = tensor.scalar("threshold_use")
            if use is not None and use.integer() == 0:
                yield f"{name} is not compared by gtest, and is judged here"
        section = self._message.message("test_param") or self._message
        device = section.scalar("baseline_device" if section is not self._message else "device")
        if device is not None and device.word(DEVICES) != "CPU":
            yield f"the results of a {device.text} that it may hold are not used"


def _paired(tensors: Sequence[Tensor], given: Sequence[Message], what: str) -> dict[str, Message]:
    """The messages by the names of the tensors that they stand for; gtest knows them by their order."""
    if len(given) > len(tensors):
        raise UnrepresentableError(f"it has {len(given)} {what}s, and the operator {len(tensors)}")
    pairs = {tensor.name: message for tensor, message in zip(tensors, given)}
    return {name: message for name, message in pairs.items() if not _is_null(message)}


def _is_null(tensor: Message) -> bool:
    named = tensor.scalar("id")
    return named is not None and "NULL" in named.string()


def _shape(name: str, tensor: Message) -> tuple[int, ...]:
    shape = tensor.message("shape")
    if shape is None:
        raise UnrepresentableError(f"{name} has no shape")
    unknown = sorted({*shape.fields} - {"dims", "dim_stride"})
    if unknown:
        raise UnrepresentableError(f"{name}.shape has {', '.join(unknown)}, which is not understood")
    return tuple(scalar.integer() for scalar in shape.scalars("dims"))


def storage_dtype(tensor: Tensor, dtype: str) -> str:
    """The NumPy name of a tensor's dtype in a case of a dtype."""
    return dtype if tensor.dtype == CASE_DTYPE else tensor.dtype


def _dtype_word(tensor: Message) -> str:
    given = tensor.scalar("dtype")
    return "of no dtype" if given is None else given.word(DTYPES)


def word_of(dtype: str) -> str:
    """Return the schema's name of a NumPy dtype."""
    return dtypes.to_mluop(dtype).name[len("MLUOP_") :]


def _is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """As the library sees it: dimensions of one element may have any stride, and empty tensors all."""
    if len(shape) != len(strides):
        return False
    if 0 in shape:
        return True
    expected = 1
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != expected:
            return False
        expected *= size
    return True


def _nested(values: Any) -> Any:
    return tuple(map(_nested, values)) if isinstance(values, list) else values


def _unused(prefix: str, message: Message, known: frozenset[str]) -> Iterator[str]:
    for name in message.fields:
        if name not in known and not _is_unquantized(name, message):
            yield f"its {prefix}{name} is not used"


def _is_unquantized(name: str, message: Message) -> bool:
    scalar = message.scalar(name) if name in UNQUANTIZED else None
    return scalar is not None and scalar.number() == UNQUANTIZED[name]
