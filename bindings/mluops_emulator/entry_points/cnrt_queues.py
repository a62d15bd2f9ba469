"""CNRT: queues and notifiers."""

from __future__ import annotations

from ctypes import c_float, c_void_p
from typing import TYPE_CHECKING

from mluops.constants import cnrtNotifierFlags, cnrtRet_t

from mluops_emulator.discovery import by_name
from mluops_emulator.queues import Notifier, Queue
from mluops_emulator.sites import caller_site
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator

NO_TIME = cnrtNotifierFlags.CNRT_NOTIFIER_DISABLE_TIMING_ALL
NO_HOST_TIME = cnrtNotifierFlags.CNRT_NOTIFIER_DISABLE_TIMING_SW | NO_TIME


def cnrtQueueCreate(emulator: Emulator, pQueue: int | None) -> None:
    emulator.host.checked(pQueue, "pQueue")
    queue = emulator.scheduler.create()
    address = emulator.objects.create(queue, emulator.inventory.number())
    queue.name = str(emulator.objects.record(address))
    emulator.host.store(pQueue, c_void_p, address, "pQueue")


def cnrtQueueDestroy(emulator: Emulator, queue: int | None) -> None:
    """Destroy a queue at once; the device still owes what waits on it, until it is synchronised."""
    emulator.scheduler.retire(emulator.objects.destroy(queue, Queue, "queue"))


def cnrtQueueSync(emulator: Emulator, queue: int | None) -> None:
    emulator.finish(emulator.scheduler.run(emulator.queue(queue)))


def cnrtSyncDevice(emulator: Emulator) -> None:
    emulator.finish(emulator.scheduler.run_all())


def cnrtQueueQuery(emulator: Emulator, queue: int | None) -> int:
    """Report the state of a queue. Every busy answer lets one piece of work happen, so that polling ends."""
    return _poll(emulator, emulator.queue(queue), None)


def cnrtQueueWaitNotifier(emulator: Emulator, notifier: int | None, queue: int | None, flag: int) -> None:
    mark = emulator.objects.get(notifier, Notifier, "notifier")
    emulator.scheduler.wait(emulator.queue(queue), mark, "cnrtQueueWaitNotifier", caller_site())


def cnrtNotifierCreateWithFlags(emulator: Emulator, pNotifier: int | None, flags: int) -> None:
    emulator.host.checked(pNotifier, "pNotifier")
    address = emulator.objects.create(Notifier(flags=flags), emulator.inventory.number())
    emulator.host.store(pNotifier, c_void_p, address, "pNotifier")


def cnrtNotifierCreate(emulator: Emulator, pNotifier: int | None) -> None:
    cnrtNotifierCreateWithFlags(emulator, pNotifier, 0)


def cnrtNotifierDestroy(emulator: Emulator, notifier: int | None) -> None:
    emulator.objects.destroy(notifier, Notifier, "notifier")


def cnrtPlaceNotifier(emulator: Emulator, notifier: int | None, queue: int | None) -> None:
    mark = emulator.objects.get(notifier, Notifier, "notifier")
    emulator.scheduler.place(mark, emulator.queue(queue), "cnrtPlaceNotifier", caller_site())


def cnrtWaitNotifier(emulator: Emulator, notifier: int | None) -> None:
    mark = emulator.objects.get(notifier, Notifier, "notifier")
    emulator.finish(emulator.scheduler.reach(mark))


def cnrtQueryNotifier(emulator: Emulator, notifier: int | None) -> int:
    """Report whether a notifier's mark is reached. Polling ends, like polling of a queue."""
    mark = emulator.objects.get(notifier, Notifier, "notifier")
    return _poll(emulator, mark.queue, mark.number) if mark.queue else cnrtRet_t.cnrtSuccess


def cnrtNotifierElapsedTime(emulator: Emulator, start: int | None, end: int | None, ms: int | None) -> None:
    seconds = _seconds(emulator, start, end, untimed=NO_HOST_TIME)
    emulator.host.store(ms, c_float, seconds * 1e3, "ms")


def cnrtNotifierDuration(emulator: Emulator, start: int | None, end: int | None, us: int | None) -> None:
    seconds = _seconds(emulator, start, end, untimed=NO_TIME)
    emulator.host.store(us, c_float, seconds * 1e6, "us")


def _poll(emulator: Emulator, queue: Queue, through: int | None) -> int:
    if emulator.scheduler.is_done(queue, through):
        return cnrtRet_t.cnrtSuccess
    emulator.finish(emulator.scheduler.run(queue, queue.pending[0].number))
    return cnrtRet_t.cnrtErrorBusy


def _seconds(emulator: Emulator, start: int | None, end: int | None, untimed: int) -> float:
    began = _reached(emulator, start, "start", untimed)
    return _reached(emulator, end, "end", untimed) - began


def _reached(emulator: Emulator, notifier: int | None, name: str, untimed: int) -> float:
    mark = emulator.objects.get(notifier, Notifier, name)
    if mark.queue is None:
        raise Refused(f"`{name}` was never placed in a queue.")
    if mark.flags & untimed:
        raise Refused(f"`{name}` was created with flags {mark.flags} and keeps no time.")
    if mark.time is None:
        raise Refused(f"`{name}` is not reached yet.", cnrtRet_t.cnrtErrorNotReady)
    return mark.time


ENTRY_POINTS = by_name(
    cnrtQueueCreate,
    cnrtQueueDestroy,
    cnrtQueueSync,
    cnrtSyncDevice,
    cnrtQueueQuery,
    cnrtQueueWaitNotifier,
    cnrtNotifierCreateWithFlags,
    cnrtNotifierCreate,
    cnrtNotifierDestroy,
    cnrtPlaceNotifier,
    cnrtWaitNotifier,
    cnrtQueryNotifier,
    cnrtNotifierElapsedTime,
    cnrtNotifierDuration,
)
