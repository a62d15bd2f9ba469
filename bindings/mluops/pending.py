"""Objects that queued work still uses."""

from __future__ import annotations

import atexit
import ctypes
import weakref
from collections import deque
from functools import lru_cache
from threading import get_ident
from typing import TYPE_CHECKING, Iterable, List, Tuple, Union

from mluops.types import raw_queue

if TYPE_CHECKING:
    from mluops.library import Library
    from mluops.queue import Notifier

    Generation = Tuple[Notifier, List[object]]

GENERATION = 256
"""Objects that are kept for a queue before a notifier is placed behind them."""

DEFAULT_QUEUE, QUEUE_PER_THREAD, LEGACY_QUEUE = 0, 1, 2
"""Addresses that stand for another queue on each device, the second one also in each thread."""

Place = Union[int, Tuple[int, int, int]]
"""A queue: its address; for those that share one, the device and the thread too."""


class Same:
    """A reference to an object of any kind, equal to another one to the same object only."""

    __slots__ = ("_to",)

    def __init__(self, to: object) -> None:
        self._to = to

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._to is other._to

    def __hash__(self) -> int:
        return id(self._to)


class _Kept:
    """The objects kept for one queue: the newest ones, and older ones up to a notifier each."""

    def __init__(self, device: int) -> None:
        self.device = device
        self.newest: set[object] = set()
        self.older: deque[Generation] = deque()


class Pending:
    """Objects that must live until their queues have done what was queued with them.

    They are released when the queue is synchronised through the binding. For a queue that only others
    synchronise, notifiers tell how far the device is, so that no more than a few generations are kept.
    Queues are known by their addresses; a default queue by the current device too.

    Parameters
    ----------
    library : Library
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: dict[Place, _Kept] = {}
        if library.backend == "emulator":
            _AT_EXIT.add(self)

    def finish(self) -> None:
        """Wait for the device, where something is kept."""
        if self._kept:
            self._library.cnrtSyncDevice()

    def keep(self, queue: int, objects: Iterable[object]) -> None:
        """Keep objects until the queue at an address, 0 for the default queue, has got beyond this point.

        They are told apart by their hashes: objects that compare by value come in a `Same`.
        """
        place = queue if queue > LEGACY_QUEUE else self._place(queue)
        kept = self._kept.get(place)
        if kept is None:
            _wait_at_exit()
            kept = self._kept.setdefault(place, _Kept(self._device()))
        newest = kept.newest
        newest.update(objects)
        if len(newest) >= GENERATION:
            self._begin_generation(queue, kept)

    def take(self, queue: int) -> dict[Place, _Kept]:
        """Take what is kept for a queue: it is to be released once the queue is synchronised."""
        place = self._place(queue)
        one = self._kept.pop(place, None)
        return {} if one is None else {place: one}

    def take_all(self) -> dict[Place, _Kept]:
        """Take what is kept for any queue of the current device."""
        device = self._device()
        places = [place for place, kept in [*self._kept.items()] if kept.device == device]
        return {place: self._kept.pop(place) for place in places}

    def put_back(self, taken: dict[Place, _Kept]) -> None:
        """Keep on, since the synchronisation failed."""
        for place, kept in taken.items():
            newer = self._kept.setdefault(place, kept)
            if newer is not kept:
                newer.older.extendleft(reversed(kept.older))
                newer.newest.update(kept.newest)

    def count(self, queue: int) -> int:
        """Return how many objects are kept for a queue."""
        kept = self._kept.get(self._place(queue))
        return len(kept.newest) + sum(len(objects) for _, objects in kept.older) if kept else 0

    def _place(self, queue: int) -> Place:
        if queue > LEGACY_QUEUE:
            return queue
        return queue, self._device(), get_ident() if queue == QUEUE_PER_THREAD else 0

    def _device(self) -> int:
        """Return the ordinal of the current device."""
        ordinal = ctypes.c_int()
        self._library.cnrtGetDevice.pointer(ctypes.byref(ordinal))
        return ordinal.value

    def _begin_generation(self, queue: int, kept: _Kept) -> None:
        from mluops.queue import Notifier

        objects, kept.newest = [*kept.newest], set()
        notifier = Notifier(self._library)
        self._library.cnrtPlaceNotifier.checked(notifier, raw_queue(queue))
        kept.older.append((notifier, objects))
        while kept.older and kept.older[0][0].reached:
            kept.older.popleft()


_AT_EXIT: weakref.WeakSet[Pending] = weakref.WeakSet()
"""Those of emulators, which tell at exit what is released while queued work needs it."""


@lru_cache(maxsize=None)
def _wait_at_exit() -> None:
    """Let the emulators' queues end before anything is released at exit.

    What is registered last runs first: finalizers are registered already when something is kept.
    """
    atexit.register(_finish_all)


def _finish_all() -> None:
    for pending in [*_AT_EXIT]:
        pending.finish()
