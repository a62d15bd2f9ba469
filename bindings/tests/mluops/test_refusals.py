"""Bad input at each door: an exception of this package names the argument, and nothing has been called."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import mluops
import numpy as np
import pytest
from mluops import Context, DeviceArray, Handle, Queue, TensorDescriptor, operators
from mluops.errors import ArgumentTypeError, ArgumentValueError, Closed, Error
from mluops.library import Library

BOXES = np.array([[6, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3]], np.float32)
SCORES = np.array([0.7, 0.9, 0.5], np.float32)


@pytest.fixture
def library() -> Iterator[Library]:
    library = mluops.load("emulator")
    yield library
    assert library.symbols.take_violations() == []


def closed(resource: Any) -> Any:
    resource.close()
    return resource


def by_name(library: Library, **changed: Any) -> None:
    count = np.zeros(1, np.int32)
    given = {"boxes": BOXES, "scores": SCORES, "output": np.empty(3, np.int32), "result_num": count}
    with Handle(library) as handle:
        mluops.call(handle, "mluOpNmsRotated", iou_threshold=0.1, **{**given, **changed})


@pytest.mark.parametrize(
    ("door", "kind", "said"),
    [
        (lambda a: DeviceArray.empty(a, (2,), None), ArgumentTypeError, "no dtype is given"),
        (
            lambda a: DeviceArray.empty(a, (2**62, 4), "float32"),
            ArgumentValueError,
            "more than any device",
        ),
        (
            lambda a: DeviceArray.empty(a, (2,), "float32")[np.array([True, False])],
            ArgumentTypeError,
            "not by an array",
        ),
        (
            lambda a: DeviceArray.empty(a, (2,), "float32").reshape(None),
            ArgumentTypeError,
            "a shape is made of integers",
        ),
        (
            lambda a: DeviceArray.empty(a, (2,), "float32").fill_bytes(256),
            ArgumentValueError,
            "value is 256, which is no byte",
        ),
        (lambda a: mluops.pinned(a, (-3,), "float32"), ArgumentValueError, "a dimension is negative"),
        (lambda a: mluops.pinned(a, 3, "float32"), ArgumentTypeError, "shape must be a sequence"),
        (lambda a: mluops.pinned(a, (1.5,), "float32"), ArgumentTypeError, "shape must be a sequence"),
        (lambda a: TensorDescriptor(a, None, "float32"), ArgumentTypeError, "shape must be a sequence"),
        (
            lambda a: TensorDescriptor(a, (2,), "float32", strides=1),
            ArgumentTypeError,
            "strides must be a sequence",
        ),
        (lambda a: TensorDescriptor(a, (2,), "float32", ["NHWC"]), ArgumentValueError, "no layout"),
        (lambda a: Context(a).limit(-1), ArgumentValueError, "clusters must be 0 or more, not -1"),
        (lambda a: Context(a).limit("all"), ArgumentTypeError, "clusters must be an int, not a str"),
        (lambda a: Handle(a, closed(Queue(a))), Closed, "queue is closed"),
        (lambda a: by_name(a, layouts="NHWC"), ArgumentTypeError, "layouts must map names of tensors"),
        (
            lambda a: by_name(a, layouts={"boxes": ["NHWC"]}),
            ArgumentTypeError,
            r"layouts\['boxes'\] must be a name or a number, not a list",
        ),
        (lambda a: by_name(a, layouts={"boxes": "NWHC"}), ArgumentValueError, "no layout 'NWHC'"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(
    library: Library, door: Callable[[Library], object], kind: type[Error], said: str
) -> None:
    with pytest.raises(kind, match=said):
        door(library)


def test_the_queue_of_a_handle_that_was_closed_is_not_used(library: Library) -> None:
    queue = Queue(library)
    with Handle(library, queue) as handle:
        queue.close()
        with pytest.raises(Closed, match="the handle's queue is closed"):
            operators.nms_rotated(handle, BOXES, SCORES, 0.1)
        with pytest.raises(Closed, match="the handle's queue is closed"):
            handle.synchronize()
        library.mluOpSetQueue.checked(handle, None)
        assert operators.nms_rotated(handle, BOXES, SCORES, 0.1).tolist() == [1]


def test_an_array_on_the_memory_of_another_closes_with_it(library: Library) -> None:
    owner = DeviceArray.from_numpy(library, SCORES)
    borrowed = DeviceArray.borrow(library, (3,), "float32", owner.pointer, owner=owner)
    owner.close()
    with pytest.raises(Closed):
        borrowed.numpy()


def test_a_count_that_a_queued_call_still_writes_is_set_to_0_behind_it(library: Library) -> None:
    with Handle(library, Queue(library)) as handle:
        boxes, scores = DeviceArray.from_numpy(library, BOXES), DeviceArray.from_numpy(library, SCORES)
        first = operators.nms_rotated(handle, boxes, scores, 0.1, synchronize=False)
        assert operators.nms_rotated(handle, boxes, scores, 0.1, out=first).numpy().tolist() == [1]
