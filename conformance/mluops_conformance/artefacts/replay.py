"""Gather the artefact of a case, unpack it to files, and execute it again on its own inputs."""

from __future__ import annotations

import shlex
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mluops_conformance.artefacts.file import REPEATED, Artefact
from mluops_conformance.errors import UserError
from mluops_conformance.execution.execute import perform, started
from mluops_conformance.execution.expectations import Expected
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.execution.values import Answers, Earlier, Inputs, Task
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case, FillSpec
from mluops_conformance.results.record import Record, event

if TYPE_CHECKING:
    from mluops_conformance.execution.execute import Trail


CASE_FILE = "case.yaml"


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


def gather(trail: Trail, record: Record | None = None) -> Artefact:
    """Return what the steps of a case made so far, and how it was judged if it was."""
    case = trail[Task].case
    calls = {**{f"{name}.": given for name, given in trail[Earlier].of.items()}, "": trail}
    return Artefact(
        case=to_yaml(case),
        replay=to_yaml(_from_files(case)),
        seed=trail[Task].seed,
        inputs={
            f"{prefix}{name}": array
            for prefix, given in calls.items()
            for name, array in given[Inputs].arrays.items()
            if name not in given[Task].case.links
        },
        record=event(record) if record else {},
        outputs={
            f"{prefix}{name}" if place == 1 else f"{prefix}{name}{REPEATED}{place}": array
            for prefix, given in calls.items()
            for name, wholes in given[Answers].wholes.items()
            for place, array in enumerate(wholes, start=1)
        },
        expected={
            f"{prefix}{name}": {right.name: right.expected for right in rights}
            for prefix, given in calls.items()
            for name, rights in given[Expected].interpretations.items()
        },
    )


def _from_files(case: Case, prefix: str = "") -> Case:
    """Return a case that reads all its data from files, NAME.npy, and STEP.NAME.npy for its steps."""
    files = {name: FillSpec("file", {"path": f"{prefix}{name}.npy"}) for name in case.data}
    steps = (replace(step, case=_from_files(step.case, f"{step.name}.")) for step in case.after)
    return replace(case, data=files, after=tuple(steps))


def unpack(artefact: Artefact, folder: Path) -> Path:
    """Write the case file and its inputs to a folder; `run --cases FOLDER` executes just that.

    Returns
    -------
    Path
        The case file.

    Raises
    ------
    UserError
        The folder cannot be written, or an input's name is no plain name.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in artefact.inputs.items():
            if not all(map(str.isidentifier, name.split("."))):
                raise UserError(f"an artefact with an input of the name {name!r} is not one of this program")
            np.save(folder / f"{name}.npy", array)
        path = folder / CASE_FILE
        path.write_text(artefact.replay, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from None
    return path
