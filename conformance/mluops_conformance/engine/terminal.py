"""Show a run on the terminal: its progress while cases run, and its report at the end."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from mluops_conformance.reports import destination, render, text
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import JUNIT, load_run
from mluops_conformance.support.files import obeys_sequences, say, write, write_whole

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


def finish(directory: Path, slowest: int | None = None) -> int:
    """Write junit.xml, print the report, and say how the run ended.

    Parameters
    ----------
    directory : Path
        The run's folder.
    slowest : int, optional
        Print behind the report where the time went, and so many of the slowest cases.

    Returns
    -------
    int
        One of `exit_codes`.

    Raises
    ------
    OutputError
        There is no room for junit.xml; the report is printed all the same.
    """
    begun = time.perf_counter()
    run = load_run(directory)
    try:
        write_whole(directory / JUNIT, render(run, "junit"))
    finally:
        say(render(run, "text", colour=destination.is_wanted(sys.stdout), brief=True))
    if slowest is not None:
        say(f"\n{text.render_durations(run, slowest, report=time.perf_counter() - begun)}")
    return exit_code(run)
