"""Write a run's events to its folder as they happen, in the process that controls the workers."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Sequence

import pytest

from mluops_conformance import exit_codes
from mluops_conformance.engine.items import TIMEOUT_SIGNAL, CaseItem
from mluops_conformance.engine.options import Options
from mluops_conformance.engine.plan import Plan
from mluops_conformance.engine.terminal import Progress
from mluops_conformance.engine.workers import Workers
from mluops_conformance.errors import OutputError
from mluops_conformance.execution.execute import sizes_on, started
from mluops_conformance.execution.session import Session
from mluops_conformance.language.requirements import contradictions, own_requirements
from mluops_conformance.nativelog import FOLDER, tail_of
from mluops_conformance.results import environment
from mluops_conformance.results.basis import Basis
from mluops_conformance.results.outcomes import how_it_ended
from mluops_conformance.results.reader import ENVIRONMENT, RESULTS, load_run
from mluops_conformance.results.record import Event, Record, RunHeader, Started
from mluops_conformance.results.writer import ResultsWriter, claim
from mluops_conformance.support.files import say

PHASES = ("setup", "call", "teardown")
"""Phases of pytest's own reports. In any other, xdist reports a worker that is gone. Where that one's case is
finished, it ended itself, because the case lost it the device."""
ENDED = "mluop_ended"
"""Attribute of a report with the record of its case, or with outcome and reason where there is none."""
GaveUp = pytest.exit.Exception


class Recorder:
    """Turn the hooks of pytest and xdist into the events of results.jsonl.

    Parameters
    ----------
    options : Options
    plan : Plan
    session : Session
        Of the controlling process; the engine closes it.
    workers : Workers
        They know how a worker ended.
    progress : Progress
    """

    def __init__(
        self,
        options: Options,
        plan: Plan,
        session: Session,
        workers: Workers,
        progress: Progress,
    ) -> None:
        self._directory = Path(options.out)
        self._session = session
        self._workers = workers
        self._cases = {case.id: case for case in plan.cases}
        self._running: dict[str, tuple[Started, float]] = {}
        self._progress = progress
        claim(self._directory, options.plan.resume)
        environment.write(self._directory / ENVIRONMENT, environment.describe(session.library))
        resumed = options.plan.resume
        command = load_run(self._directory).header.command if resumed else tuple(sys.argv)
        self._header = self._begun(command, plan.basis)
        self._writer = ResultsWriter(self._directory / RESULTS)
        self._writer.write(self._header)

    def _begun(self, command: tuple[str, ...], basis: Basis) -> RunHeader:
        backend = self._session.backend
        return RunHeader(
            self._directory.name,
            command,
            datetime.now(timezone.utc).isoformat(timespec="seconds"),
            len(self._cases),
            backend.name,
            backend.device,
            contradictions(self._cases.values(), own_requirements()),
            basis,
        )

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:  # none in a process that controls workers
            self._expect(sum(isinstance(item, CaseItem) for item in session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        self._expect(sum(_case_id(nodeid) in self._cases for nodeid in ids))

    def _expect(self, collected: int) -> None:
        """Correct the number of cases where pytest's own options have left some out."""
        if collected != self._header.planned:
            self._header = replace(self._header, planned=collected)
            self._write(self._header)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        case = self._cases.get(_case_id(nodeid))
        if case is None:
            return
        event = started(case, self._session)
        self._running[case.id] = event, time.monotonic()
        self._write(event)
        self._progress.begin(case.id)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        end = getattr(report, ENDED, None)
        is_running = _case_id(report.nodeid) in self._running
        if isinstance(end, Record):
            self._finish(end)
        elif is_running and end is not None:
            self._finish(self._ended(report, *end))
        elif is_running and report.when not in PHASES:
            self._finish(self._crashed(report))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if isinstance(excinfo.value, GaveUp):
            say(f"the run was aborted: {excinfo.value.msg}", sys.stderr)
        self._writer.stop(str(excinfo.value) or "interrupted")

    def pytest_unconfigure(self) -> None:
        self._progress.close()
        self._writer.close()

    def _finish(self, record: Record) -> None:
        self._running.pop(record.id, None)
        self._write(record)
        self._progress.end(record)

    def _write(self, entry: Event) -> None:
        try:
            self._writer.write(entry)
        except OutputError as error:  # what is not stored would be executed in vain
            pytest.exit(str(error), exit_codes.INTERNAL_ERROR)

    def _crashed(self, report: pytest.TestReport) -> Record:
        event, begun = self._running[_case_id(report.nodeid)]
        case, worker = self._cases[event.id], _worker_of(report)
        status = self._workers.exit_status(worker)
        outcome, reason = _outcome_of_end(status, self._session.options.limit_of(case))
        log = tail_of(log_path(self._directory, worker))
        seconds = {"total": time.monotonic() - begun}
        record = self._ended(report, outcome, reason, log=log, seconds=seconds)
        return self._session.apply_known_issue(case, record)

    def _ended(self, report: pytest.TestReport, outcome: str, reason: str, **results: Any) -> Record:
        """Return the record of a case whose worker gave none, with the device that the worker had."""
        event, _ = self._running[_case_id(report.nodeid)]
        backend = self._workers.backend_of(_worker_of(report))
        if backend is None:
            return event.finished(outcome, reason, **results)
        sizes = sizes_on(backend, self._cases[event.id])
        event = replace(event, device=backend.device, sizes=sizes)
        return event.finished(outcome, reason, card=backend.card, **results)


def log_path(directory: Path, worker: str) -> Path:
    """Return the place of a worker's log in the folder of a run."""
    return directory / FOLDER / f"{worker}.log"


def _worker_of(report: pytest.TestReport) -> str:
    """Return the name of the worker that a report comes from; empty without workers."""
    node: Any = getattr(report, "node", None)
    return str(node.gateway.id) if node else ""


def _outcome_of_end(exit_status: int | None, limit: float) -> tuple[str, str]:
    if exit_status == -TIMEOUT_SIGNAL:
        return "timeout", f"no end after {limit:g} s; its process was ended"
    if exit_status is None:
        return "crashed", "its process ended"
    return "crashed", how_it_ended(exit_status)


def _case_id(nodeid: str) -> str:
    return nodeid.partition("::")[2]
