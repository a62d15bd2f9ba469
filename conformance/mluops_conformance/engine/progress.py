"""What a person sees while cases run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from mluops_conformance.support.output import obeys_sequences, write

if TYPE_CHECKING:
    from mluops_conformance.results.record import Record

PLAIN_LINES = 10
"""Lines in a log that is no terminal: one a tenth of the run."""
_CLEAR = "\r\x1b[K"


class Progress:
    """Counts on one line of a terminal, or a few plain lines in a log.

    Parameters
    ----------
    planned : int
        Cases of the run.
    stream : text file, optional
        The place to write to; without one, nothing is written.
    """

    def __init__(self, planned: int, stream: TextIO | None) -> None:
        self._planned = planned
        self._stream = stream
        self._terminal = stream is not None and obeys_sequences(stream, os.environ)
        self._done = self._bad = 0

    def begin(self, case_id: str) -> None:
        if self._terminal:
            self._write(f"{_CLEAR}{self._counts()}  {case_id[:70]}")

    def end(self, record: Record) -> None:
        self._done += 1
        self._bad += not record.is_good
        step = max(self._planned // PLAIN_LINES, 1)
        if not self._terminal and (self._done % step == 0 or self._done == self._planned):
            self._write(f"{self._counts()}\n")

    def close(self) -> None:
        if self._terminal:
            self._write(_CLEAR)

    def _counts(self) -> str:
        return f"{self._done}/{self._planned} done, {self._bad} failed"

    def _write(self, text: str) -> None:
        if self._stream is not None:
            write(text, self._stream)
