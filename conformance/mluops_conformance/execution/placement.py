"""Where buffers lie: a kernel must not depend on alignment, nor on which buffer follows which."""

from __future__ import annotations

from random import Random
from typing import Sequence

KINDS = ("aligned", "unaligned", "shuffled")
ALIGNMENT = 64
"""Unaligned buffers begin at any multiple of their dtype's size within so many bytes."""


class Placement:
    """How the buffers of one case are laid out.

    Parameters
    ----------
    kind : str
        aligned: as the allocator gives them; unaligned: off its alignment; shuffled: that, in any order.
    seed : int
        Of the case.
    """

    def __init__(self, kind: str, seed: int) -> None:
        self._kind = kind
        self._random = Random(seed)

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
