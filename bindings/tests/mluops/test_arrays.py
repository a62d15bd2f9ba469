"""Arrays in device memory, which in the stand-in is host memory."""

from __future__ import annotations

import ctypes
import re
from typing import Any, Callable, Iterator

import numpy as np
import pytest
from mluops import DeviceArray, Queue, dtypes
from mluops.constants import cnrtMemTransDir_t, mluOpDataType_t
from mluops.errors import ArgumentTypeError, ArgumentValueError, Closed, Error
from mluops.library import Library


@pytest.mark.parametrize("dtype", ["float16", "float32", "int32", "bool", "complex64"])
def test_data_survive_the_way_there_and_back(library: Library, dtype: str) -> None:
    array = np.arange(24).reshape(2, 3, 4).astype(dtype)
    with DeviceArray.from_numpy(library, array) as on_device:
        np.testing.assert_array_equal(on_device.numpy(), array)
        assert on_device.numpy().dtype == array.dtype


@pytest.mark.parametrize(
    "view", [np.arange(12.0).reshape(3, 4).T, np.arange(12.0)[::-2], np.asfortranarray(np.ones((2, 3)))]
)
def test_any_order_in_host_memory_becomes_contiguous(library: Library, view: Any) -> None:
    with DeviceArray.from_numpy(library, view) as on_device:
        np.testing.assert_array_equal(on_device.numpy(), view)


@pytest.mark.parametrize("shape", [(), (1,), (0,), (3, 0, 2)])
def test_scalars_and_arrays_without_elements(library: Library, shape: tuple[int, ...]) -> None:
    with DeviceArray.from_numpy(library, np.ones(shape)) as on_device:
        np.testing.assert_array_equal(on_device.numpy(), np.ones(shape))


def test_an_array_without_elements_allocates_nothing(standin: Any) -> None:
    before = standin.live
    with DeviceArray.empty(standin.library, (0, 5), "float32") as array:
        assert (array.pointer, array.nbytes, standin.live) == (0, 0, before)


@pytest.mark.parametrize("shape", [(-1, 4), (-2, -2)])
def test_a_negative_dimension_is_refused(library: Library, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=rf"{re.escape(str(list(shape)))}: a dimension is negative"):
        DeviceArray.empty(library, shape, "float32")


def test_what_an_array_is(library: Library) -> None:
    with DeviceArray.empty(library, (2, 3), "float16") as array:
        assert (array.shape, array.dtype, array.nbytes) == ((2, 3), np.float16, 12)
        assert repr(array) == f"<DeviceArray float16[2, 3] at {array.pointer:#x}>"


def test_an_array_is_passed_to_c_as_its_address(library: Library) -> None:
    with DeviceArray.empty(library, (4,), "uint8") as array:
        library.cnrtMemset.checked(array, 7, 4)
        assert ctypes.string_at(array.pointer, 4) == b"\7\7\7\7"


def test_an_array_does_not_pass_for_a_number(library: Library) -> None:
    with DeviceArray.empty(library, (4,), "uint8") as array:
        with pytest.raises(ArgumentTypeError, match=r"\(ordinal\): expected int, got DeviceArray"):
            library.cnrtSetDevice(array)
        with pytest.raises(ArgumentTypeError, match=r"\(bytes\): expected size_t, got DeviceArray"):
            library.cnrtMemset(array, 0, array)


def test_bytes_are_filled(library: Library) -> None:
    with DeviceArray.empty(library, (2,), "uint16") as array:
        array.fill_bytes(0xA5)
        assert array.numpy().tolist() == [0xA5A5, 0xA5A5]


@pytest.mark.parametrize(
    "other", [np.zeros((3, 2), np.float32), np.zeros((2, 3), np.float64)], ids=["shape", "dtype"]
)
def test_a_copy_from_something_else_is_refused(library: Library, other: Any) -> None:
    with DeviceArray.empty(library, (2, 3), "float32") as array, pytest.raises(
        ValueError, match="cannot copy"
    ):
        array.copy_from(other)


