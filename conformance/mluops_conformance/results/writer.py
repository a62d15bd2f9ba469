"""Appends events to results.jsonl so that a killed process leaves whole lines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Mapping

from mluops_conformance.errors import OutputError
from mluops_conformance.results.record import Event, to_line


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

    def write(self, entry: Event | Mapping[str, Any]) -> None:
        """Append one event, or what `record.event` gives for it.

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

    def close(self) -> None:
        """Close the file; again is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> ResultsWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
