"""The handle: mlu-ops' context on one device."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from mluops.errors import NotInitialized
from mluops.lifetime import Resource
from mluops.types import mluOpHandle_t

if TYPE_CHECKING:
    from mluops.library import Library
    from mluops.queue import Queue

NEEDED = (  # by mlu-ops from a release on, newest first: CNRT and CNDrv; mluOpCreate refuses older ones
    ((1, 0, 0), "CNRT older than 6.7.0 or a CNDrv older than 2.7.0"),
    ((0, 8, 0), "CNRT older than 6.3.0 or a CNDrv older than 2.3.0"),
    ((0, 0, 0), "CNRT older than 5.0.0"),
)


class Handle(Resource):
    """A context of mlu-ops on the current device.

    Parameters
    ----------
    library : Library
    queue : Queue, optional
        Where the handle's operators run; the device's default queue otherwise.

    Raises
    ------
    MluOpError
        `NotInitialized` says which CNRT this mlu-ops needs and which one was loaded.
    """

    def __init__(self, library: Library, queue: Queue | None = None) -> None:
        library.ensure_own_process()
        raw = mluOpHandle_t()
        try:
            library.mluOpCreate.checked(ctypes.byref(raw))
        except NotInitialized as error:
            raise NotInitialized(error.function, error.status, hint=_needs(library)) from None
        super().__init__(library, raw, library.mluOpDestroy, queue)
        self.queue = queue
        if queue is not None:
            library.mluOpSetQueue.checked(self, queue)

    def synchronize(self) -> None:
        """Wait until everything in the handle's queue has finished."""
        if self.queue is None:
            self.library.cnrtQueueSync.checked(None)
        else:
            self.queue.synchronize()


def _needs(library: Library) -> str:
    too_old = next(old for release, old in NEEDED if library.version >= release)
    return (
        f"mlu-ops {_dotted(library.version)} refuses a {too_old}; "
        f"this CNRT is {_dotted(library.cnrt_version)} ({library.cnrt_path}). "
        "Install a newer CNToolkit; MLUOP_CHECK_DEP_VERSION=0 in the environment turns that check off"
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
