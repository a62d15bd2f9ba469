"""Operands that are no ndarrays: what NumPy takes is taken, by each of its protocols."""

from __future__ import annotations

from array import array
from typing import Any, Iterator

import mluops
import numpy as np
import pytest
from mluops import DeviceArray, Handle, operators
from mluops.errors import ArgumentTypeError

BOXES = np.array([[6, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3]], np.float32)
SCORES = np.array([0.7, 0.9, 0.5], np.float32)

needs_dlpack = pytest.mark.skipif(not hasattr(np, "from_dlpack"), reason="NumPy 1.22 brought DLPack")


class Tensor:
    """The host memory of a framework, by DLPack alone."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.values = values

    def __dlpack__(self, **options: Any) -> Any:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return 1, 0  # host memory


class TorchLike(Tensor):
    """A tensor as torch has it: NumPy calls `__array__`, and its dtype is none of NumPy's."""

    dtype = "torch.float32"
    requires_grad = False

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return self.values if dtype is None else self.values.astype(dtype)


class Interface:
    """Memory that `__array_interface__` describes."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.values = values
        self.__array_interface__ = values.__array_interface__


class OnDevice:
    """A tensor in the memory of an extension device of DLPack."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 12, 0

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("not on the host")


@pytest.fixture
def handle() -> Iterator[Handle]:
    library = mluops.load("emulator")
    with Handle(library) as handle:
        yield handle
    assert library.symbols.take_violations() == []


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(Tensor, marks=needs_dlpack, id="DLPack"),
        pytest.param(TorchLike, id="torch"),
        pytest.param(Interface, id="array interface"),
        pytest.param(np.ndarray.tolist, id="list"),
        pytest.param(lambda values: tuple(values.tolist()), id="tuple"),
        pytest.param(lambda values: memoryview(values), id="buffer"),
        pytest.param(np.asfortranarray, id="Fortran order"),
        pytest.param(lambda values: np.repeat(values, 2, 0)[::2], id="strided"),
        pytest.param(lambda values: values.view(np.recarray), id="subclass"),
    ],
)
def test_an_operand_is_taken_as_numpy_takes_it(handle: Handle, made: Any) -> None:
    assert operators.nms_rotated(handle, made(BOXES), made(SCORES), 0.1).tolist() == [1]


def test_an_array_of_the_standard_library_is_taken(handle: Handle) -> None:
    assert operators.nms_rotated(handle, BOXES, array("f", SCORES), 0.1).tolist() == [1]


@needs_dlpack
def test_an_operand_by_dlpack_is_read_and_not_changed(handle: Handle) -> None:
    mine = BOXES.copy()
    operators.nms_rotated(handle, Tensor(mine), SCORES, 0.1)
    assert np.array_equal(mine, BOXES)


@needs_dlpack
def test_results_and_pinned_arrays_are_given_by_dlpack(handle: Handle) -> None:
    kept = operators.nms_rotated(handle, BOXES, SCORES, 0.1)
    assert np.from_dlpack(kept).tolist() == [1]
    staged = mluops.pinned(handle.library, (3,), "float32")
    staged[...] = SCORES
    assert np.shares_memory(np.from_dlpack(staged), staged)


@needs_dlpack
def test_device_memory_is_not_given_as_host_memory(handle: Handle) -> None:
    with DeviceArray.from_numpy(handle.library, SCORES) as scores:
        with pytest.raises((AttributeError, TypeError, BufferError)):
            np.from_dlpack(scores)
        with pytest.raises(ArgumentTypeError, match=r"its .numpy\(\) copies it to the host"):
            np.asarray(scores)


def test_a_tensor_of_a_device_is_refused_with_the_way_to_give_it(handle: Handle) -> None:
    with pytest.raises(ArgumentTypeError, match=r"scores is a OnDevice in the memory of a device.*borrow"):
        operators.nms_rotated(handle, BOXES, OnDevice(), 0.1)


def test_a_tensor_that_numpy_refuses_is_named_with_the_reason(handle: Handle) -> None:
    scores = TorchLike(SCORES)
    scores.requires_grad = True
    with pytest.raises(ArgumentTypeError, match=r"scores: .*requires grad"):
        operators.nms_rotated(handle, BOXES, scores, 0.1)


@pytest.mark.parametrize("made", [Tensor, TorchLike, Interface, np.ndarray.tolist])
def test_an_output_that_is_no_ndarray_is_refused_rather_than_left_as_it_was(
    handle: Handle, made: Any
) -> None:
    with pytest.raises(ArgumentTypeError, match="out must be an ndarray or a DeviceArray"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.1, out=made(np.zeros(3, np.int32)))
