"""Device buffers between two red zones, filled so that what was not written shows, and where they lie.

A kernel must not depend on alignment, nor on which buffer follows which.
"""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from mluops import DeviceArray

from mluops_conformance.judging.rounding import same_bits

if TYPE_CHECKING:
    from mluops import Library

    Bytes = np.ndarray[Any, Any]

ALIGNMENT = 64
"""Unaligned buffers begin at any multiple of their dtype's size within so many bytes."""
GUARD_BYTES = 512  # on each side; keeps the 512-byte alignment of cnrtMalloc
DECOY_BYTES = 4096
"""Memory behind a pointer of a call that must be refused, whatever size its descriptor claims."""
POISON = 0x7FD3
"""Fills what a kernel has to write: NaN as float32 (0x7fd37fd3) and float16, 2144567251 as int32."""
GUARD = 0x7FC5
"""Fills the red zones: likewise a NaN in every floating dtype, but another."""
WORDS_AT_ONCE = 1 << 16
"""Elements looked through at a time: the comparison stays in the second-level cache."""
RED_ZONE: Bytes = np.full((GUARD_BYTES + ALIGNMENT) // 2, GUARD, np.uint16).view(np.uint8)
"""Both zones begin like this; the one in front is as much longer as the buffer is off its alignment."""
_RED_ZONE = RED_ZONE.tobytes()
_POISONED = {size: np.full(size // 2, POISON, np.uint16).view(f"u{size}")[0] for size in (2, 4, 8)}
"""Unwritten elements, by their bytes."""


class Placement:
    """The layout of the buffers of one case.

    Parameters
    ----------
    kind : str
        aligned: as the allocator gives them; unaligned: off its alignment; shuffled: that, in any order.
    seed : int
        Of the case.
    """

    def __init__(self, kind: str, seed: int) -> None:
        self._kind = kind
        self._seed = seed

    @cached_property
    def _random(self) -> Random:
        return Random(self._seed)

    def order(self, names: Sequence[str]) -> list[str]:
        """In which order to allocate."""
        ordered = list(names)
        if self._kind == "shuffled":
            self._random.shuffle(ordered)
        return ordered

    def lead(self, itemsize: int) -> int:
        """Bytes by which a buffer is off the allocator's alignment; a multiple of the element's size."""
        if self._kind == "aligned" or itemsize >= ALIGNMENT:
            return 0
        return itemsize * self._random.randrange(1, ALIGNMENT // itemsize)


class GuardedBuffer:
    """A device buffer of `nbytes` with a red zone on both sides.

    Parameters
    ----------
    library : Library
        Where to allocate.
    nbytes : int
        Bytes between the zones; zero is allowed and still has an address.
    contents : ndarray, optional
        What it holds at first; `POISON` without.
    lead : int
        Bytes by which it is off the allocator's alignment, an even number below `ALIGNMENT`.
    """

    def __init__(self, library: Library, nbytes: int, contents: Bytes | None = None, lead: int = 0) -> None:
        self.nbytes = nbytes
        self._start = GUARD_BYTES + lead
        self._end = self._start + nbytes
        host = np.empty(self._end + GUARD_BYTES + (nbytes & 1), np.uint8)
        if contents is None:
            host.view(np.uint16)[:] = POISON
        else:
            host[self._start : self._end] = contents.reshape(-1).view(np.uint8)
        host[: self._start] = RED_ZONE[: self._start]
        host[self._end :] = RED_ZONE[: GUARD_BYTES + (nbytes & 1)]
        self._device = DeviceArray.from_numpy(library, host)
        self._room: Bytes | None = host
        self._host: Bytes | None = None

    @property
    def address(self) -> int:
        return self._device.pointer + self._start

    def fetch(self) -> Bytes:
        """Copy the buffer back; its bytes, without the zones. `damage` looks at the same copy.

        The first time it goes where the contents came from: to touch fresh memory costs more than the copy.
        """
        host, self._room = self._room, None
        if host is None:
            host = np.empty(self._device.shape, np.uint8)
        self._device.copy_to(host)
        self._host = host
        return host[self._start : self._end]

    def damage(self) -> str | None:
        """Describe the damage of a red zone that the last `fetch` brought back, or return None."""
        assert self._host is not None, "fetch comes first"
        damaged = _damaged(self._host[: self._start])
        if damaged:
            first, last = (place - self._start for place in damaged)
            return f"written before its start, at bytes {first} to {last}"
        damaged = _damaged(self._host[self._end :])
        if damaged:
            first, last = (place + self.nbytes for place in damaged)
            return f"written past its end, at bytes {first} to {last} of a buffer of {self.nbytes}"
        return None

    def holds(self, contents: Bytes) -> bool:
        """Return True if the last `fetch` brought back exactly these bytes."""
        assert self._host is not None, "fetch comes first"
        return same_bits(self._host[self._start : self._end], contents.reshape(-1).view(np.uint8))

    def close(self) -> None:
        """Free the memory."""
        self._device.close()


class Decoy(GuardedBuffer):
    """A buffer of a call that must touch none: when it is closed as it was, the next such call gets it.

    Parameters
    ----------
    library : Library
    shelf : list of Decoy
        Receives it then.
    """

    def __init__(self, library: Library, shelf: list[Decoy]) -> None:
        super().__init__(library, DECOY_BYTES)
        assert self._room is not None
        self._before = self._room.copy()
        self._shelf = shelf

    def close(self) -> None:
        """Put it on the shelf if the last `fetch` brought back what it held at first; free it otherwise."""
        host, self._host = self._host, None
        if host is not None and same_bits(host, self._before):
            self._room = host
            self._shelf.append(self)
        else:
            self.free()

    def free(self) -> None:
        """Free the memory."""
        super().close()


def unwritten(values: Bytes) -> Bytes:
    """Return the elements of an output that still hold the poison.

    Parameters
    ----------
    values : ndarray
        An output copied back, in its storage dtype of 2, 4 or 8 bytes.

    Returns
    -------
    ndarray of intp
        Flat positions, rising.
    """
    poison = _POISONED[values.itemsize]
    words = values.reshape(-1).view(poison.dtype)
    if words.size <= WORDS_AT_ONCE:
        places: Bytes = (words == poison).nonzero()[0]
        return places
    parts = (
        start + (words[start : start + WORDS_AT_ONCE] == poison).nonzero()[0]
        for start in range(0, words.size, WORDS_AT_ONCE)
    )
    return np.concatenate([*parts])


def _damaged(zone: Bytes) -> tuple[int, int] | None:
    """Return the positions of the first and the last byte that are not as they were; None without any."""
    if zone.tobytes() == _RED_ZONE[: zone.size]:
        return None
    places = np.flatnonzero(zone != RED_ZONE[: zone.size])
    return int(places[0]), int(places[-1])
