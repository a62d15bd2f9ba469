"""From a case of ours to a gtest case, as protobuf text.

Floats go as the bits of their elements (`value_h`), so that they arrive exactly; integers as `value_i`; what
is long as a raw file beside the case; and the fills that an import gives random data, as `random_data` again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Iterator, Mapping

import numpy as np
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.judging.thresholds import resolve
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import Operator, Tensor, shape_of

from mluops_tools.gtest.criteria import MEASURES
from mluops_tools.gtest.importing import scalar_names, storage_dtype, word_of
from mluops_tools.gtest.unrepresentable import UnrepresentableError

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec
    from numpy.typing import NDArray

__all__ = ["Exported", "export_case"]

INLINE = 4096
"""Elements that a gtest case holds itself; more go to a file beside it."""

FUNCTIONS = {measure: name for name, measure in reversed([*MEASURES.items()])}
"""gtest's name of each measure."""


@dataclass(frozen=True)
class Exported:
    """The text of a gtest case, and the arrays of raw files beside it, by file name."""

    text: str
    files: dict[str, NDArray[Any]] = field(default_factory=dict)


def export_case(case: Case, name: str, seed: int = 0) -> Exported:
    """The gtest case that stands for a case.

    Parameters
    ----------
    case : Case
    name : str
        Of the file that it will be in, without its suffix: raw files are called after it.
    seed : int
        The run's, which data may depend on.

    Raises
    ------
    UnrepresentableError
        gtest has no such cases.
    """
    complaint = next(_complaints(case), None)
    if complaint:
        raise UnrepresentableError(f"gtest has no cases that {complaint}")
    writer = _Writer(case, name, seed)
    return Exported("\n".join(writer.lines()) + "\n", writer.files)


def _complaints(case: Case) -> Iterator[str]:
    if case.refused:
        yield f"must be answered with {case.expected_status}"
    if case.call != "operator":
        yield "only ask for the workspace's size"
    if case.after:
        yield "make several calls"
    if case.pointers or any(override.null for override in case.descriptors.values()):
        yield "pass NULL for what is not optional"
    for name, override in case.descriptors.items():
        if override.dtype is not None or override.shape is not None:
            yield f"describe {name} as something other than it is"
    if case.clusters is not None:
        yield "limit the clusters that they run on"
    scalars = {*case.params} & {*case.dims}
    if scalars:
        yield f"pass a {', '.join(sorted(scalars))} that the shapes do not have"


class _Writer:
    def __init__(self, case: Case, name: str, seed: int) -> None:
        self._case = case
        self._name = name
        self._operator: Operator = the_operator(case.operator)
        self._arrays = fill_inputs(case, self._operator, seed)
        self.files: dict[str, NDArray[Any]] = {}

    def lines(self) -> Iterator[str]:
        """The lines of the text."""
        case, operator = self._case, self._operator
        yield f"# {case.id}"
        yield f"# from {case.origin}"
        yield f'op_name: "{operator.name}"'
        for tensor in operator.inputs:
            if tensor.name not in case.absent:
                yield from _block("input", [*self._described(tensor), *self._data(tensor)])
            elif tensor is not operator.inputs[-1]:
                yield from _block("input", ['id: "NULL"'])
        for tensor in operator.outputs:
            if tensor.name in operator.absent_with(case.absent):
                continue
            yield from _block("output", self._described(tensor))
        scalars: dict[str, Any] = {**case.dims, **case.params}
        names = scalar_names(operator)
        yield from _block(f"{operator.name}_param", [f"{name}: {scalars[name]!r}" for name in names])
        yield from _block("test_param", self._criteria())

    def _described(self, tensor: Tensor) -> Iterator[str]:
        override: DescriptorOverride | None = self._case.descriptors.get(tensor.name)
        layout = override.layout if override and override.layout else tensor.layout
        strides = override.strides if override and override.strides else ()
        sizes = [f"dims: {size}" for size in shape_of(tensor, self._case.dims)]
        yield f'id: "{tensor.name}"'
        yield from _block("shape", [*sizes, *(f"dim_stride: {stride}" for stride in strides)])
        yield f"layout: LAYOUT_{layout}"
        yield f"dtype: {word_of(storage_dtype(tensor, self._case.dtype))}"

    def _data(self, tensor: Tensor) -> Iterator[str]:
        spec, array = self._case.data[tensor.name], self._arrays[tensor.name]
        if spec.name in RANDOM:
            yield from _block("random_data", RANDOM[spec.name](_options(spec)))
        elif array.size <= INLINE:
            yield from _values(array)
        else:
            file = f"{self._name}.{tensor.name}.bin"
            self.files[file] = array
            yield f'path: "{file}"'

    def _criteria(self) -> Iterator[str]:
        """The case's own thresholds; without any, the operator's as they are without a baseline."""
        thresholds: Mapping[str, float] = self._case.thresholds
        if not thresholds:
            output = storage_dtype(self._operator.outputs[0], self._case.dtype)
            static = resolve(self._operator.criteria, output)
            thresholds = {name: threshold.value for name, threshold in static.items()}
        known = {name: value for name, value in thresholds.items() if name in FUNCTIONS}
        yield from (f"error_func: {FUNCTIONS[name]}" for name in known)
        yield from (f"error_threshold: {value!r}" for value in known.values())
        yield "baseline_device: CPU"


def _uniform(options: Mapping[str, Any]) -> Iterator[str]:
    low, high = options["range"]
    suffix = "_double" if options["precision"] == "double" else ""
    yield f"seed: {options['seed']}"
    yield f"lower_bound{suffix}: {low!r}"
    yield f"upper_bound{suffix}: {high!r}"
    yield "distribution: UNIFORM"


def _gaussian(options: Mapping[str, Any]) -> Iterator[str]:
    suffix = "_double" if options["precision"] == "double" else ""
    yield f"seed: {options['seed']}"
    yield f"mu{suffix}: {options['mu']!r}"
    yield f"sigma{suffix}: {options['sigma']!r}"
    yield "distribution: GAUSSIAN"


RANDOM = {"gtest_uniform": _uniform, "gtest_gaussian": _gaussian}
"""The fields of `random_data` for the fills that stand for it."""


def _options(spec: FillSpec) -> dict[str, Any]:
    from mluops_conformance.fills.registry import GENERIC, options_of

    return options_of(GENERIC[spec.name], spec)


def _values(array: NDArray[Any]) -> list[str]:
    flat = np.ascontiguousarray(array).reshape(-1)
    if array.dtype.kind == "f":
        words = flat.view(f"u{array.itemsize}").tolist()
        return [f'value_h: "{word:0{2 * array.itemsize}x}"' for word in words]
    return [f"value_i: {value}" for value in flat.tolist()]


def _block(name: str, lines: Any) -> Iterator[str]:
    yield f"{name} {{"
    yield from (f"  {line}" for line in lines)
    yield "}"
