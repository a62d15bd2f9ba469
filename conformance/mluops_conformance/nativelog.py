"""What native code writes to standard error while a case is executed, kept aside for its record."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

STDERR = 2
TAIL_BYTES = 10_000  # a traceback of Python, at a crash or a timeout, is more than half of it
FOLDER = "logs"


class NativeLog:
    """A file that stands in for standard error; it survives the process that writes to it.

    Parameters
    ----------
    path : Path, optional
        The file, emptied first; one without a name by default.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            self._descriptor, name = tempfile.mkstemp()
            os.unlink(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)

    @contextmanager
    def capturing(self) -> Iterator[None]:
        """Send standard error to the file, from its beginning: it holds the log of one case."""
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        saved = os.dup(STDERR)
        os.dup2(self._descriptor, STDERR)
        try:
            yield
        finally:
            os.dup2(saved, STDERR)
            os.close(saved)

    def tail(self) -> str:
        """The end of what the last case wrote."""
        return _tail(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


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
    return raw.decode("utf-8", "replace").strip()
