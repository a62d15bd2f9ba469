"""Objects of queued work live until their queue is synchronised; the emulator refuses anything less."""

from __future__ import annotations

import ctypes
import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterator

import mluops
import numpy as np
import pytest
from mluops import Device, DeviceArray, Handle, Queue
from mluops.errors import ArgumentTypeError
from mluops.library import Library
from mluops.pending import GENERATION, QUEUE_PER_THREAD

INPUT = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
BOXES = np.zeros((1, 2, 3, 5), np.float32)


@pytest.fixture
def emulated() -> Iterator[Library]:
    library = mluops.load("emulator")
    yield library
    assert [str(violation) for violation in library.symbols.violations] == []


def align(handle: Handle, output: DeviceArray) -> None:
    """Call by temporaries alone."""
    library = handle.library
    source, boxes = DeviceArray.from_numpy(library, INPUT), DeviceArray.from_numpy(library, BOXES)
    arguments = (source.descriptor("NHWC"), source, boxes.descriptor(), boxes, 1.0, 1)
    function = library.mluOpRotatedFeatureAlignBackward
    function.checked(handle, *arguments, output.descriptor("NHWC"), output)


def buffers(library: Library) -> int:
    return sum("device memory" in resource.text or "buffer" in resource.text for resource in alive(library))


def alive(library: Library) -> Any:
    return library.symbols.alive()


@pytest.mark.parametrize("own_queue", [True, False], ids=["own queue", "default queue"])
def test_temporaries_of_a_raw_call_live_until_the_queue_is_synchronised(
    emulated: Library, own_queue: bool
) -> None:
    with Handle(emulated, Queue(emulated) if own_queue else None) as handle:
        output = DeviceArray.empty(emulated, INPUT.shape, "float32")
        output.fill_bytes(0)
        align(handle, output)
        gc.collect()
        handle.synchronize()
        assert output.numpy().sum() == 552  # each cell of 276 in all, and its own sample


def test_a_raw_synchronisation_releases_them(emulated: Library) -> None:
    with Queue(emulated) as queue, Handle(emulated, queue) as handle:
        output = DeviceArray.empty(emulated, INPUT.shape, "float32")
        output.fill_bytes(0)
        before = len(alive(emulated))
        align(handle, output)
        assert len(alive(emulated)) > before
        emulated.cnrtQueueSync.checked(queue)
        gc.collect()
        assert len(alive(emulated)) == before + 1  # the output's descriptor


def test_a_synchronisation_of_the_device_releases_them(emulated: Library) -> None:
    with Queue(emulated) as queue:
        DeviceArray.empty(emulated, (2,), "float32").copy_from(np.zeros(2, np.float32), queue)
        assert emulated.pending.count(queue.address) == 2
        emulated.cnrtSyncDevice.checked()
        assert emulated.pending.count(queue.address) == 0


def test_a_queue_that_goes_first_waits_for_what_uses_them(emulated: Library) -> None:
    handle = Handle(emulated, Queue(emulated))
    output = DeviceArray.empty(emulated, INPUT.shape, "float32")
    output.fill_bytes(0)
    align(handle, output)
    handle.close()
    del handle
    gc.collect()
    assert output.numpy().sum() == 552  # each cell of 276 in all, and its own sample


def test_a_queue_that_others_synchronise_keeps_no_more_than_a_few_generations(standin: Any) -> None:
    with Queue(standin.library) as queue, DeviceArray.empty(standin.library, (2,), "float32") as array:
        for _ in range(10 * GENERATION):
            array.copy_from(np.zeros(2, np.float32), queue)
        assert standin.library.pending.count(queue.address) <= GENERATION
        queue.synchronize()


def test_default_queues_of_two_devices_keep_their_own(standin: Any) -> None:
    library = standin.library
    default = Queue.borrow(library, 0)
    default.keep("used on device 0")
    Device(library, 1).make_current()
    default.keep("used on device 1", "this too")
    assert library.pending.count(0) == 2
    default.synchronize()
    assert library.pending.count(0) == 0
    Device(library, 0).make_current()
    assert library.pending.count(0) == 1
    default.synchronize()
    assert library.pending.count(0) == 0


def test_synchronising_a_device_leaves_what_another_one_uses(standin: Any) -> None:
    library = standin.library
    with Queue(library) as queue, DeviceArray.empty(library, (2,), "float32") as array:
        array.copy_from(np.zeros(2, np.float32), queue)
        Device(library, 1).make_current()
        library.cnrtSyncDevice.checked()
        assert library.pending.count(queue.address) == 2
        Device(library, 0).make_current()
        library.cnrtSyncDevice.checked()
        assert library.pending.count(queue.address) == 0


def test_threads_keep_their_own_for_the_queue_of_each_thread(standin: Any) -> None:
    library = standin.library
    library.pending.keep(QUEUE_PER_THREAD, ["an object"])
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(library.pending.count, QUEUE_PER_THREAD).result() == 0
    assert library.pending.count(QUEUE_PER_THREAD) == 1
    library.pending.take(QUEUE_PER_THREAD)


def test_the_handle_knows_a_queue_that_c_set(emulated: Library) -> None:
    with Handle(emulated) as handle, Queue(emulated) as queue:
        assert handle.queue is None
        emulated.mluOpSetQueue.checked(handle, queue)
        assert handle.queue is queue
        output = DeviceArray.empty(emulated, INPUT.shape, "float32")
        align(handle, output)
        handle.synchronize()
        assert output.numpy().shape == INPUT.shape
        emulated.mluOpSetQueue.checked(handle, None)


def test_a_queue_that_c_set_is_kept_by_the_handle(emulated: Library) -> None:
    with Handle(emulated) as handle:
        emulated.mluOpSetQueue.checked(handle, Queue(emulated))
        gc.collect()
        assert np.array_equal(
            mluops.operators.nms_rotated(handle, BOXES[0, 0], BOXES[0, 0, :, 0], 0.5), [0, 1, 2]
        )


def test_an_array_of_another_library_is_refused_by_name(emulated: Library) -> None:
    other = mluops.load("emulator")
    theirs = DeviceArray.from_numpy(other, np.zeros((3, 5), np.float32))
    ours = DeviceArray.from_numpy(emulated, np.zeros(3, np.float32))
    with Handle(emulated) as handle, theirs, ours:
        with pytest.raises(ArgumentTypeError, match="boxes is a DeviceArray of another library"):
            mluops.operators.nms_rotated(handle, theirs, ours, 0.5)
        with pytest.raises(
            ArgumentTypeError, match=r"cnrtFree, argument 1 \(ptr\): this DeviceArray belongs to"
        ):
            emulated.cnrtFree(theirs)


def test_libraries_of_the_same_files_share_their_memory(standin: Any) -> None:
    again = mluops.load(standin.library.path, cnrt=standin.library.cnrt_path)
    with DeviceArray.from_numpy(again, np.arange(2)) as array, DeviceArray.empty(
        standin.library, (2,), "int64"
    ) as copy:
        copy.copy_from(array)
        assert copy.numpy().tolist() == [0, 1]


def test_a_misspelt_attribute_of_a_function_is_refused(emulated: Library) -> None:
    with pytest.raises(AttributeError, match="mluOpCreate has no attribute 'argtypes' to set"):
        emulated.mluOpCreate.argtypes = [ctypes.c_void_p]
    with pytest.raises(AttributeError):
        emulated.mluOpCreate.chekced  # noqa: B018