def test_copies_name_their_direction(standin: Any) -> None:
    directions = cnrtMemTransDir_t
    with DeviceArray.empty(standin.library, (2,), "float32") as array:
        array.copy_from(np.zeros(2, np.float32))
        assert standin.cnrt.standin_direction() == directions.cnrtMemcpyHostToDev
        array.numpy()
        assert standin.cnrt.standin_direction() == directions.cnrtMemcpyDevToHost
        with DeviceArray.empty(standin.library, (2,), "float32") as other:
            other.copy_from(array)
        assert standin.cnrt.standin_direction() == directions.cnrtMemcpyDevToDev


@pytest.mark.parametrize("cnrt", ["6.0.2", "6.14.1"])
def test_an_asynchronous_copy_takes_the_newest_function_there_is(
    load_standin: Callable[..., Any], cnrt: str
) -> None:
    library = load_standin(cnrt=cnrt).library
    with Queue(library) as queue, DeviceArray.empty(library, (2,), "float32") as array:
        array.copy_from(np.array([1, 2], np.float32), queue)
        queue.synchronize()
        assert array.numpy().tolist() == [1, 2]


def test_both_ends_of_an_asynchronous_copy_live_until_the_queue_is_synchronised(standin: Any) -> None:
    before = standin.live
    with Queue(standin.library) as queue:
        DeviceArray.empty(standin.library, (2,), "float32").copy_from(np.zeros(2, np.float32), queue)
        assert standin.live == before + 2
        queue.synchronize()
        assert standin.live == before + 1


def test_memory_of_others_is_wrapped_and_left_to_them(standin: Any) -> None:
    theirs = (ctypes.c_float * 3)(1, 2, 3)
    before = standin.live
    with DeviceArray(standin.library, (3,), "float32", ctypes.addressof(theirs), owner=theirs) as array:
        assert array.numpy().tolist() == [1, 2, 3]
    assert standin.live == before


def test_a_descriptor_is_made_once_for_each_layout(library: Library) -> None:
    with DeviceArray.empty(library, (1, 2, 3, 4), "float32") as array:
        assert array.descriptor("NHWC") is array.descriptor("NHWC")
        assert array.descriptor("NHWC") is not array.descriptor("NCHW")


@pytest.fixture
def counted(library: Library) -> Any:
    with DeviceArray.from_numpy(library, np.arange(24, dtype=np.int32).reshape(2, 3, 4)) as array:
        yield array


@pytest.mark.parametrize(
    "index",
    [0, -1, slice(None), slice(1, 2), slice(5, 9), (1, 2), (0, slice(1, 3)), (1, 2, slice(2)), (0, 1, 3)],
)
def test_parts_are_those_of_numpy(counted: Any, index: Any) -> None:
    np.testing.assert_array_equal(counted[index].numpy(), np.arange(24).reshape(2, 3, 4)[index])


@pytest.mark.parametrize("index", [2, -3, (0, 3), (0, 0, 0, 0)])
def test_an_index_beyond_the_array_is_refused(counted: Any, index: Any) -> None:
    with pytest.raises(IndexError):
        counted[index]


@pytest.mark.parametrize("index", [slice(None, None, 2), (slice(None), 1), ..., None, 1.0, True, [0]])
def test_a_part_that_is_not_contiguous_is_refused(counted: Any, index: Any) -> None:
    with pytest.raises(Error):
        counted[index]


def test_a_view_is_the_same_memory_and_closes_with_it(library: Library, counted: Any) -> None:
    view = counted[1]
    view.copy_from(np.zeros((3, 4), np.int32))
    assert counted.numpy()[1].sum() == 0
    counted.close()
    with pytest.raises(Closed):
        view.numpy()
    with pytest.raises(ArgumentTypeError, match="got a closed DeviceArray"):
        library.cnrtMemset(view, 0, 4)


