"""Executes the case of an artefact on the artefact's own inputs, in this process."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import replace
from pathlib import Path

from mluops_conformance.artefacts.file import Artefact
from mluops_conformance.artefacts.gather import gather, unpack
from mluops_conformance.execution.execute import perform, started
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
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
        try:
            record, executed = _executed(stored, session)
        finally:
            session.close()
    backend = replace(options, cases=(), seed=0, backend=session.backend.name).arguments()
    repro = shlex.join(["mluops-conformance", "replay", source, *backend])
    return replace(record, origin=source, repro=repro), executed or artefact


def _executed(case: Case, session: Session) -> tuple[Record, Artefact | None]:
    found = session.obstacle(case)
    if found:
        return started(case, session).finished(*found), None
    record, trail = perform(case, session)
    return record, gather(trail, record)
