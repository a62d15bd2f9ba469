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

NEEDED_CNRT = (  # by mlu-ops from a release on, newest first; mluOpCreate refuses an older one
    ((1, 0, 0), (6, 7, 0)),
    ((0, 8, 0), (6, 3, 0)),
    ((0, 0, 0), (5, 0, 0)),
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
    needed = next(cnrt for release, cnrt in NEEDED_CNRT if library.version >= release)
    return (
        f"mlu-ops {_dotted(library.version)} refuses a CNRT older than {_dotted(needed)}; "
        f"this one is {_dotted(library.cnrt_version)} ({library.cnrt_path}). "
        "MLUOP_CHECK_DEP_VERSION=0 in the environment turns that check off"
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