def test_shapes_change_without_a_copy(counted: Any) -> None:
    assert counted.reshape(4, -1).shape == counted.reshape((4, 6)).shape == (4, 6)
    with pytest.raises(ArgumentValueError, match=r"\[2, 3, 4\] cannot be reshaped to \[5, 5\]"):
        counted.reshape(5, 5)


def test_an_array_counts_its_elements(counted: Any) -> None:
    assert (counted.ndim, counted.size, len(counted), counted.nbytes) == (3, 24, 2, 96)


def test_a_copy_has_memory_of_its_own(counted: Any) -> None:
    with counted.copy() as copy:
        copy.fill_bytes(0)
        assert counted.numpy().sum() == 276


def test_an_array_is_not_copied_to_the_host_by_itself(counted: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"its \.numpy\(\) copies it to the host"):
        np.asarray(counted)
    with pytest.raises(ArgumentTypeError, match="neither true nor false"):
        bool(counted)


def test_what_is_no_ndarray_is_refused(library: Library) -> None:
    with pytest.raises(ArgumentTypeError, match="array must be an ndarray, not a list"):
        DeviceArray.from_numpy(library, [1])  # type: ignore[arg-type]


@pytest.fixture
def own_bfloat16(monkeypatch: pytest.MonkeyPatch) -> Iterator[np.dtype[Any]]:
    """The dtype that a package has for bfloat16, as ml_dtypes does."""
    dtype = np.dtype("V2")
    dtypes._known.cache_clear()
    monkeypatch.setattr(dtypes, "_bfloat16", lambda: dtype)
    yield dtype
    dtypes._known.cache_clear()


def test_bits_become_bfloat16_where_a_package_has_it(library: Library, own_bfloat16: np.dtype[Any]) -> None:
    bits = np.arange(6, dtype=np.uint16).reshape(2, 3)
    array = DeviceArray.from_numpy(library, bits, "bfloat16")
    assert array.dtype == own_bfloat16
    assert array.numpy().tobytes() == bits.tobytes()


def test_bfloat16_is_copied_where_a_package_has_it(library: Library, own_bfloat16: np.dtype[Any]) -> None:
    bits = np.arange(6, dtype=np.uint16)
    copy = DeviceArray.from_numpy(library, bits.view(own_bfloat16), "bfloat16").copy()
    assert copy.dtype == own_bfloat16
    assert copy.numpy().tobytes() == bits.tobytes()


@pytest.mark.parametrize("step", [1, 2])
def test_bfloat16_is_copied_to_its_bits(library: Library, own_bfloat16: np.dtype[Any], step: int) -> None:
    bits = np.arange(6, dtype=np.uint16)
    out = np.zeros(6 * step, np.uint16)[::step]
    DeviceArray.from_numpy(library, bits, "bfloat16").copy_to(out)
    assert out.tolist() == bits.tolist()


def test_bfloat16_is_not_copied_to_numbers(library: Library) -> None:
    with pytest.raises(ArgumentValueError, match="cannot copy into float16"):
        DeviceArray.empty(library, (2,), "bfloat16").copy_to(np.zeros(2, np.float16))


def test_bfloat16_has_its_own_descriptors(library: Library) -> None:
    with DeviceArray.empty(library, (2,), "bfloat16") as array:
        assert (array.code, array.dtype.itemsize) == (mluOpDataType_t.MLUOP_DTYPE_BFLOAT16, 2)
        assert array[:1].code == array.code
        assert "bfloat16[2]" in repr(array.descriptor())


def test_a_dtype_that_is_none_is_answered_with_those_that_are(library: Library) -> None:
    with pytest.raises(ArgumentTypeError, match=r"no dtype 'flaot32'; mlu-ops has float16, float32"):
        DeviceArray.empty(library, (2,), "flaot32")
