"""What follows the last event of a run: its JUnit file, its report on the terminal, its exit code."""

from __future__ import annotations

import sys
import time
from pathlib import Path

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
    (directory / JUNIT).write_text(render(run, "junit"), encoding="utf-8")
    print(render(run, "text", colour=colour.is_wanted(sys.stdout)))
    if slowest is not None:
        print(f"\n{durations.render(run, slowest, report=time.perf_counter() - begun)}")
    return exit_code(run)
