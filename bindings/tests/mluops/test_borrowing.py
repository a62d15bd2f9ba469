"""Queues, handles and memory that a framework owns."""

from __future__ import annotations

import ctypes
import gc
import weakref
from typing import Any

import mluops
import numpy as np
import pytest
from mluops import DeviceArray, Handle, Queue, types
from mluops.errors import ArgumentTypeError, ArgumentValueError
from mluops.library import Library


class Owner:
    """Somebody who owns something."""


def raw_queue(library: Library) -> Any:
    raw = types.cnrtQueue_t()
    library.cnrtQueueCreate.checked(ctypes.byref(raw))
    return raw


def address(pointer: Any) -> int:
    return int(ctypes.cast(pointer, ctypes.c_void_p).value or 0)


@pytest.fixture
def theirs(library: Library) -> Any:
    """A queue that somebody else destroys."""
    raw = raw_queue(library)
    yield raw
    library.cnrtQueueDestroy.checked(raw)


@pytest.mark.parametrize(
    "form", [address, lambda raw: raw, lambda raw: ctypes.c_void_p(address(raw)), np.int64]
)
def test_a_queue_is_borrowed_from_any_form_of_its_address(library: Library, theirs: Any, form: Any) -> None:
    queue = Queue.borrow(library, form(address(theirs)) if form is np.int64 else form(theirs))
    assert queue.address == address(theirs)
    queue.synchronize()


def test_a_borrowed_queue_is_not_destroyed(standin: Any, theirs: Any) -> None:
    before = standin.live
    Queue.borrow(standin.library, theirs).close()
    assert standin.live == before


def test_zero_borrows_the_default_queue(library: Library) -> None:
    with Handle(library, Queue.borrow(library, 0)) as handle:
        assert handle.queue.address == 0


@pytest.mark.parametrize("wrong", [None, True, "0x10", 1.0, -1, 1 << 64])
def test_what_is_no_address_is_refused(library: Library, wrong: Any) -> None:
    with pytest.raises((ArgumentTypeError, ArgumentValueError), match="address"):
        Queue.borrow(library, wrong)


def test_a_handle_in_place_of_a_queue_is_refused(library: Library, handle: Handle) -> None:
    with pytest.raises(ArgumentTypeError, match="address must be a cnrtQueue_t, not a mluOpHandle_t"):
        Queue.borrow(library, handle.raw)


def test_a_borrowed_handle_works_and_is_not_destroyed(standin: Any, handle: Handle) -> None:
    before = standin.live
    with Handle.borrow(standin.library, address(handle.raw)) as borrowed:
        boxes, scores = np.zeros((5, 5), np.float32), np.zeros(5, np.float32)
        assert mluops.operators.nms_rotated(borrowed, boxes, scores, 0.5).tolist() == [4, 2, 0]
    assert standin.live == before


def test_a_borrowed_handle_keeps_its_queue(library: Library, theirs: Any, handle: Handle) -> None:
    library.mluOpSetQueue.checked(handle, theirs)
    assert Handle.borrow(library, handle.raw).queue.address == address(theirs)


def test_a_handle_of_null_is_refused(library: Library) -> None:
    with pytest.raises(ArgumentValueError, match="address is NULL"):
        Handle.borrow(library, 0)


@pytest.mark.parametrize(
    "borrow",
    [
        lambda library, raw, owner: Queue.borrow(library, raw, owner),
        lambda library, raw, owner: DeviceArray.borrow(library, (2,), "float32", raw, owner),
    ],
    ids=["Queue", "DeviceArray"],
)
def test_what_is_borrowed_keeps_its_owner_alive(library: Library, theirs: Any, borrow: Any) -> None:
    owner = Owner()
    alive = weakref.ref(owner)
    borrowed = borrow(library, ctypes.c_void_p(address(theirs)), owner)
    del owner
    gc.collect()
    assert alive() is not None
    borrowed.close()
    gc.collect()
    assert alive() is None


def test_reprs_say_what_is_borrowed(library: Library) -> None:
    assert repr(Queue.borrow(library, 0x10)) == "<Queue at 0x10 borrowed>"
    array = DeviceArray.borrow(library, (2, 3), "bfloat16", 0x40)
    assert repr(array) == "<DeviceArray bfloat16[2, 3] at 0x40 borrowed>"


@pytest.mark.parametrize("null", [0, ctypes.c_void_p()])
def test_an_array_with_elements_has_an_address(library: Library, null: Any) -> None:
    with pytest.raises(ArgumentValueError, match=r"address is NULL, but float32\[300, 5\] has elements"):
        DeviceArray(library, (300, 5), "float32", null)


def test_none_is_no_address(library: Library) -> None:
    with pytest.raises(ArgumentTypeError, match="address must be an address, as an int or a ctypes pointer"):
        DeviceArray(library, (300, 5), "float32", None)


def test_a_raw_queue_in_place_of_a_queue_is_refused(library: Library, theirs: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"queue must be a Queue, not a cnrtQueue_t: Queue\.borrow"):
        Handle(library, theirs)


def test_something_else_in_place_of_the_library_is_refused() -> None:
    for make in (Queue, Handle, lambda wrong: DeviceArray.empty(wrong, (2,), "float32")):
        with pytest.raises(ArgumentTypeError, match="library must be a Library, not a str"):
            make("libmluops.so")
