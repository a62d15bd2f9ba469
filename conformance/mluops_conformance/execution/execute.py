"""Execute one case by the steps of its mode, and record the result. Knows nothing of pytest.

Each mode is the way of a case, as a list of steps.
"""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import replace
from functools import lru_cache
from inspect import signature
from math import prod
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, NamedTuple, Sequence, Tuple, TypeVar

from mluops.errors import StatusError

from mluops_conformance.execution.answers import compare_answers, judge_outputs, keep_answers
from mluops_conformance.execution.chain import (
    Told,
    call_in_turn,
    check_linked,
    expect_linked,
    found_in,
    keep_chained_answers,
    refuse_data,
    synchronize_once,
    told_by,
)
from mluops_conformance.execution.expectations import Expected
from mluops_conformance.execution.perf import assess_times, stop_if_wrong, time_calls
from mluops_conformance.execution.steps import (
    allocate,
    allocate_decoys,
    call,
    check_memory,
    check_status,
    check_workspace,
    compute_expectation,
    describe,
    expect_untouched,
    fetch,
    fill,
    query_workspace,
    synchronize,
)
from mluops_conformance.execution.values import (
    Answers,
    Buffers,
    Called,
    Decided,
    Descriptors,
    Earlier,
    Found,
    Inputs,
    Repetition,
    Stop,
    Task,
    Verdicts,
    Workspace,
    close,
)
from mluops_conformance.language.dump import departures
from mluops_conformance.operators import the_operator
from mluops_conformance.performance.times import HARDWARE, INTERFACE, Measured, Performance
from mluops_conformance.results.outcomes import cpu_settings
from mluops_conformance.results.record import Record, Started

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case


Step = Callable[..., Any]
"""A function whose annotations name the types of the values that it takes and returns."""
Steps = Tuple[Tuple[str, Step], ...]

T = TypeVar("T")

FIRST = Earlier()
"""No call comes before."""

BEGINNINGS: Mapping[type, Any] = {
    type(value): value
    for value in (
        Inputs(),
        Expected(),
        Buffers(),
        Descriptors(),
        Workspace(),
        Called(),
        Answers(),
        Repetition(),
        Verdicts(),
        Found(),
    )
}
"""The values of a call before its first step."""

LOST = "the device is lost to this process: no other case was executed in it"


class Mode(NamedTuple):
    """The steps of a mode, each with the name of the time that it takes.

    `call` comes once for each repetition that a case needs.
    """

    before: Steps
    call: Steps
    after: Steps

    def steps(self, repeat: int) -> Steps:
        """All steps in order."""
        return self.before + self.call * repeat + self.after


_CALLING: Steps = (("call", call), ("call", synchronize), ("call", check_status))
_EXPECTING: Steps = (("fill", fill), ("reference", compute_expectation), ("call", describe))
_ANSWERING: Steps = (
    ("copy", allocate),
    ("call", query_workspace),
    *_CALLING,
    ("copy", fetch),
    ("judge", check_memory),
    ("judge", keep_answers),
)

_MEASURING: Steps = (
    ("measure", stop_if_wrong),
    ("measure", allocate),
    ("measure", query_workspace),
    ("measure", time_calls),
    ("measure", fetch),
    ("measure", check_memory),
    ("measure", keep_answers),
    ("measure", judge_outputs),
    ("measure", stop_if_wrong),
    ("measure", assess_times),
)

_IN_A_ROW: Steps = (
    ("copy", allocate),
    ("call", query_workspace),
    ("call", call_in_turn),
    ("call", synchronize_once),
    ("copy", fetch),
    ("judge", check_memory),
    ("reference", expect_linked),
    ("judge", keep_chained_answers),
)
"""Each step is taken with every call of the case before the next step."""

_BEHIND_A_ROW: Steps = (("call", check_linked), ("judge", judge_outputs), ("judge", refuse_data))

FOR_ALL_CALLS = frozenset({synchronize_once})
"""Steps that the last call takes for all."""

MODES: Mapping[str, Mode] = {
    "check": Mode(_EXPECTING, _ANSWERING, (("judge", judge_outputs),)),
    "repeat": Mode(_EXPECTING, _ANSWERING, (("judge", compare_answers), ("judge", judge_outputs))),
    "perf": Mode(_EXPECTING + _ANSWERING, (), (("judge", judge_outputs), *_MEASURING)),
    "calls": Mode(_EXPECTING, _IN_A_ROW, _BEHIND_A_ROW),
    "repeated calls": Mode(_EXPECTING, _IN_A_ROW, (("judge", compare_answers), *_BEHIND_A_ROW)),
    "untouched": Mode(
        (("fill", fill), ("copy", allocate), ("call", describe), ("call", query_workspace)),
        _CALLING,
        (("copy", fetch), ("judge", check_memory), ("judge", expect_untouched)),
    ),
    "status": Mode(
        (("copy", allocate_decoys), ("call", describe)),
        _CALLING,
        (
            ("copy", fetch),
            ("judge", check_memory),
            ("judge", expect_untouched),
            ("judge", check_workspace),
        ),
    ),
}


