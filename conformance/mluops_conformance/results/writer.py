"""Write stored runs: append events, and lock the folder.

A killed process leaves whole lines in results.jsonl, and no lock behind.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from contextlib import suppress
from pathlib import Path

from mluops_conformance.errors import OutputError, UserError
from mluops_conformance.results.reader import RESULTS
from mluops_conformance.results.record import Event, Stopped, to_line
from mluops_conformance.support.files import make_folder

MOST_CUT = 2
"""Whole lines that the end of a run may replace."""
LONGEST_CUT = 1 << 20
"""Bytes of such lines."""

LOCK = "lock"
"""A file of the folder; it names the process that locks it, or that did so last."""

WITHOUT_LOCKS = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP})
"""Errors of file systems that have no locks: they are used as they are."""

_claimed: dict[Path, int] = {}
"""Descriptors of the locked files, which close with the process."""


class ResultsWriter:
    """An append-only file of events; each goes to the kernel in one write, so nothing waits in a buffer.

    Processes may append to the same file at the same time. A line that an earlier process left unfinished is
    closed, and stays for the reader to name.

    Parameters
    ----------
    path : path-like
        The file; created where it does not exist.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            os.write(self._descriptor, b"\n")

    def write(self, entry: Event) -> None:
        """Append one event.

        Raises
        ------
        OutputError
            The line could not be written whole, as on a full disk.
        """
        line = to_line(entry)
        while line:
            try:
                line = line[os.write(self._descriptor, line) :]
            except OSError as error:
                raise OutputError(f"{self._path} cannot be written: {error.strerror}") from None

    def stop(self, reason: str) -> None:
        """Append the end of a run that ends before its last case, where need be in place of the last lines.

        On a full disk, a line that was cut off and at most `MOST_CUT` whole ones make room for it.
        """
        line = to_line(Stopped(reason))
        for _ in range(MOST_CUT + 1):
            self._cut_to(self._end_of_lines())
            with suppress(OSError):
                if os.write(self._descriptor, line) == len(line):
                    return
            self._cut_to(self._end_of_lines())
            self._cut_to(self._end_of_lines(before=1))

    def _end_of_lines(self, before: int = 0) -> int:
        """Find the end of the last whole line, or of the last but `before`."""
        size = os.fstat(self._descriptor).st_size
        begin = max(size - LONGEST_CUT, 0)
        pieces = os.pread(self._descriptor, size - begin, begin).split(b"\n")
        return size - sum(len(piece) + 1 for piece in pieces[len(pieces) - 1 - before :]) + 1

    def _cut_to(self, size: int) -> None:
        with suppress(OSError):
            os.ftruncate(self._descriptor, max(size, 0))

    def close(self) -> None:
        """Close the file; again is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> ResultsWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def claim(directory: Path, resume: bool = False) -> None:
    """Keep every other process from writing to a run's folder, until this process ends.

    A folder that this process has claimed already stays claimed.

    Parameters
    ----------
    directory : Path
        It is made where it does not exist.
    resume : bool
        The folder may hold a run, which is to be continued.

    Raises
    ------
    UserError
        Another process writes to the folder, or it holds a run that is not to be continued.
    OutputError
        The lock cannot be written, as on a full disk.
    """
    make_folder(directory)
    place = directory.resolve()
    if place not in _claimed:
        _claimed[place] = _locked(directory)
    if not resume:
        refuse_stored(directory)


def refuse_stored(directory: Path) -> None:
    """Refuse a folder that holds a run.

    Raises
    ------
    UserError
    """
    if (directory / RESULTS).exists():
        raise UserError(
            f"{directory} already holds a run; choose another --out, remove it, or --resume {directory}"
        )


def is_claimed(directory: Path) -> bool:
    """Return whether another process writes to a run's folder now."""
    try:
        descriptor = os.open(directory / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in WITHOUT_LOCKS and directory.resolve() not in _claimed
    finally:
        os.close(descriptor)
    return False


def _locked(directory: Path) -> int:
    path = directory / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
    try:
        _lock(descriptor, directory)
        _sign(descriptor, path)
    except UserError:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int, directory: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in WITHOUT_LOCKS:
            return
        owner = os.pread(descriptor, 1000, 0).decode("utf-8", "replace").strip()
        raise UserError(
            f"{directory}: another run writes to this folder ({owner or 'it has just begun'}); "
            "choose another --out, or wait until that run has ended"
        ) from None


def _sign(descriptor: int, path: Path) -> None:
    """Write which process locks the file."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {platform.node()}\n".encode(), 0)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
