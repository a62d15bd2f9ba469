from __future__ import annotations

import numpy as np
import pytest
from mluops.constants import cnrtMemTransDir_t, cnrtRet_t
from mluops_emulator.violations import Kind

DEV_TO_DEV = cnrtMemTransDir_t.cnrtMemcpyDevToDev


@pytest.fixture
def fill(machine):
    """Queue a fill of 8 bytes."""

    def queue_fill(queue, address, value=1):
        return machine.library.cnrtMemsetAsync(address, value, 8, queue)

    return queue_fill


def test_work_waits_until_its_queue_is_synchronised(machine, fill):
    queue, address = machine.queue(), machine.upload(np.zeros(8, np.uint8))
    fill(queue, address)
    assert machine.library.cnrtQueueQuery(queue) == cnrtRet_t.cnrtErrorBusy


def test_work_of_a_queue_runs_in_order(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    for value in (1, 2, 3):
        fill(queue, address, value)
    machine.library.cnrtQueueSync(queue)
    assert machine.download(address, np.uint8, 8).tolist() == [3] * 8


def test_a_device_synchronisation_finishes_every_queue(machine, fill):
    queues = [machine.queue() for _ in range(3)]
    addresses = [machine.malloc(8) for _ in queues]
    for queue, address in zip(queues, addresses):
        fill(queue, address)
    machine.library.cnrtSyncDevice()
    assert [machine.download(address, np.uint8, 1)[0] for address in addresses] == [1, 1, 1]


def test_polling_a_queue_ends(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    for _ in range(3):
        fill(queue, address)
    answers = [machine.library.cnrtQueueQuery(queue) for _ in range(4)]
    assert answers == [cnrtRet_t.cnrtErrorBusy] * 3 + [cnrtRet_t.cnrtSuccess]


def test_a_synchronous_copy_waits_for_the_default_queue(machine, fill):
    address = machine.malloc(8)
    fill(None, address)
    assert machine.download(address, np.uint8, 8).tolist() == [1] * 8


def test_a_result_read_before_synchronisation_names_the_work_that_writes_it(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    fill(queue, address)
    assert machine.copy_out(np.empty(8, np.uint8), address) == cnrtRet_t.cnrtErrorIllegalState
    [(kind, text)] = machine.taken()
    assert kind is Kind.NOT_SYNCHRONISED
    assert "while cnrtMemsetAsync, called at" in text
    assert __file__ in text


def test_a_result_read_after_synchronisation_is_no_violation(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    fill(queue, address)
    machine.library.cnrtQueueSync(queue)
    machine.download(address, np.uint8, 8)
    assert machine.taken() == []


def test_an_input_overwritten_before_it_is_read_is_a_violation(machine):
    queue, source, target = machine.queue(), machine.upload(np.zeros(8, np.uint8)), machine.malloc(8)
    machine.library.cnrtMemcpyAsync(target, source, 8, queue, DEV_TO_DEV)
    machine.copy_in(source, np.ones(8, np.uint8))
    assert [kind for kind, _ in machine.taken()] == [Kind.NOT_SYNCHRONISED]


def test_an_input_may_be_read_while_work_that_reads_it_waits(machine):
    queue, source, target = machine.queue(), machine.upload(np.zeros(8, np.uint8)), machine.malloc(8)
    machine.library.cnrtMemcpyAsync(target, source, 8, queue, DEV_TO_DEV)
    assert machine.copy_out(np.empty(8, np.uint8), source) == cnrtRet_t.cnrtSuccess


def test_the_other_half_of_a_buffer_may_be_read_while_work_writes_one(machine, fill):
    queue, address = machine.queue(), machine.upload(np.zeros(16, np.uint8))
    fill(queue, address)
    assert machine.copy_out(np.empty(8, np.uint8), address + 8) == cnrtRet_t.cnrtSuccess


def test_two_queues_that_write_the_same_memory_unordered_are_a_violation(machine, fill):
    address = machine.malloc(8)
    fill(machine.queue(), address)
    assert fill(machine.queue(), address) == cnrtRet_t.cnrtErrorIllegalState
    assert [kind for kind, _ in machine.taken()] == [Kind.NOT_SYNCHRONISED]


def test_a_notifier_orders_two_queues(machine, fill):
    first, second, notifier, address = machine.queue(), machine.queue(), machine.notifier(), machine.malloc(8)
    fill(first, address, 1)
    machine.library.cnrtPlaceNotifier(notifier, first)
    machine.library.cnrtQueueWaitNotifier(notifier, second, 0)
    fill(second, address, 2)
    machine.library.cnrtQueueSync(second)
    assert machine.download(address, np.uint8, 8).tolist() == [2] * 8


def test_the_order_by_notifiers_is_transitive(machine, fill):
    queues = [machine.queue() for _ in range(3)]
    address = machine.malloc(8)
    fill(queues[0], address, 1)
    for earlier, later in zip(queues, queues[1:]):
        notifier = machine.notifier()
        machine.library.cnrtPlaceNotifier(notifier, earlier)
        machine.library.cnrtQueueWaitNotifier(notifier, later, 0)
    assert fill(queues[2], address, 3) == cnrtRet_t.cnrtSuccess


def test_work_behind_the_notifier_is_not_ordered_by_it(machine, fill):
    first, second, notifier, address = machine.queue(), machine.queue(), machine.notifier(), machine.malloc(8)
    machine.library.cnrtPlaceNotifier(notifier, first)
    fill(first, address, 1)
    machine.library.cnrtQueueWaitNotifier(notifier, second, 0)
    assert fill(second, address, 2) == cnrtRet_t.cnrtErrorIllegalState


def test_a_destroyed_queue_is_named_with_its_history(machine, fill):
    queue = machine.queue()
    machine.library.cnrtQueueDestroy(queue)
    assert fill(queue, machine.malloc(8)) == cnrtRet_t.cnrtErrorInvalidResourceHandle
    [(kind, text)] = machine.taken()
    assert kind is Kind.DESTROYED_OBJECT
    assert f"destroyed at {__file__}" in text


def test_work_on_a_destroyed_queue_is_done_when_the_device_is_synchronised(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    fill(queue, address)
    machine.library.cnrtQueueDestroy(queue)
    machine.library.cnrtSyncDevice()
    assert machine.download(address, np.uint8, 8).tolist() == [1] * 8


def test_a_result_of_a_destroyed_queue_is_not_there_before_that(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    fill(queue, address)
    machine.library.cnrtQueueDestroy(queue)
    machine.copy_out(np.empty(8, np.uint8), address)
    assert [kind for kind, _ in machine.taken()] == [Kind.NOT_SYNCHRONISED]


def test_memory_that_queued_work_needs_is_not_freed(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    fill(queue, address)
    assert machine.library.cnrtFree(address) == cnrtRet_t.cnrtErrorIllegalState
    [(kind, text)] = machine.taken()
    assert kind is Kind.RELEASED_WHILE_QUEUED
    assert "`ptr` of cnrtMemsetAsync" in text


def test_memory_can_be_freed_after_synchronisation(machine, fill):
    queue, address = machine.queue(), machine.malloc(8)
    fill(queue, address)
    machine.library.cnrtQueueSync(queue)
    assert machine.library.cnrtFree(address) == cnrtRet_t.cnrtSuccess


def test_failing_work_fails_the_synchronisation(machine):
    queue, address = machine.queue(), machine.malloc(8)
    machine.library.cnrtMemsetAsync(address, 0, 9, queue)
    assert machine.library.cnrtQueueSync(queue) == cnrtRet_t.cnrtErrorKernelTrap


def test_work_that_another_queue_had_to_wait_for_fails_its_own_queue(machine):
    first, second, notifier, address = machine.queue(), machine.queue(), machine.notifier(), machine.malloc(8)
    machine.library.cnrtMemsetAsync(address, 0, 9, first)
    machine.library.cnrtPlaceNotifier(notifier, first)
    machine.library.cnrtQueueWaitNotifier(notifier, second, 0)
    statuses = [machine.library.cnrtQueueSync(queue) for queue in (second, first)]
    assert statuses == [cnrtRet_t.cnrtSuccess, cnrtRet_t.cnrtErrorKernelTrap]


def test_failing_work_is_told_with_the_line_that_queued_it(machine):
    queue, address = machine.queue(), machine.malloc(8)
    machine.library.cnrtMemsetAsync(address, 0, 9, queue)
    machine.library.cnrtQueueSync(queue)
    [violation] = machine.emulator.take_violations()
    assert (violation.function, violation.site.file) == ("cnrtMemsetAsync", __file__)


def test_a_failure_is_told_once(machine):
    queue, address = machine.queue(), machine.malloc(8)
    machine.library.cnrtMemsetAsync(address, 0, 9, queue)
    machine.library.cnrtQueueSync(queue)
    assert machine.library.cnrtQueueSync(queue) == cnrtRet_t.cnrtSuccess