def steps_of(case: Case, asked: str = "check") -> Steps:
    """The steps that a case takes.

    Parameters
    ----------
    asked : str
        The run's mode, as `mode_of` has it.
    """
    return MODES[mode_of(case, asked)].steps(case.repeat)


def mode_of(case: Case, asked: str = "check") -> str:
    """The mode of a case in a run: `perf` where that was asked for, otherwise its own.

    A success that writes nothing is `untouched`.
    """
    if asked == "perf":
        return asked
    if case.after:
        return "calls" if case.repeat == 1 else "repeated calls"
    if case.mode == "check" and not case.compare:
        return "untouched"
    return case.mode


def started(case: Case, session: Session) -> Started:
    """The event that goes before the execution, with the line that repeats it."""
    return Started(
        id=case.id,
        operator=case.operator,
        backend=session.backend.name,
        device=session.backend.device,
        origin=f"{case.origin.file}:{case.origin.line}",
        seed=session.options.seed,
        repro=repro_line(case.id, session.options, session.backend.name, session.settings),
        requirements=case.checks,
        sizes=sizes_on(session.backend, case),
        size=prod(max(extent, 1) for extent in session.backend.sized(case).dims.values()),
    )


def repro_line(
    case_id: str, options: RunOptions, backend: str, variables: Mapping[str, str] | None = None
) -> str:
    """Return a shell command that runs one case on the same backend, with the same data and thresholds.

    Parameters
    ----------
    variables : mapping, optional
        The settings of a library for the CPU; those of the environment by default.
    """
    if variables is None:
        variables = cpu_settings(os.environ) if backend == "cpu" else {}
    settings = "".join(f"{name}={shlex.quote(value)} " for name, value in variables.items())
    return f"{settings}mluops-conformance run {shlex.quote(case_id)}{_following(options, backend)}"


@lru_cache(maxsize=8)
def _following(options: RunOptions, backend: str) -> str:
    return "".join(f" {shlex.quote(word)}" for word in replace(options, backend=backend).arguments())


def sizes_on(backend: Backend, case: Case) -> dict[str, int]:
    """The dimensions of a case and of its steps that follow from the device."""
    if not case.follows_device:
        return {}
    there = backend.sized(case)
    steps = {
        f"{step.name}.{name}": on_device.case.dims[name]
        for step, on_device in zip(case.after, there.after)
        for name in step.case.limits
    }
    return {**{name: there.dims[name] for name in case.limits}, **steps}


class Trail:
    """The values that the steps of a call have given so far, by their type.

    Parameters
    ----------
    task : Task
    earlier : Earlier
        The calls before it on the same queue.

    Attributes
    ----------
    seconds : dict of str to float
        Wall times by what was done.
    """

    def __init__(self, task: Task, earlier: Earlier = FIRST) -> None:
        self.seconds: dict[str, float] = {}
        self._values: dict[type, Any] = {**BEGINNINGS, Task: task, Earlier: earlier}

    def __getitem__(self, kind: type[T]) -> T:
        """Return the last value of a type."""
        return self._values[kind]  # type: ignore[no-any-return]

    def get(self, kind: type[T]) -> T | None:
        """Return the last value of a type; None where no step gave one."""
        return self._values.get(kind)

    def take(self, name: str, step: Step) -> None:
        """Take a step with the values that it names, keep those that it returns, and add up its time."""
        begun = time.perf_counter()
        try:
            given = step(*[self._values[kind] for kind in needs(step)])
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begun
        for value in given if isinstance(given, tuple) else (given,):
            self.keep(value)

    def keep(self, value: Any) -> None:
        """Keep a value in place of the last one of its type; what was found adds up."""
        self._values[type(value)] = self._values[Found] + value if isinstance(value, Found) else value

    def close(self, excused: bool) -> None:
        """Give back buffers and descriptors; no failure counts where it is a consequence of another."""
        task, called = self[Task], self[Called]
        found = close(task, self[Buffers].of, called) + close(task, self[Descriptors].of, called)
        self.keep(replace(found, reasons=()) if excused and found.reasons else found)


