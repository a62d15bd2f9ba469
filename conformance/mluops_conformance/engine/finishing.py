"""What follows the last event of a run: its JUnit file, its report on the terminal, its exit code."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

from mluops_conformance.errors import OutputError
from mluops_conformance.reports import colour, durations, render
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import JUNIT, load_run
from mluops_conformance.support.output import say


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
        _replace(directory / JUNIT, render(run, "junit"))
    finally:
        say(render(run, "text", colour=colour.is_wanted(sys.stdout), brief=True))
    if slowest is not None:
        say(f"\n{durations.render(run, slowest, report=time.perf_counter() - begun)}")
    return exit_code(run)


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all: half a report is worse than none."""
    new = path.with_suffix(".new")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
