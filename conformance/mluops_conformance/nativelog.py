"""The output of native code on standard output and error while a case runs, kept for its record."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Iterator

from mluops.log import STDERR, STDOUT, buffer_lines, legible, redirected

TAIL_BYTES = 10_000  # a traceback of Python, at a crash or a timeout, is more than half of it
FOLDER = "logs"


class NativeLog:
    """A file that stands in for standard output and error; it survives the process that writes to it.

    Parameters
    ----------
    path : Path, optional
        The file, emptied first; one without a name by default.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            self._descriptor = os.memfd_create("log")  # needs no room on a disk
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)
        buffer_lines()

    @contextmanager
    def capturing(self) -> Iterator[None]:
        """Send both streams to the file, from its beginning: it holds the log of one case."""
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        with redirected(self._descriptor, STDOUT, STDERR):
            yield

    def tail(self) -> str:
        """The end of what the last case wrote."""
        return _tail(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


@contextmanager
def silenced() -> Iterator[None]:
    """Keep what native code writes away from the user's streams, where a table or a verdict stands."""
    with closing(NativeLog()) as log, log.capturing():
        yield


def tail_of(path: Path) -> str:
    """The end of a log file, as it was left; empty where there is none."""
    try:
        with open(path, "rb") as file:
            return _tail(file.fileno())
    except OSError:
        return ""


def _tail(descriptor: int) -> str:
    size = os.fstat(descriptor).st_size
    raw = os.pread(descriptor, TAIL_BYTES, max(0, size - TAIL_BYTES))
    return legible(raw)
