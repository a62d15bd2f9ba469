from __future__ import annotations

import ctypes

import numpy as np
import pytest
from mluops.constants import cnrtRet_t
from mluops.types import cnrtNotifier_t
from mluops_emulator.violations import Kind


@pytest.fixture
def measured(machine):
    """Two notifiers around a fill of a mebibyte."""
    queue, start, end = machine.queue(), machine.notifier(), machine.notifier()
    machine.library.cnrtPlaceNotifier(start, queue)
    machine.library.cnrtMemsetAsync(machine.malloc(1 << 20), 0, 1 << 20, queue)
    machine.library.cnrtPlaceNotifier(end, queue)
    return queue, start, end


def time_of(function, start, end):
    value = ctypes.c_float(-1)
    status = function(start, end, ctypes.byref(value))
    return status, value.value


def test_a_notifier_is_not_reached_before_its_queue_runs(machine, measured):
    assert machine.library.cnrtQueryNotifier(measured[2]) == cnrtRet_t.cnrtErrorBusy


def test_waiting_for_a_notifier_does_the_work_before_it(machine):
    queue, notifier, address = machine.queue(), machine.notifier(), machine.malloc(8)
    machine.library.cnrtMemsetAsync(address, 1, 8, queue)
    machine.library.cnrtPlaceNotifier(notifier, queue)
    machine.library.cnrtMemsetAsync(address + 4, 2, 4, queue)
    machine.library.cnrtWaitNotifier(notifier)
    assert machine.library.cnrtQueryNotifier(notifier) == cnrtRet_t.cnrtSuccess
    assert machine.library.cnrtQueueQuery(queue) == cnrtRet_t.cnrtErrorBusy


def test_the_duration_between_notifiers_is_that_of_the_work_between(machine, measured):
    machine.library.cnrtQueueSync(measured[0])
    status, microseconds = time_of(machine.library.cnrtNotifierDuration, *measured[1:])
    assert status == cnrtRet_t.cnrtSuccess
    assert microseconds > 0


def test_the_elapsed_time_is_the_duration_in_milliseconds(machine, measured):
    machine.library.cnrtQueueSync(measured[0])
    _, microseconds = time_of(machine.library.cnrtNotifierDuration, *measured[1:])
    _, milliseconds = time_of(machine.library.cnrtNotifierElapsedTime, *measured[1:])
    assert milliseconds == pytest.approx(microseconds / 1000)


def test_host_time_between_synchronisations_is_no_device_time(machine):
    queue, start, end = machine.queue(), machine.notifier(), machine.notifier()
    for notifier in (start, end):
        machine.library.cnrtPlaceNotifier(notifier, queue)
        machine.library.cnrtQueueSync(queue)
    assert time_of(machine.library.cnrtNotifierDuration, start, end) == (cnrtRet_t.cnrtSuccess, 0.0)


def test_a_notifier_that_is_placed_again_forgets_its_first_mark(machine):
    queue, notifier = machine.queue(), machine.notifier()
    machine.library.cnrtPlaceNotifier(notifier, queue)
    machine.library.cnrtPlaceNotifier(notifier, queue)
    machine.library.cnrtQueueQuery(queue)  # reaches the first mark only
    status, _ = time_of(machine.library.cnrtNotifierDuration, notifier, notifier)
    assert status == cnrtRet_t.cnrtErrorNotReady


def test_there_is_no_duration_before_the_end_is_reached(machine, measured):
    machine.library.cnrtWaitNotifier(measured[1])
    status, _ = time_of(machine.library.cnrtNotifierDuration, *measured[1:])
    assert status == cnrtRet_t.cnrtErrorNotReady


def test_there_is_no_duration_from_a_notifier_in_no_queue(machine, measured):
    status, _ = time_of(machine.library.cnrtNotifierDuration, machine.notifier(), measured[1])
    assert status == cnrtRet_t.cnrtErrorArgsInvalid


@pytest.mark.parametrize(("flags", "statuses"), [(0, (0, 0)), (2, (100006, 0)), (4, (100006, 100006))])
def test_flags_switch_the_host_time_or_all_time_off(machine, flags, statuses):
    notifier = cnrtNotifier_t()
    machine.library.cnrtNotifierCreateWithFlags(ctypes.byref(notifier), flags)
    machine.library.cnrtPlaceNotifier(notifier, None)
    machine.library.cnrtWaitNotifier(notifier)
    functions = (machine.library.cnrtNotifierElapsedTime, machine.library.cnrtNotifierDuration)
    assert tuple(time_of(function, notifier, notifier)[0] for function in functions) == statuses


def test_a_queue_may_be_given_where_a_notifier_belongs_by_address_only(machine):
    address = ctypes.cast(machine.queue(), ctypes.c_void_p).value
    machine.library.cnrtWaitNotifier(ctypes.cast(address, cnrtNotifier_t))
    [(kind, text)] = machine.taken()
    assert kind is Kind.FOREIGN_OBJECT
    assert "should be a notifier and is the queue" in text


def test_a_destroyed_notifier_is_named(machine):
    notifier = machine.notifier()
    machine.library.cnrtNotifierDestroy(notifier)
    machine.library.cnrtWaitNotifier(notifier)
    assert [kind for kind, _ in machine.taken()] == [Kind.DESTROYED_OBJECT]


def test_waiting_for_a_notifier_without_a_mark_orders_nothing(machine):
    machine.library.cnrtQueueWaitNotifier(machine.notifier(), machine.queue(), 0)
    assert machine.download(machine.upload(np.ones(1)), np.float64, 1) == [1.0]
