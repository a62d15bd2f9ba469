"""The pytest plugin: cases in YAML files are items (`pytest -p mluops_conformance.plugin cases/`)."""

from __future__ import annotations

import faulthandler
import os
from typing import TYPE_CHECKING, Any, Iterator

import pytest

from mluops_conformance.options import RunOptions, add_to

if TYPE_CHECKING:
    from pathlib import Path

    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case
    from mluops_conformance.results.record import Record

PREFIX = "--mluop-"
STDERR = 2
SESSION: pytest.StashKey[Session] = pytest.StashKey()
OPTIONS: pytest.StashKey[RunOptions] = pytest.StashKey()
RECORD_ATTRIBUTE = "mluop_record"
"""Where a report carries its case's record, as the event of results.jsonl, from worker to controller."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mluops conformance")
    add_to(group.addoption, PREFIX)
    group.addoption(
        PREFIX + "query", action="append", default=[], help="run only the cases that a query selects"
    )
    group.addoption(PREFIX + "out", default="", metavar="DIR", help="folder for the results of the run")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[OPTIONS] = RunOptions.read(lambda flag: config.getoption(PREFIX + flag))
    if config.getoption(PREFIX + "out") and not hasattr(config, "workerinput"):
        from mluops_conformance.recording import Recorder

        config.pluginmanager.register(Recorder(config), "mluops-recorder")


def pytest_unconfigure(config: pytest.Config) -> None:
    session = config.stash.get(SESSION, None)
    if session is not None:
        session.close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    from mluops_conformance.language.load import is_case_file

    return CaseFile.from_parent(parent, path=file_path) if is_case_file(file_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    queries = config.getoption(PREFIX + "query")
    if not queries:
        return
    from mluops_conformance.language.query import parse_queries

    wanted = parse_queries(queries)
    selected = [item for item in items if not isinstance(item, CaseItem) or wanted(item.case)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(selected)])
    items[:] = selected


def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool | None:
    """End the process from a C thread at the limit: a native call that hangs leaves Python no chance."""
    if not isinstance(item, CaseItem) or not hasattr(item.config, "workerinput"):
        return None
    faulthandler.dump_traceback_later(settings.timeout, exit=True, file=STDERR)
    return True


def pytest_timeout_cancel_timer(item: pytest.Item) -> bool | None:
    if not isinstance(item, CaseItem) or not hasattr(item.config, "workerinput"):
        return None
    faulthandler.cancel_dump_traceback_later()
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    if isinstance(item, CaseItem) and call.when == "call":
        from mluops_conformance.results.record import event

        setattr(outcome.get_result(), RECORD_ATTRIBUTE, event(item.record_of(call)))


def session_of(config: pytest.Config) -> Session:
    """The process's session, opened at first use."""
    if SESSION not in config.stash:
        from mluops_conformance.execution.session import Session

        config.stash[SESSION] = Session(config.stash[OPTIONS])
    return config.stash[SESSION]


class CaseFailure(Exception):
    """A case did not pass; its record says how."""


class CaseFile(pytest.File):
    """A case file."""

    def collect(self) -> Iterator[CaseItem]:
        from mluops_conformance.selection import load_cases

        for case in load_cases((self.path,)):
            yield CaseItem.from_parent(self, name=case.id, case=case)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.case = case
        self.record: Record | None = None
        limit = case.timeout or self.config.stash[OPTIONS].timeout
        self.add_marker(pytest.mark.timeout(limit))
        for tag in case.tags:
            self.keywords[tag] = True

    def runtest(self) -> None:
        from mluops_conformance.execution.execute import execute, started
        from mluops_conformance.execution.gate import obstacle

        session = session_of(self.config)
        found = obstacle(self.case, session.backend)
        if found:
            self.record = started(self.case, session).finished(*found)
            pytest.skip(self.record.reason)
        self.record = session.weigh(self.case, execute(self.case, session))
        if self.record.outcome == "xfailed":
            pytest.xfail(self.record.reason)
        if not self.record.is_good:
            raise CaseFailure(self.record.reason)

    def record_of(self, call: pytest.CallInfo[None]) -> Record:
        """The record of the finished call; where the execution gave none, what ended it becomes one."""
        if self.record is not None:
            return self.record
        from mluops_conformance.execution.execute import started

        session = session_of(self.config)
        outcome, reason = _without_record(call)
        seconds = {"total": call.duration}
        return session.weigh(
            self.case, started(self.case, session).finished(outcome, reason, seconds=seconds)
        )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailure) and self.record is not None:
            from mluops_conformance.reports.text import case_block

            return case_block(self.record)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[str | Path, int, str]:
        return self.path, self.case.origin.line - 1, self.case.id


def _without_record(call: pytest.CallInfo[None]) -> tuple[str, str]:
    assert call.excinfo is not None, "a case that ends without a record was ended by an exception"
    error = call.excinfo.value
    if isinstance(error, pytest.fail.Exception) and str(error).startswith("Timeout"):
        return "timeout", str(error)
    place = call.excinfo.traceback[-1]
    return "error", f"{type(error).__name__}: {error} ({os.path.basename(place.path)}:{place.lineno + 1})"
