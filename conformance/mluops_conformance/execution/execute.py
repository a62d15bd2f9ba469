"""Execute one case and record how it went. Knows nothing of pytest."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Iterator

from mluops.errors import StatusError

from mluops_conformance.artefacts.gather import gather
from mluops_conformance.execution.modes import steps_of
from mluops_conformance.execution.steps import State, Stop
from mluops_conformance.language.departures import departures
from mluops_conformance.operators import the_operator
from mluops_conformance.performance.values import HARDWARE, INTERFACE
from mluops_conformance.repro import repro_line
from mluops_conformance.results.record import Record, Started

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case


LOST = "the device is lost to this process: no other case was executed in it"


def started(case: Case, session: Session) -> Started:
    """The event that goes before the execution, with the line that repeats it."""
    return Started(
        id=case.id,
        operator=case.operator,
        backend=session.backend.name,
        device=session.backend.device,
        origin=f"{case.origin.file}:{case.origin.line}",
        seed=session.options.seed,
        repro=repro_line(case.id, session.options, session.backend.name),
        requirements=case.checks,
        sizes=sizes_on(session.backend, case),
        size=prod(max(extent, 1) for extent in session.backend.sized(case).dims.values()),
    )


def sizes_on(backend: Backend, case: Case) -> dict[str, int]:
    """The dimensions of a case that follow from the device."""
    dims = backend.sized(case).dims
    return {name: dims[name] for name in case.limits}


def execute(case: Case, session: Session) -> Record:
    """Take a case through the steps of its mode.

    Returns
    -------
    Record
        Outcome, reasons, verdicts and times. What the harness itself does wrong is raised.
    """
    state = State(session.backend.sized(case), the_operator(case.operator), session)
    session.prepare(case)
    try:
        with closing(state):
            _take(state)
    except Stop as stop:
        state.stopped = stop.kind
        if session.examine(case, state.error):
            state.reasons.append(LOST)
    except StatusError as error:
        session.examine(case, error)
        raise
    outcome, reason = _conclude(state)
    record = started(case, session).finished(
        outcome,
        reason,
        card=session.backend.card,
        failures=tuple(_failures(state)),
        causes=state.causes,
        changed=departures(state.case) if "status" in _failures(state) else (),
        outputs=tuple(state.verdicts),
        seconds=state.clock.seconds,
        notes=state.expected.notes,
        samples=_samples(state),
        performance=state.performance,
    )
    return session.keep(record, partial(gather, state))


def _take(state: State) -> None:
    for name, step in steps_of(state.case, state.session.options.mode):
        with state.clock.measuring(name):
            step(state)


def _samples(state: State) -> dict[str, tuple[float, ...]]:
    measured = state.measured
    return {HARDWARE: measured.hardware, INTERFACE: measured.interface} if measured else {}


def _conclude(state: State) -> tuple[str, str]:
    wrong = [*state.reasons, *state.disagreements, *_reasons(state, "failed")]
    doubts = _reasons(state, "mistrusted")
    if wrong:
        return "failed", "; ".join(wrong)
    return ("mistrusted", "; ".join(doubts)) if doubts else ("passed", "")


def _failures(state: State) -> Iterator[str]:
    """What was wrong, in the words of `Record.failures`."""
    if state.stopped:
        yield state.stopped
    elif state.reasons:
        yield "memory"
    if state.disagreements:
        yield "repetition"
    if any(verdict.outcome == "failed" for verdict in state.verdicts):
        yield "values"


def _reasons(state: State, outcome: str) -> list[str]:
    return [
        f"{verdict.name}: {reason}"
        for verdict in state.verdicts
        if verdict.outcome == outcome
        for reason in verdict.reasons
    ]
