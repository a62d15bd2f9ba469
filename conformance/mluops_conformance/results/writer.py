"""Appends events to results.jsonl so that a killed process leaves whole lines."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from mluops_conformance.errors import OutputError
from mluops_conformance.results.record import Event, Stopped, to_line

MOST_CUT = 2
"""Whole lines that the end of a run may replace."""
LONGEST_CUT = 1 << 20
"""Bytes of such lines."""


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
