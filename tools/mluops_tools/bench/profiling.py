"""A profile of the slowest cases of a run."""

from __future__ import annotations

import argparse
import cProfile
import io
import pstats
import shlex
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Iterator

from mluops_conformance.commands.run import configure
from mluops_conformance.errors import UserError
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session, obstacle
from mluops_conformance.language.load import case_paths, load_cases
from mluops_conformance.results.reader import Run, load_run

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case

CASES = 10
FUNCTIONS = 12
"""Shown of each case, by the time inside of them alone."""


def profiles(directory: Path) -> Iterator[str]:
    """A profile of each of the slowest cases of a run, which are executed anew, the slowest first.

    Raises
    ------
    UserError
        The folder holds no run, or none of its cases can be executed here.
    """
    run = load_run(directory)
    options = _options(run)
    session = Session(options)
    try:
        texts = [_profile(case, session) for case in islice(_slowest(run, session), CASES)]
    finally:
        session.close()
    if not texts:
        raise UserError(f"none of the cases of {directory} can be executed here")
    yield from texts


def _options(run: Run) -> RunOptions:
    """Return the options of the run, read from the command that repeats its first case."""
    if not run.records:
        return RunOptions()
    parser = argparse.ArgumentParser()
    configure(parser)
    _, _, *words = shlex.split(run.records[0].repro)
    args = parser.parse_args(words)
    return RunOptions.read(lambda flag: getattr(args, flag.replace("-", "_")))


def _slowest(run: Run, session: Session) -> Iterator[Case]:
    cases = {case.id: case for case in load_cases(case_paths(session.options.cases))}
    for record in sorted(run.records, key=lambda record: -record.total_seconds):
        case = cases.get(record.id)
        if case is not None and obstacle(case, session.backend) is None:
            yield case


def _profile(case: Case, session: Session) -> str:
    execute(case, session)  # what is only done once in a process is not the case's
    profile = cProfile.Profile()
    record = profile.runcall(execute, case, session)
    text = io.StringIO()
    pstats.Stats(profile, stream=text).strip_dirs().sort_stats("tottime").print_stats(FUNCTIONS)
    return f"{case.id}: {record.outcome}\n{text.getvalue().strip()}\n"
