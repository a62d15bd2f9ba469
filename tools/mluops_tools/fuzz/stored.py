"""The findings of a search as a stored run, of which `report` makes every format.

A failure and a known issue are the record of their smallest case, with the number of examples that showed it.
The examples of an operator and dtype that passed are one record, with the values that were tried.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Sequence

from mluops_conformance.reports import render
from mluops_conformance.results import environment
from mluops_conformance.results.reader import ENVIRONMENT, JUNIT, RESULTS, load_run
from mluops_conformance.results.record import Record, RunHeader, Started
from mluops_conformance.results.writer import ResultsWriter
from mluops_conformance.support.files import make_folder, write_whole
from mluops_conformance.support.formatting import counted

from mluops_tools.fuzz import text

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions

    from mluops_tools.fuzz.campaign import Failure, Findings
    from mluops_tools.fuzz.pool import Place
    from mluops_tools.fuzz.text import Found

FOLDER = "run"


def store(
    found: Found, findings: Findings, options: RunOptions, place: Place, command: Sequence[str], seed: int
) -> Path:
    """Write the findings below the folder of a search, in place of those of an earlier one.

    Parameters
    ----------
    found : Found
        The folder, with its case files written.
    command : sequence of str
        The command line of the search.
    seed : int
        The seed of the examples.

    Returns
    -------
    Path
        The folder that `report` takes.

    Raises
    ------
    UserError
        It cannot be written.
    """
    folder = found.folder / FOLDER
    make_folder(folder)
    with suppress(FileNotFoundError):
        (folder / RESULTS).unlink()
    records = [*_failures(found, findings, options, place), *_passed(findings, place, command, seed)]
    begun = datetime.now(timezone.utc).isoformat(timespec="seconds")
    header = RunHeader(str(found.folder), tuple(command), begun, len(records), place.backend, place.device)
    environment.write(folder / ENVIRONMENT, place.environment)
    with ResultsWriter(folder / RESULTS) as writer:
        writer.write(header)
        for record in records:
            writer.write(record)
    write_whole(folder / JUNIT, render(load_run(folder), "junit"))
    return folder


def _failures(found: Found, findings: Findings, options: RunOptions, place: Place) -> Iterator[Record]:
    for failure in (*findings.sorted(), *findings.known.values()):
        file = found.file_of(failure.example.case.operator)
        yield replace(
            failure.record,
            origin=str(file),
            repro=text.repro(failure.example, file, options, place.backend),
            reason="; ".join(_reasons(failure)),
            notes={**failure.record.notes, "examples": failure.count},
        )


def _reasons(failure: Failure) -> Iterator[str]:
    yield failure.record.reason
    yield f"shown by {counted(failure.count, 'example')}"
    if not failure.repeats:
        yield "it passes alone: it fails after other calls in the same process"


def _passed(findings: Findings, place: Place, command: Sequence[str], seed: int) -> Iterator[Record]:
    """Give one record for each operator and dtype of which examples passed."""
    for (operator, dtype), outcomes in sorted(findings.outcomes.items()):
        if outcomes["passed"]:
            id = f"{operator}/examples-{dtype}"
            begun = Started(id, operator, place.backend, place.device, "fuzz", seed, " ".join(command))
            tried = "; ".join(line for line in text.tried(findings) if line.startswith(f"tried, {operator},"))
            yield begun.finished("passed", tried, notes=dict(outcomes))
