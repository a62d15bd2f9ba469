"""Queues and notifiers."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

import mluops
import numpy as np
import pytest
from mluops import DeviceArray, Handle, Notifier, Queue
from mluops.constants import cnrtNotifierFlags
from mluops.errors import CnrtArgsInvalid, CnrtError, CnrtKernelTrap
from mluops.library import Library
from mluops.types import cnrtQueue_t

BUSY, NOT_READY, KERNEL_TRAP = 632014, 1, 100132


def test_a_queue_without_tasks_is_idle(library: Library) -> None:
    with Queue(library) as queue:
        assert queue.idle


@pytest.mark.parametrize("answer", [BUSY, NOT_READY])
def test_both_answers_for_unfinished_work_mean_the_same(standin: Any, answer: int) -> None:
    standin.cnrt.standin_query_answer(answer)
    with Queue(standin.library) as queue, Notifier(standin.library) as notifier:
        assert not queue.idle
        assert not notifier.reached


def test_another_answer_to_a_query_is_an_error(standin: Any) -> None:
    standin.cnrt.standin_query_answer(KERNEL_TRAP)
    with Queue(standin.library) as queue, pytest.raises(CnrtKernelTrap, match="cnrtQueueQuery returned"):
        queue.idle  # noqa: B018


def test_errors_of_tasks_surface_at_synchronisation(standin: Any) -> None:
    standin.cnrt.standin_sync_answer(KERNEL_TRAP)
    with Queue(standin.library) as queue, pytest.raises(CnrtKernelTrap):
        queue.synchronize()


def test_an_unknown_status_is_raised_in_the_words_of_the_library(standin: Any) -> None:
    standin.cnrt.standin_sync_answer(424242)
    with Queue(standin.library) as queue, pytest.raises(CnrtError, match=r"\(424242\): the card is on fire"):
        queue.synchronize()


class Buffer:
    """Something that can be kept."""


def test_what_is_kept_during_a_synchronisation_stays(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread's task came after those that were waited for."""
    synchronise = library.cnrtQueueSync
    alive: list[weakref.ref[Buffer]] = []

    class Interrupted:
        @staticmethod
        def checked(queue: Queue) -> None:
            synchronise.checked(queue)
            buffer = Buffer()
            queue.keep(buffer)
            alive.append(weakref.ref(buffer))

    with Queue(library) as queue:
        monkeypatch.setitem(library.__dict__, "cnrtQueueSync", Interrupted)
        queue.synchronize()
        monkeypatch.undo()
        assert alive[0]() is not None
        queue.synchronize()
        assert alive[0]() is None


def test_what_a_failing_queue_keeps_stays(standin: Any) -> None:
    buffer = Buffer()
    alive = weakref.ref(buffer)
    with Queue(standin.library) as queue:
        queue.keep(buffer)
        del buffer
        standin.cnrt.standin_sync_answer(KERNEL_TRAP)
        with pytest.raises(CnrtKernelTrap):
            queue.synchronize()
        assert alive() is not None


def test_what_a_queue_keeps_is_dropped_at_synchronisation(library: Library) -> None:
    buffer = Buffer()
    alive = weakref.ref(buffer)
    with Queue(library) as queue:
        queue.keep(buffer)
        del buffer
        assert alive() is not None
        queue.synchronize()
        assert alive() is None


def test_a_handle_works_in_its_queue(library: Library) -> None:
    with Queue(library) as queue, Handle(library, queue) as handle:
        found = cnrtQueue_t()
        library.mluOpGetQueue.checked(handle, ctypes.byref(found))
        assert ctypes.cast(found, ctypes.c_void_p).value == ctypes.cast(queue.raw, ctypes.c_void_p).value


def test_a_handle_without_a_queue_synchronises_the_default_queue(standin: Any) -> None:
    with Handle(standin.library) as handle:
        handle.synchronize()
        standin.cnrt.standin_sync_answer(KERNEL_TRAP)
        with pytest.raises(CnrtKernelTrap):
            handle.synchronize()


def test_durations_are_microseconds_and_elapsed_times_milliseconds(library: Library) -> None:
    with Queue(library) as queue, Notifier(library) as start, Notifier(library) as end:
        start.place(queue)
        end.place(queue)
        end.wait()
        assert (end.duration_us(start), end.elapsed_ms(start)) == (1000.0, 1.0)


def test_a_notifier_is_placed_in_the_default_queue(library: Library) -> None:
    with Notifier(library) as notifier:
        notifier.place()
        assert notifier.reached


def test_a_queue_waits_for_a_notifier_of_another() -> None:
    library = mluops.load("emulator")  # whose queues do nothing before somebody waits for them
    array = DeviceArray.empty(library, (4,), "float32")
    with array, Queue(library) as first, Queue(library) as second, Notifier(library) as notifier:
        array.copy_from(np.ones(4, np.float32), first)
        notifier.place(first)
        second.wait_for(notifier)
        second.synchronize()
        assert notifier.reached


def test_a_notifier_takes_flags(library: Library) -> None:
    with Notifier(library, cnrtNotifierFlags.CNRT_NOTIFIER_DISABLE_TIMING_ALL) as notifier:
        assert not notifier.closed
    with pytest.raises(CnrtArgsInvalid):
        Notifier(library, 1)


def test_a_queue_and_a_notifier_are_not_exchanged(library: Library) -> None:
    with Queue(library) as queue, pytest.raises(TypeError, match=r"argument 1 \(notifier\)"):
        library.cnrtPlaceNotifier(queue, queue)
