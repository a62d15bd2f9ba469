"""What queued work still uses."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Iterable, List, Tuple

if TYPE_CHECKING:
    from mluops.library import Library
    from mluops.queue import Notifier

    Generation = Tuple[Notifier, List[object]]

GENERATION = 256
"""Objects that are kept for a queue before a notifier is placed behind them."""


class _Kept:
    """What is kept for one queue: the newest objects, and older ones up to a notifier each."""

    def __init__(self) -> None:
        self.newest: list[object] = []
        self.older: deque[Generation] = deque()


class Pending:
    """Objects that must live until their queues have done what was queued with them.

    They are released when the queue is synchronised through the binding. For a queue that only others
    synchronise, notifiers tell how far the device is, so that no more than a few generations are kept.

    Parameters
    ----------
    library : Library
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: dict[int, _Kept] = {}

    def keep(self, queue: int, objects: Iterable[object]) -> None:
        """Keep objects until the queue at an address, 0 for the default queue, has got beyond this point."""
        kept = self._kept.get(queue) or self._kept.setdefault(queue, _Kept())
        kept.newest.extend(objects)
        if len(kept.newest) >= GENERATION:
            self._begin_generation(queue, kept)

    def take(self, queue: int) -> dict[int, _Kept]:
        """Take what is kept for a queue: it is to be released once the queue is synchronised."""
        one = self._kept.pop(queue, None)
        return {} if one is None else {queue: one}

    def take_all(self) -> dict[int, _Kept]:
        """Take what is kept for any queue."""
        taken, self._kept = self._kept, {}
        return taken

    def put_back(self, taken: dict[int, _Kept]) -> None:
        """Keep on, since the synchronisation failed."""
        for queue, kept in taken.items():
            newer = self._kept.setdefault(queue, kept)
            if newer is not kept:
                newer.older.extendleft(reversed(kept.older))
                newer.newest[:0] = kept.newest

    def count(self, queue: int) -> int:
        """Return how many objects are kept for a queue."""
        kept = self._kept.get(queue, _Kept())
        return len(kept.newest) + sum(len(objects) for _, objects in kept.older)

    def _begin_generation(self, queue: int, kept: _Kept) -> None:
        from mluops.queue import Notifier, raw_queue

        objects, kept.newest = kept.newest, []
        notifier = Notifier(self._library)
        self._library.cnrtPlaceNotifier.checked(notifier, raw_queue(queue))
        kept.older.append((notifier, objects))
        while kept.older and kept.older[0][0].reached:
            kept.older.popleft()
