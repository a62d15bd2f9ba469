"""Executes the case of an artefact on the artefact's own inputs, in this process."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Callable

from mluops_conformance.artefacts.file import Artefact
from mluops_conformance.artefacts.gather import unpack
from mluops_conformance.execution.execute import execute, started
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
from mluops_conformance.options import RunOptions
from mluops_conformance.results.record import Record


def execute_again(artefact: Artefact, source: str, options: RunOptions) -> tuple[Record, Artefact]:
    """Execute a case on stored inputs.

    A call that crashes ends this process: a debugger sees it.

    Parameters
    ----------
    source : str
        The file the artefact comes from, for messages.
    options : RunOptions
        Which back end, which thresholds; the seed is the artefact's.

    Returns
    -------
    record : Record
        How it went this time.
    artefact : Artefact
        What came out this time; the given one where the case means nothing on this back end.
    """
    with tempfile.TemporaryDirectory() as folder:
        (stored,) = load([unpack(artefact, Path(folder))])
        options = replace(options, seed=artefact.seed)
        session = Session(options)
        caught = _Catcher(artefact)
        session.keep = caught.keep
        try:
            record = _executed(stored, session)
        finally:
            session.close()
    backend = replace(options, cases=(), seed=0, backend=session.backend.name).arguments()
    repro = shlex.join(["mluops-conformance", "replay", source, *backend])
    return replace(record, origin=source, repro=repro), caught.artefact


def _executed(case: Case, session: Session) -> Record:
    found = session.obstacle(case)
    if found:
        return started(case, session).finished(*found)
    return execute(case, session)


class _Catcher:
    """Keeps what was executed in memory."""

    def __init__(self, before: Artefact) -> None:
        self.artefact = before

    def keep(self, record: Record, gather: Callable[[Record], Artefact]) -> Record:
        self.artefact = gather(record)
        return record
