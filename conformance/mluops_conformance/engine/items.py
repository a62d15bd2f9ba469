"""Cases as items of pytest, each with a time limit."""

from __future__ import annotations

import faulthandler
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Protocol, Sequence

import pytest
from mluops.log import STDERR

from mluops_conformance.errors import CaseDataError, NoDeviceError

if TYPE_CHECKING:
    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case
    from mluops_conformance.nativelog import NativeLog
    from mluops_conformance.results.record import Record

TIMEOUT_SIGNAL = signal.SIGALRM
"""The signal that ends a worker whose case takes too long."""
TIMER_RANGE = 1e-3, 1e8
"""Seconds that the system's timer can be set to, everywhere."""
SLOWEST_BYTES = 50e6
"""Bytes a second that filling, copying, computing and comparing get through together, at least."""
MOST_WAITING = 8.0
"""The largest factor by which a busy machine extends a case's time limit."""


class Process(Protocol):
    """The state that the items of a process share."""

    @property
    def session(self) -> Session:
        """The session, opened at first use."""

    @property
    def log(self) -> NativeLog:
        """The file that takes standard output and error while a case is executed."""

    @property
    def is_open(self) -> bool:
        """Return True if the session could be opened."""

    def execute(self, case: Case) -> Record:
        """Execute a case and keep what is wanted of it."""


class CaseTimeout(Exception):
    """A case took longer than its limit."""


class CaseFailure(Exception):
    """A case did not pass; its record says how."""


class CaseFile(pytest.File):
    """A case file, with those of its cases that are planned."""

    def __init__(self, *, cases: Sequence[Case], process: Process, **keywords: Any) -> None:
        super().__init__(**keywords)
        self._cases = cases
        self._process = process

    def collect(self) -> Iterator[CaseItem]:
        for case in self._cases:
            yield CaseItem.from_parent(self, name=case.id, case=case, process=self._process)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, process: Process, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.case = case
        self.process = process
        self.record: Record | None = None
        for tag in case.tags:
            self.keywords[tag] = True

    def limit(self, seconds: float) -> None:
        """Set the time limit, which pytest-timeout holds."""
        self.add_marker(pytest.mark.timeout(seconds))

    def runtest(self) -> None:
        from mluops_conformance.execution.execute import started

        log = self.process.log
        with log.capturing():
            session = self.process.session
            found = session.obstacle(self.case)
            if found:
                self.record = started(self.case, session).finished(*found)
                pytest.skip(self.record.reason)
            record = self.process.execute(self.case)
        self.record = record if record.is_good else replace(record, log=log.tail())
        if self.record.outcome == "xfailed":
            pytest.xfail(self.record.reason)
        if not self.record.is_good:
            raise CaseFailure(self.record.reason)

    def ended(self, call: pytest.CallInfo[None]) -> Record | tuple[str, str]:
        """Return the record of the finished call, or outcome and reason where no session could be opened."""
        if self.record is not None:
            return self.record
        outcome, reason = _ended_by(call)
        if not self.process.is_open:
            return outcome, reason
        from mluops_conformance.execution.execute import started

        session = self.process.session
        record = started(self.case, session).finished(outcome, reason, seconds={"total": call.duration})
        return session.apply_known_issue(self.case, record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the record: pytest would parse the source of every function on the way to the exception."""
        if isinstance(excinfo.value, (CaseFailure, pytest.xfail.Exception)) and self.record is not None:
            from mluops_conformance.reports.text import case_block

            return case_block(self.record)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str | Path, int, str]:
        return self.path, self.case.origin.line - 1, self.case.id


class TimeLimit:
    """Hooks of pytest-timeout for cases."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> bool | None:
        """Let the system end a worker at the limit: a native call that hangs leaves Python no chance.

        The only process of a run is interrupted instead, as soon as Python has its turn.
        """
        if not isinstance(item, CaseItem):
            return None
        if hasattr(item.config, "workerinput"):
            faulthandler.register(TIMEOUT_SIGNAL, file=STDERR, chain=True)  # Python's traceback, then the end
        else:
            signal.signal(TIMEOUT_SIGNAL, _raise_timeout)
        from mluops_conformance.execution.inputs import need_of

        shortest, longest = TIMER_RANGE
        seconds = patience(settings.timeout, need_of(item.case).host)
        signal.setitimer(signal.ITIMER_REAL, min(max(seconds, shortest), longest))
        return True

    @pytest.hookimpl(optionalhook=True)
    def pytest_timeout_cancel_timer(self, item: pytest.Item) -> bool | None:
        if not isinstance(item, CaseItem):
            return None
        signal.setitimer(signal.ITIMER_REAL, 0)
        return True


def patience(limit: float, nbytes: int) -> float:
    """Return the seconds after which a case is ended: more where it moves much, or on a busy machine.

    Parameters
    ----------
    limit : float
        Seconds for a small case on an idle machine.
    nbytes : int
        What the case needs of the host's memory.
    """
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    return (limit + nbytes / SLOWEST_BYTES) * min(max(busy, 1.0), MOST_WAITING)


def holds_time_limits(config: pytest.Config) -> bool:
    """Return whether pytest-timeout is loaded."""
    return any(map(config.pluginmanager.hasplugin, ("timeout", "pytest_timeout")))


def _raise_timeout(number: int, frame: object) -> None:
    raise CaseTimeout("not finished within the time limit")


def _ended_by(call: pytest.CallInfo[None]) -> tuple[str, str]:
    assert call.excinfo is not None, "a case without a record ended by an exception"
    error = call.excinfo.value
    if isinstance(error, CaseTimeout):
        return "timeout", str(error)
    if isinstance(error, NoDeviceError):
        return "error", f"its process found no device to use: {error.__cause__ or error}"
    if isinstance(error, CaseDataError):
        return "error", str(error)
    place = call.excinfo.traceback[-1]
    return "error", f"{type(error).__name__}: {error} ({os.path.basename(place.path)}:{place.lineno + 1})"
