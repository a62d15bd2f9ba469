"""The life of what a library creates: handles, descriptors, queues, notifiers, memory."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, Callable, ClassVar, NoReturn, Optional, TypeVar

from mluops.errors import ArgumentTypeError, Closed

if TYPE_CHECKING:
    from mluops.library import Library

R = TypeVar("R", bound="Resource")
Release = Optional[Callable[[Any], object]]


class Resource:
    """Something that a library made and must be told to release, or that is borrowed from another owner.

    It is released by `close`, at the end of its `with` block, or when Python collects it; never at
    interpreter exit, where a device may be gone already, and never by a forked process, to which it does
    not belong. What is borrowed is not released at all. It stands for its raw handle wherever a C function of
    the library takes one.
    """

    closed: bool
    used_by_tasks: ClassVar[bool] = False
    """True if queued work may need the object until its queue is synchronised."""

    def __init__(self, library: Library, raw: Any, release: Release, *parents: object) -> None:
        """Own `raw` until it is handed to `release`; None borrows it. `parents` live as long as it does."""
        self.library = library
        self.borrowed = release is None
        self.closed = False
        self._as_parameter_ = raw
        self._finalizer = weakref.finalize(self, _release, library, release, raw, parents)
        self._finalizer.atexit = library.backend == "emulator"  # which tells what was never released

    @property
    def raw(self) -> Any:
        """The handle or address as the C functions take it."""
        if self.closed:
            raise Closed(f"this {type(self).__name__} is closed")
        return self._as_parameter_

    def close(self) -> None:
        """Release it now. Closing again does nothing."""
        if not self.closed:
            self.closed = True
            del self._as_parameter_  # ctypes would take None for NULL
            self._finalizer()

    def __enter__(self: R) -> R:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        kind = type(self).__name__
        raise ArgumentTypeError(f"a {kind} is not copied or pickled: two objects would release it")

    def _described(self, *details: object) -> str:
        """Return a repr: the class, details, and whether it is closed or borrowed."""
        state = ["closed"] if self.closed else ["borrowed"] if self.borrowed else []
        return f"<{' '.join(map(str, [type(self).__name__, *details, *state]))}>"


def usable(library: Library) -> Library:
    """Return the library, where this process may use it.

    Raises
    ------
    ArgumentTypeError
        It is no Library.
    ForkedProcess
    """
    ensure = getattr(library, "ensure_own_process", None)
    if ensure is None:
        raise ArgumentTypeError(f"library must be a Library, not a {type(library).__name__}")
    ensure()
    return library


def _release(library: Library, release: Release, raw: Any, parents: tuple[object, ...]) -> None:
    if release is not None and os.getpid() == library.process:
        release(raw)
