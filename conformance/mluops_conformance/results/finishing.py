"""What follows the last event of a run: its JUnit file, its report on the terminal, its exit code."""

from __future__ import annotations

import sys
from pathlib import Path

from mluops_conformance.reports import colour, render
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import load_run

JUNIT = "junit.xml"


def finish(directory: Path) -> int:
    """Write junit.xml, print the report, and say how the run ended.

    Returns
    -------
    int
        One of `exit_codes`.
    """
    run = load_run(directory)
    (directory / JUNIT).write_text(render(run, "junit"), encoding="utf-8")
    print(render(run, "text", colour=colour.is_wanted(sys.stdout)))
    return exit_code(run)
