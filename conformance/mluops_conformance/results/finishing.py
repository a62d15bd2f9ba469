"""What follows the last event of a run: its JUnit file, its report on the terminal, its exit code."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from mluops_conformance.output import say
from mluops_conformance.reports import colour, durations, render
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import load_run

JUNIT = "junit.xml"


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
    """
    begun = time.perf_counter()
    run = load_run(directory)
    _replace(directory / JUNIT, render(run, "junit"))
    say(render(run, "text", colour=colour.is_wanted(sys.stdout), brief=True))
    if slowest is not None:
        say(f"\n{durations.render(run, slowest, report=time.perf_counter() - begun)}")
    return exit_code(run)


def _replace(path: Path, text: str) -> None:
    """Write a file whole or not at all: half a report is worse than none."""
    new = path.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)
