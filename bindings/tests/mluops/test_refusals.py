"""Bad input at each door: an exception of this package names the argument, and nothing has been called."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable, Iterator

import mluops
import numpy as np
import pytest
from mluops import Context, DeviceArray, Handle, Queue, TensorDescriptor, operators, types
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


any_array: Any = DeviceArray
"""The class without its types, which the bad arguments below do not have."""
any_operators: Any = operators


@pytest.mark.filterwarnings("ignore:elementwise comparison failed")  # NumPy 1.20 warns before it raises
@pytest.mark.parametrize(
    "ask",
    [
        lambda array, same: np.array_equal(array, same),
        lambda array, same: np.array_equiv(same, array),
        lambda array, same: np.add(same, array),
        lambda array, same: array == same,
        lambda array, same: same == array,
        lambda array, same: array == array[:],
        lambda array, same: 3 in array,
    ],
)
def test_elements_in_device_memory_are_not_compared_silently(library: Any, ask: Any) -> None:
    same = np.ones(4, np.float32)
    with any_array.from_numpy(library, same) as array, pytest.raises(ArgumentTypeError, match="numpy"):
        ask(array, same)


def test_numpy_tells_the_shape_of_a_device_array(library: Any) -> None:
    with any_array.empty(library, (2, 3), "float32") as array:
        assert (np.shape(array), np.ndim(array), np.size(array), np.size(array, 1)) == ((2, 3), 2, 6, 3)


def test_an_array_without_dimensions_is_not_iterated(library: Any) -> None:
    with any_array.empty(library, (), "float32") as array, pytest.raises(ArgumentTypeError):
        list(array)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_second_object_owns_the_same_memory(library: Any, duplicate: Any) -> None:
    refused = pytest.raises(ArgumentTypeError, match="a DeviceArray is not copied or pickled")
    with any_array.empty(library, (4,), "int8") as array, refused:
        duplicate(array)


def test_a_workspace_that_lies_on_an_operand_is_refused(library: Any, handle: Any) -> None:
    with any_array.empty(library, (4096,), "uint8") as memory, any_array.empty(
        library, (3,), "float32"
    ) as scores:
        boxes = any_array.borrow(library, (3, 5), "float32", memory.pointer, memory)
        with pytest.raises(ArgumentValueError, match="workspace shares memory with boxes"):
            any_operators.nms_rotated(handle, boxes, scores, 0.5, workspace=memory)


def test_a_copy_onto_a_part_of_its_source_is_refused(library: Any) -> None:
    refused = pytest.raises(ArgumentValueError, match="source overlaps")
    with any_array.empty(library, (3,), "int32") as array, refused:
        array[1:].copy_from(array[:2])


def test_a_raw_queue_is_refused_before_the_copy(library: Any) -> None:
    refused = pytest.raises(ArgumentTypeError, match="queue must be a Queue, not a cnrtQueue_t")
    with any_array.empty(library, (3,), "int32") as array, refused:
        array.copy_to(np.empty(3, np.int32), types.cnrtQueue_t())


def test_an_array_in_place_of_an_address_is_refused_by_name(library: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="address must be an address"):
        any_array.borrow(library, (3,), "int32", np.zeros(3, np.int64))


def test_memory_that_ends_beyond_64_bits_is_refused(library: Any) -> None:
    with pytest.raises(ArgumentValueError, match="ends beyond 64 bits"):
        any_array.borrow(library, (3,), "int32", 2**64 - 4)


def test_numbers_that_a_list_would_lose_are_refused(handle: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="boxes: float32 does not hold these numbers"):
        any_operators.nms_rotated(handle, [[1e300] * 5], [0.5], 0.5)


def test_synchronize_is_true_or_false(handle: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="synchronize must be True or False, not a str"):
        any_operators.nms_rotated(handle, [[1.0] * 5], [0.5], 0.5, synchronize="no")


@pytest.mark.parametrize("out", [(None,), 3, "ab"])
def test_an_out_of_other_parts_is_refused(handle: Any, out: Any) -> None:
    maps, rois = np.zeros((1, 3, 3, 2), np.float32), np.zeros((1, 5), np.float32)
    sizes = {"pooled_height": 1, "pooled_width": 1, "spatial_scale": 1.0, "sampling_ratio": 1, "gamma": 0.1}
    with pytest.raises(ArgumentTypeError, match="out must be a tuple of 2: grad_input, grad_offset"):
        any_operators.deform_roi_pool_backward(handle, maps[:, :1, :1], maps, rois, out=out, **sizes)


@pytest.mark.parametrize("named", [{"library": 3}, {"cnrt": 3}])
def test_a_library_that_is_no_path_is_refused(named: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="must be a path, not a int"):
        mluops.load(**named)
