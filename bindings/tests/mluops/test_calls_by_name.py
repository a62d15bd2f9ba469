"""Operators called by the header's names, on the emulator."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import Any, Iterator

import mluops
import numpy as np
import pytest
from mluops import DeviceArray, Handle, Notifier, Queue, Workspace, operators
from mluops.errors import ArgumentTypeError, ArgumentValueError, BadParam, Closed, NotSupported
from mluops.library import Library

# open-mmlab/mmcv, tests/test_ops/test_nms_rotated.py, test_nms_rotated
BOXES = np.array([[6, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3], [1, 4, 13, 7, 0.6]], np.float32)
SCORES = np.array([0.7, 0.8, 0.5, 0.9], np.float32)
KEPT = [3, 1, 0]
INPUT = np.zeros((1, 4, 4, 2), np.float32)
BINS = {"pooled_height": 2, "pooled_width": 2, "spatial_scale": 1.0, "sampling_ratio": 0, "gamma": 0.5}


@pytest.fixture
def library() -> Iterator[Library]:
    library = mluops.load("emulator")
    yield library
    assert library.symbols.take_violations() == []


@pytest.fixture
def handle(library: Library) -> Iterator[Handle]:
    with Handle(library, Queue(library)) as handle:
        yield handle


def nms(handle: Handle, **changed: Any) -> np.ndarray[Any, Any]:
    output, count = np.empty(4, np.int32), np.zeros(1, np.int32)
    given = {"iou_threshold": 0.1, "boxes": BOXES, "scores": SCORES, "output": output, "result_num": count}
    mluops.call(handle, "mluOpNmsRotated", **{**given, **changed})
    return output[: count[0]]


def test_arrays_that_the_function_writes_are_filled(handle: Handle) -> None:
    assert (
        nms(handle, iou_threshold=0.1).tolist() == operators.nms_rotated(handle, BOXES, SCORES, 0.1).tolist()
    )


def test_two_outputs_in_the_same_host_memory_are_refused(handle: Handle) -> None:
    shared = np.zeros(4, np.int32)
    with pytest.raises(ArgumentValueError, match="result_num shares memory with output, which the call"):
        nms(handle, output=shared, result_num=shared[3:])


def test_an_output_that_covers_a_part_of_an_input_is_refused(handle: Handle, library: Library) -> None:
    memory = DeviceArray.empty(library, (10,), "int32")
    scores = DeviceArray.borrow(library, (4,), "float32", memory.pointer + 8, memory)
    with pytest.raises(ArgumentValueError, match="output shares a part of its memory with scores"):
        nms(handle, output=memory[:4], scores=scores)
    memory.close()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"boxs": BOXES}, "mluOpNmsRotated has no parameter 'boxs' to give: did you mean boxes?"),
        ({"iou_threshold": "high"}, "iou_threshold must be a number, not the str 'high'"),
        ({"boxes": np.ma.masked_array(BOXES)}, "boxes is a masked array, whose mask would be lost"),
        ({"output": [0, 0, 0, 0]}, "output must be an ndarray or a DeviceArray, not a list"),
        ({"boxes": BOXES.astype(object)}, "boxes has the dtype object"),
        ({"boxes": BOXES.astype("U8")}, "boxes: mlu-ops has no data type for NumPy's <U8"),
        ({"workspace": b""}, "workspace must be a Workspace or a DeviceArray, not a bytes"),
        ({"layouts": {"box": "NHWC"}}, "no parameter 'box' to give: did you mean boxes?"),
    ],
)
def test_a_wrong_argument_is_named(handle: Handle, changed: Any, said: str) -> None:
    with pytest.raises(ArgumentTypeError) as refused:
        nms(handle, **changed)
    assert said in str(refused.value)


def test_what_is_missing_is_named(handle: Handle) -> None:
    with pytest.raises(ArgumentTypeError, match="mluOpNmsRotated lacks scores, output, result_num"):
        mluops.call(handle, "mluOpNmsRotated", boxes=BOXES, iou_threshold=0.5)


@pytest.mark.parametrize(
    "name",
    ["mluOpNmsRotate", "mluOpCreate", "mluOpDestroy", "mluOpSetQueue", "mluOpGetNmsRotatedWorkspaceSize"],
)
def test_what_is_no_operator_is_refused(handle: Handle, name: str) -> None:
    with pytest.raises(ArgumentValueError, match=f"mlu_op.h has no operator '{name}'"):
        mluops.call(handle, name)


def test_a_closed_handle_is_named(library: Library) -> None:
    handle = Handle(library)
    handle.close()
    with pytest.raises(Closed, match="handle is closed"):
        nms(handle)


@pytest.mark.parametrize("number", [2.0, "2", None, 2**31])
def test_a_number_that_is_no_c_int_is_blamed_on_its_parameter(handle: Handle, number: Any) -> None:
    rois = np.zeros((1, 5), np.float32)
    with pytest.raises((ArgumentTypeError, ArgumentValueError), match="pooled_height"):
        operators.deform_roi_pool_forward(handle, INPUT, rois, **{**BINS, "pooled_height": number})


def test_numbers_of_numpy_are_taken(handle: Handle) -> None:
    rois = np.zeros((1, 5), np.float32)
    bins = {**BINS, "pooled_height": np.int64(2), "gamma": np.float32(0.5)}
    assert operators.deform_roi_pool_forward(handle, INPUT, rois, **bins).shape == (1, 2, 2, 2)


def test_an_array_of_the_wrong_dtype_is_named_with_those_that_are_taken(handle: Handle) -> None:
    with pytest.raises(mluops.MluOpError, match="boxes is float64, and should be float32"):
        operators.nms_rotated(handle, BOXES.astype(np.float64), SCORES, 0.1)


def test_the_result_goes_into_out(library: Library, handle: Handle) -> None:
    expected = operators.nms_rotated(handle, BOXES, SCORES, 0.1).tolist()
    out = np.empty(4, np.int32)
    assert operators.nms_rotated(handle, BOXES, SCORES, 0.1, out=out).base is out
    assert out[: len(expected)].tolist() == expected
    on_device = DeviceArray.empty(library, (4,), "int32")
    assert operators.nms_rotated(handle, BOXES, SCORES, 0.1, out=on_device).pointer == on_device.pointer


@pytest.mark.parametrize("out", [np.empty(4, np.int64), np.empty(5, np.int32), np.empty((4, 1), np.int32)])
def test_out_of_another_shape_or_dtype_is_refused(handle: Handle, out: Any) -> None:
    with pytest.raises(ArgumentValueError, match=r"out must be int32\[4\], not int"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.1, out=out)


def test_arrays_of_the_host_are_refused_where_nothing_waits(handle: Handle) -> None:
    with pytest.raises(ArgumentTypeError, match=r"boxes must be a DeviceArray where the call does not wait"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.1, synchronize=False)  # type: ignore[call-overload]


def test_two_queues_a_notifier_and_copies_overlap(library: Library) -> None:
    first, second = Queue(library), Queue(library)
    with Handle(library, second) as handle, Notifier(library) as mark, Workspace(library) as workspace:
        boxes, scores = (
            DeviceArray.empty(library, BOXES.shape, "float32"),
            DeviceArray.empty(library, (4,), "float32"),
        )
        staged = mluops.pinned(library, BOXES.shape, "float32")
        staged[...] = BOXES
        boxes.copy_from(staged, first)
        scores.copy_from(SCORES, first)
        mark.place(first)
        second.wait_for(mark)
        selection = operators.nms_rotated(handle, boxes, scores, 0.1, workspace=workspace, synchronize=False)
        expected = operators.nms_rotated(handle, BOXES, SCORES, 0.1).tolist()
        assert selection.result().numpy().tolist() == expected
        again = operators.nms_rotated(
            handle, boxes, scores, 0.1, workspace=workspace, out=selection, synchronize=False
        )
        kept, out = again.result(), np.empty(4, np.int32)
        again.output.copy_to(out, second)
        second.synchronize()
        assert out[: len(kept)].tolist() == expected
        first.synchronize()


def test_a_workspace_that_another_queue_may_use_is_refused(library: Library) -> None:
    boxes, scores = DeviceArray.from_numpy(library, BOXES), DeviceArray.from_numpy(library, SCORES)
    with Handle(library, Queue(library)) as one, Handle(library, Queue(library)) as other:
        workspace = Workspace(library)
        given: Any = {"workspace": workspace, "synchronize": False}
        operators.nms_rotated(one, boxes, scores, 0.1, **given)
        with pytest.raises(ArgumentValueError, match="workspace may still be in use on another queue"):
            operators.nms_rotated(other, boxes, scores, 0.1, **given)
        one.synchronize()
        operators.nms_rotated(other, boxes, scores, 0.1, **given).result()


def test_a_workspace_that_is_too_small_is_refused(library: Library, handle: Handle) -> None:
    with pytest.raises(ArgumentValueError, match=r"workspace has 1 bytes, but \d+ are needed"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.1, workspace=DeviceArray.empty(library, (1,), "uint8"))


def test_a_function_that_the_emulator_lacks_says_so(handle: Handle) -> None:
    x = np.zeros(3, np.float32)
    with pytest.raises(NotSupported, match="the emulator has no such function") as refused:
        mluops.call(handle, "mluOpAbs", x=x, y=x.copy())
    assert str(refused.value) == (
        "mluOpAbs returned MLUOP_STATUS_NOT_SUPPORTED (7): the emulator has no such function. "
        "mluops.load() takes a real library."
    )


def test_a_refusal_of_the_emulator_names_the_stream_of_its_log(handle: Handle) -> None:
    with pytest.raises(BadParam, match="The library's log on stderr may say why"):
        operators.nms_rotated(handle, BOXES[:, :2], SCORES, 0.1)


def test_a_raw_function_that_the_emulator_lacks_says_so(library: Library) -> None:
    with pytest.raises(NotSupported, match="the emulator has no such function"):
        library.mluOpAbs.checked(None, None, None, None, None)


def test_the_names_of_the_header_are_the_signature(library: Library) -> None:
    assert str(inspect.signature(library.mluOpSetQueue)) == (
        "(handle: 'mluOpHandle_t', queue: 'cnrtQueue_t') -> 'mluOpStatus_t'"
    )


def test_a_script_that_ends_leaves_no_leaks_of_its_globals() -> None:
    program = (
        "import mluops, numpy as np\n"
        "library = mluops.load('emulator')\n"
        "handle = mluops.Handle(library, mluops.Queue(library))\n"
        "array = mluops.DeviceArray.from_numpy(library, np.zeros(3))\n"
        "part, descriptor = array[:2], array.descriptor()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, stderr=subprocess.PIPE)
    assert done.stderr == b""


def test_a_script_that_ends_with_queued_work_leaves_no_lines_either() -> None:
    program = (
        "import mluops, numpy as np\n"
        "library = mluops.load('emulator')\n"
        "handle, scratch = mluops.Handle(library, mluops.Queue(library)), mluops.Workspace(library, 8)\n"
        "boxes = mluops.DeviceArray.from_numpy(library, np.zeros((3, 5), np.float32))\n"
        "scores = mluops.DeviceArray.from_numpy(library, np.zeros(3, np.float32))\n"
        "options = {'workspace': scratch, 'synchronize': False}\n"
        "kept = mluops.operators.nms_rotated(handle, boxes, scores, 0.5, **options)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, stderr=subprocess.PIPE)
    assert done.stderr == b""


def test_a_workspace_goes_to_its_place_whatever_the_order_of_its_size(handle: Handle) -> None:
    col, index = np.ones((1, 2), np.float32), np.array([0, 1], np.int32)
    im = operators.masked_col2im_forward(handle, col, index, index, height=2, width=2)
    assert im.tolist() == [[[[1, 0], [0, 1]]]]


def test_an_operator_without_the_size_of_its_workspace_is_called_too(handle: Handle) -> None:
    x, scratch = np.zeros(3, np.float32), Workspace(handle.library, 64)
    given = {"fft_plan": None, "input": x, "scale_factor": 1.0, "output": x.copy(), "direction": 0}
    with pytest.raises(NotSupported, match="mluOpExecFFT"):
        mluops.call(handle, "mluOpExecFFT", workspace=scratch, **given)
