"""Writes a run's events to its folder as they happen; lives in the process that controls the workers."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any, Mapping

import pytest

from mluops_conformance import exit_codes
from mluops_conformance.errors import OutputError
from mluops_conformance.execution.backends import Backend
from mluops_conformance.execution.basis import basis_of
from mluops_conformance.execution.execute import sizes_on, started
from mluops_conformance.execution.session import Session
from mluops_conformance.language.model import Case
from mluops_conformance.language.requirements import contradictions, own_requirements
from mluops_conformance.nativelog import silenced, tail_of
from mluops_conformance.plugin import (
    BACKEND,
    CARD,
    END_ATTRIBUTE,
    OPTIONS,
    PLANNED_IDS,
    PREFIX,
    RECORD_ATTRIBUTE,
    REMOTE,
    TIMEOUT_SIGNAL,
    log_path,
    plan_of,
)
from mluops_conformance.progress import Progress
from mluops_conformance.results import environment
from mluops_conformance.results.claim import claim
from mluops_conformance.results.reader import ENVIRONMENT, RESULTS, load_run
from mluops_conformance.results.record import Event, Record, RunHeader, Started, from_event
from mluops_conformance.results.writer import ResultsWriter
from mluops_conformance.selection import select

PHASES = ("setup", "call", "teardown")
"""Of pytest's own reports. The other kind is xdist's word on a worker that is gone. Where that one's case is
finished, it ended itself, because the case lost it the device."""
GaveUp = pytest.exit.Exception
REAP_SECONDS = 5.0
MOST_STILLBORN = 3
"""Workers that may end before they are ready until the run is given up."""


class Recorder:
    """Turns pytest's (and xdist's) hooks into the events of results.jsonl.

    Parameters
    ----------
    config : pytest.Config
        Of the controlling process.
    """

    def __init__(self, config: pytest.Config) -> None:
        directory = Path(config.getoption(PREFIX + "out"))
        claim(directory, config.getoption(PREFIX + "resume"))
        with silenced():
            self.session = Session(config.stash[OPTIONS])
        # "auto" is decided by now: whoever finds the device gone later must not emulate its cases
        config.stash[OPTIONS] = replace(config.stash[OPTIONS], backend=self.session.backend.name)
        self._running: dict[str, tuple[Started, float]] = {}
        self._exits: dict[str, int | None] = {}
        self._config = config
        self._cards: dict[str, int] = {}
        self._devices = self.session.backend.each_device()  # while they answer: one that fails may not later
        self._backends: dict[str, Backend] = {}
        self._ready: set[str] = set()
        self._stillborn = 0
        self._cases: dict[str, Case] = {case.id: case for case in plan_of(config)}
        self._progress = Progress(len(self._cases), sys.stderr)
        environment.write(directory / ENVIRONMENT, environment.describe(self.session.library))
        command = (
            load_run(directory).header.command if config.getoption(PREFIX + "resume") else tuple(sys.argv)
        )
        self._writer = ResultsWriter(directory / RESULTS)
        self._writer.write(self._header(directory, command))

    def _header(self, directory: Path, command: tuple[str, ...]) -> RunHeader:
        backend, options = self.session.backend, self._config.stash[OPTIONS]
        selected = select(options, self._config.getoption(PREFIX + "query"))
        return RunHeader(
            directory.name,
            command,
            datetime.now(timezone.utc).isoformat(timespec="seconds"),
            len(self._cases),
            backend.name,
            backend.device,
            contradictions(self._cases.values(), own_requirements()),
            basis_of(selected, options),
        )

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        case = self._cases.get(_case_id(nodeid))
        if case is None:
            return
        event = started(case, self.session)
        self._running[case.id] = event, time.monotonic()
        self._write(event)
        self._progress.begin(case.id)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        stored, end = (getattr(report, name, None) for name in (RECORD_ATTRIBUTE, END_ATTRIBUTE))
        is_running = _case_id(report.nodeid) in self._running
        if stored is not None:
            record = from_event(stored)
            assert isinstance(record, Record)
            self._finish(record, stored)
        elif is_running and end is not None:
            self._finish(self._ended(report, *end))
        elif is_running and report.when not in PHASES:
            self._finish(self._crashed(report))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a new worker what to run, and on the lowest card that no other has."""
        card = next(card for card in count() if card not in self._cards.values())
        self._cards[node.gateway.id] = card
        is_remote = not node.gateway.spec.popen
        if not is_remote:
            self._backends[node.gateway.id] = self._devices[card % len(self._devices)]
        backend = self.session.backend.name
        node.workerinput.update(
            {PLANNED_IDS: list(self._cases), BACKEND: backend, CARD: card, REMOTE: is_remote}
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any) -> None:
        self._ready.add(node.gateway.id)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        self._cards.pop(node.gateway.id, None)
        process = getattr(node.gateway._io, "popen", None)  # none behind ssh
        if error and process is not None:
            with suppress(TimeoutExpired):
                process.wait(REAP_SECONDS)
            self._exits[node.gateway.id] = process.returncode
        if error and node.gateway.id not in self._ready:
            self._stillborn += 1
            if self._stillborn >= MOST_STILLBORN:
                text = f"workers end before they are ready ({node.gateway.spec}): {str(error).strip()}"
                pytest.exit(text, exit_codes.INTERNAL_ERROR)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if isinstance(excinfo.value, GaveUp):
            print(f"the run was given up: {excinfo.value.msg}", file=sys.stderr)
        self._writer.stop(str(excinfo.value) or "interrupted")

    def pytest_unconfigure(self) -> None:
        self._progress.close()
        self._writer.close()
        with silenced():
            self.session.close()

    def _finish(self, record: Record, stored: Mapping[str, Any] | None = None) -> None:
        self._running.pop(record.id, None)
        self._write(stored or record)
        self._progress.end(record)

    def _write(self, entry: Event | Mapping[str, Any]) -> None:
        try:
            self._writer.write(entry)
        except OutputError as error:  # what is not stored would be executed in vain
            pytest.exit(str(error), exit_codes.INTERNAL_ERROR)

    def _crashed(self, report: pytest.TestReport) -> Record:
        event, begun = self._running[_case_id(report.nodeid)]
        seconds = time.monotonic() - begun
        node: Any = getattr(report, "node", None)
        exit_status = self._exits.get(node.gateway.id) if node else None
        outcome, reason = _how_it_ended(exit_status, self._limit(event.id))
        path = log_path(self._config, node.gateway.id) if node else None
        log = tail_of(path) if path else ""
        record = self._ended(report, outcome, reason, log=log, seconds={"total": seconds})
        return self.session.weigh(self._cases[event.id], record)

    def _ended(self, report: pytest.TestReport, outcome: str, reason: str, **results: Any) -> Record:
        """The record of a case of which its worker gave none, with the device that the worker had."""
        event, _ = self._running[_case_id(report.nodeid)]
        node: Any = getattr(report, "node", None)
        backend = self._backends.get(node.gateway.id) if node else None
        if backend is None:
            return event.finished(outcome, reason, **results)
        sizes = sizes_on(backend, self._cases[event.id])
        event = replace(event, device=backend.device, sizes=sizes)
        return event.finished(outcome, reason, card=backend.card, **results)

    def _limit(self, case_id: str) -> float:
        return self._cases[case_id].timeout or self.session.options.timeout


def _how_it_ended(exit_status: int | None, limit: float) -> tuple[str, str]:
    if exit_status == -TIMEOUT_SIGNAL:
        return "timeout", f"no end after {limit:g} s; its process was ended"
    if exit_status is None:
        return "crashed", "its process is gone"
    if exit_status < 0:
        return "crashed", f"its process was ended by {signal.Signals(-exit_status).name}"
    return "crashed", f"its process exited with {exit_status}"


def _case_id(nodeid: str) -> str:
    return nodeid.partition("::")[2]