@lru_cache(maxsize=None)
def needs(step: Step) -> tuple[type, ...]:
    """Return the types of the values that a step takes, in order."""
    named = (parameter.annotation for parameter in signature(step).parameters.values())
    return tuple(step.__globals__[name] for name in named)


def execute(case: Case, session: Session) -> Record:
    """Take a case through the steps of its mode, and record how it went; see `perform`."""
    record, _ = perform(case, session)
    return record


def perform(case: Case, session: Session) -> tuple[Record, Trail]:
    """Take a case through the steps of its mode.

    Returns
    -------
    record : Record
        Outcome, reasons, verdicts and times. What the harness itself does wrong is raised.
    trail : Trail
        The values that the steps gave, as far as the case came.
    """
    trails = trails_of(case, session)
    session.prepare(case)
    stopped = ""
    try:
        _go(trails, steps_of(case, session.options.mode))
    except Stop as stop:
        stopped = stop.kind
        if session.device_lost_after(case, found_in(trails).error):
            trails[-1].keep(Found((LOST,)))
    except StatusError as error:
        session.device_lost_after(case, error)
        raise
    return _record(trails, started(case, session), stopped), trails[-1]


def task_of(case: Case, session: Session) -> Task:
    """Return a case as it is executed on the device of a session."""
    return Task(session.backend.sized(case), the_operator(case.operator), session)


def trails_of(case: Case, session: Session) -> tuple[Trail, ...]:
    """Return a trail for each call of a case, in order; the last one is the case's own."""
    task = task_of(case, session)
    earlier: dict[str, Trail] = {}
    for step in task.case.after:
        call = Task(step.case, the_operator(step.case.operator), session)
        earlier[step.name] = Trail(call, Earlier(dict(earlier)))
    return (*earlier.values(), Trail(task, Earlier(earlier)))


def _go(trails: Sequence[Trail], steps: Steps) -> None:
    """Take each step with every call before the next step, and close the trails."""
    try:
        for name, step in steps:
            for trail in trails[-1:] if step in FOR_ALL_CALLS else trails:
                _take(trail, name, step)
    except Decided:
        pass
    finally:
        excused = bool(found_in(trails).reasons)
        for trail in reversed(trails):
            trail.close(excused)


def _take(trail: Trail, name: str, step: Step) -> None:
    try:
        trail.take(name, step)
    except Stop as stop:
        trail.keep(stop.found)
        raise


def _record(trails: Sequence[Trail], begun: Started, stopped: str) -> Record:
    trail, told = trails[-1], told_by(trails)
    stopped_at = next((each for each in trails if each[Found].reasons), trail)
    outcome, reason = _conclude(told)
    measured = trail.get(Measured)
    samples = {HARDWARE: measured.hardware, INTERFACE: measured.interface} if measured else {}
    performance = trail.get(Performance)
    failures = tuple(_failures(told, stopped))
    return begun.finished(
        outcome,
        reason,
        card=trail[Task].session.backend.card,
        failures=failures,
        causes=told.verdicts.causes,
        changed=departures(stopped_at[Task].case) if "status" in failures else (),
        outputs=told.verdicts.of,
        seconds=_added(trails),
        notes=told.notes,
        samples=samples if performance else {},
        performance=performance,
    )


def _added(trails: Sequence[Trail]) -> dict[str, float]:
    """Add up the seconds of all calls by what was done."""
    seconds: dict[str, float] = {}
    for trail in trails:
        for name, taken in trail.seconds.items():
            seconds[name] = seconds.get(name, 0.0) + taken
    return seconds


def _conclude(told: Told) -> tuple[str, str]:
    wrong = [*told.found.reasons, *told.disagreements, *_reasons(told.verdicts, "failed")]
    doubts = _reasons(told.verdicts, "mistrusted")
    if wrong:
        return "failed", "; ".join(wrong)
    return ("mistrusted", "; ".join(doubts)) if doubts else ("passed", "")


def _failures(told: Told, stopped: str) -> Iterator[str]:
    """Say what was wrong, in the words of `Record.failures`."""
    if stopped:
        yield stopped
    elif told.found.reasons:
        yield "memory"
    if told.disagreements:
        yield "repetition"
    if any(verdict.outcome == "failed" for verdict in told.verdicts.of):
        yield "values"


def _reasons(verdicts: Verdicts, outcome: str) -> list[str]:
    return [
        f"{verdict.name}: {reason}"
        for verdict in verdicts.of
        if verdict.outcome == outcome
        for reason in verdict.reasons
    ]
