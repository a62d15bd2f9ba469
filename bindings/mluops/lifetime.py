"""The life of what a library creates: handles, descriptors, queues, notifiers, memory."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from mluops.errors import Closed

if TYPE_CHECKING:
    from mluops.library import CFunction, Library

R = TypeVar("R", bound="Resource")


class Resource:
    """Something that a library made and must be told to release.

    It is released by `close`, at the end of its `with` block, or when Python collects it; never at
    interpreter exit, where the device may be gone already, and never by a forked process, to which it does
    not belong. It stands for its raw handle wherever a C function of the library takes one.
    """

    def __init__(self, library: Library, raw: Any, release: CFunction | None, *parents: object) -> None:
        """Own `raw` until it is handed to `release`. `parents` live as long as it does."""
        self.library = library
        self._as_parameter_ = raw
        self._finalizer = weakref.finalize(self, _release, library, release, raw, parents)
        self._finalizer.atexit = False

    @property
    def raw(self) -> Any:
        """The handle or address as the C functions take it."""
        if self.closed:
            raise Closed(f"this {type(self).__name__} is closed")
        return self._as_parameter_

    @property
    def closed(self) -> bool:
        return not self._finalizer.alive

    def close(self) -> None:
        """Release it now. Closing again does nothing."""
        if self._finalizer.alive:
            del self._as_parameter_  # ctypes would take None for NULL
            self._finalizer()

    def __enter__(self: R) -> R:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _release(library: Library, release: CFunction | None, raw: Any, parents: tuple[object, ...]) -> None:
    if release is not None and os.getpid() == library.process:
        release.checked(raw)
