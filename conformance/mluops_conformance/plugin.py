"""The pytest plugin: cases in YAML files are items (`pytest -p mluops_conformance.plugin cases/`)."""

from __future__ import annotations

import faulthandler
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import pytest
from mluops.log import STDERR

from mluops_conformance import exit_codes
from mluops_conformance.artefacts.options import SaveOptions, add_save_options
from mluops_conformance.errors import CaseDataError, NoDeviceError, OutputError, UserError
from mluops_conformance.execution.cache_options import CacheOptions, add_cache_options
from mluops_conformance.nativelog import FOLDER
from mluops_conformance.options import RunOptions, add_to
from mluops_conformance.support.locations import cases_root

if TYPE_CHECKING:
    from mluops_conformance.artefacts.keeper import Keeper
    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case
    from mluops_conformance.nativelog import NativeLog
    from mluops_conformance.results.record import Record

PREFIX = "--mluop-"
PLANNED_IDS = "mluop_planned_ids"
BACKEND = "mluop_backend"
CARD = "mluop_card"
REMOTE = "mluop_remote"
PLAN: pytest.StashKey[list[Case]] = pytest.StashKey()
LOG: pytest.StashKey[NativeLog] = pytest.StashKey()
SESSION: pytest.StashKey[Session] = pytest.StashKey()
OPTIONS: pytest.StashKey[RunOptions] = pytest.StashKey()
TIMEOUT_SIGNAL = signal.SIGALRM
"""What ends a worker whose case takes too long."""
TIMER_RANGE = 1e-3, 1e8
"""Seconds that the system's timer can be set to, everywhere."""
RECORD_ATTRIBUTE = "mluop_record"
"""Where a report carries its case's record, as the event of results.jsonl, from worker to controller."""

END_ATTRIBUTE = "mluop_end"
"""Where a report without a record carries the case's outcome and reason."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("mluops conformance")
    add_to(group.addoption, PREFIX)
    group.addoption(
        PREFIX + "query", action="append", default=[], help="run only the cases that a query selects"
    )
    group.addoption(PREFIX + "out", default="", metavar="DIR", help="folder for the results of the run")
    add_save_options(group.addoption, PREFIX)
    add_cache_options(group.addoption, PREFIX)
    group.addoption(PREFIX + "resume", action="store_true", help="leave out what is finished in that folder")
    group.addoption(PREFIX + "rerun-changed", action="store_true", help="but run what has changed again")
    group.addoption(PREFIX + "shard", default="", metavar="i/N", help="run one of N parts")
    group.addoption(PREFIX + "times", default="", metavar="DIR", help="run whose times balance the parts")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[OPTIONS] = RunOptions.read(lambda flag: config.getoption(PREFIX + flag))
    try:
        config.stash[OPTIONS].check()
    except UserError as error:
        raise pytest.UsageError(str(error)) from None
    if hasattr(config, "workerinput"):
        options = config.stash[OPTIONS]
        backend = config.workerinput.get(BACKEND, options.backend)
        config.stash[OPTIONS] = replace(options, backend=backend)
        if not options.cases:
            config.args = [str(cases_root())]  # a worker in another environment has its own built-in cases
    elif config.getoption(PREFIX + "out"):
        _record(config)


def _record(config: pytest.Config) -> None:
    """Store the run in its folder from now on."""
    from mluops_conformance.recording import Recorder

    try:
        config.pluginmanager.register(Recorder(config), "mluops-recorder")
    except OutputError as error:
        pytest.exit(str(error), error.exit_code)
    except UserError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_unconfigure(config: pytest.Config) -> None:
    if SESSION in config.stash:
        config.stash[SESSION].close()
    if LOG in config.stash:
        config.stash[LOG].close()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    from mluops_conformance.language.load import is_case_file

    if not is_case_file(file_path):
        return None
    nodeid = f"{file_path.parent.name}/{file_path.name}"  # the same wherever a worker has its cases
    return CaseFile.from_parent(parent, path=file_path, nodeid=nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the planned cases, in the plan's order; tests of other kinds stay in front."""
    order = {case_id: place for place, case_id in enumerate(planned_ids(config))}
    others = [item for item in items if not isinstance(item, CaseItem)]
    cases = [item for item in items if isinstance(item, CaseItem)]
    kept = sorted((item for item in cases if item.case.id in order), key=lambda item: order[item.case.id])
    config.hook.pytest_deselected(items=[item for item in cases if item.case.id not in order])
    items[:] = [*others, *kept]


def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool | None:
    """Let the system end a worker at the limit: a native call that hangs leaves Python no chance.

    The only process of a run is interrupted instead, as soon as Python has its turn.
    """
    if not isinstance(item, CaseItem):
        return None
    if hasattr(item.config, "workerinput"):
        faulthandler.register(TIMEOUT_SIGNAL, file=STDERR, chain=True)  # Python's traceback, then the end
    else:
        signal.signal(TIMEOUT_SIGNAL, _raise_timeout)
    from mluops_conformance.execution.clock import patience
    from mluops_conformance.execution.memory import need_of

    shortest, longest = TIMER_RANGE
    seconds = patience(settings.timeout, need_of(item.case).host)
    signal.setitimer(signal.ITIMER_REAL, min(max(seconds, shortest), longest))
    return True


def pytest_timeout_cancel_timer(item: pytest.Item) -> bool | None:
    if not isinstance(item, CaseItem):
        return None
    signal.setitimer(signal.ITIMER_REAL, 0)
    return True


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """End a worker whose device is lost, now that its case is reported: the next one gets a new process."""
    yield
    session = item.config.stash.get(SESSION, None)
    if session is not None and session.lost_in and hasattr(item.config, "workerinput"):
        os._exit(exit_codes.NO_DEVICE)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    if not isinstance(item, CaseItem) or call.when != "call":
        return
    if SESSION not in item.config.stash:  # the library or the device could not be opened
        setattr(outcome.get_result(), END_ATTRIBUTE, _without_record(call))
        return
    from mluops_conformance.results.record import event

    setattr(outcome.get_result(), RECORD_ATTRIBUTE, event(item.record_of(call)))
    item.record = None  # pytest keeps its items to the end


def planned_ids(config: pytest.Config) -> Sequence[str]:
    """The ids of the cases to run, in order; workers are told by the controller, whose plan they share."""
    if hasattr(config, "workerinput"):
        ids: Sequence[str] = config.workerinput[PLANNED_IDS]
        return ids
    return [case.id for case in plan_of(config)]


def plan_of(config: pytest.Config) -> list[Case]:
    """The plan of a process that is no worker, made once."""
    if PLAN not in config.stash:
        from mluops_conformance.plan import PlanOptions, plan

        names = ("query", "out", "resume", "shard", "times", "rerun-changed")
        query, out, resume, shard, times, rerun = (config.getoption(PREFIX + name) for name in names)
        narrowing = PlanOptions(tuple(query), shard, times, out if resume else "", rerun)
        given = config.args_source is pytest.Config.ArgsSource.ARGS
        options = replace(config.stash[OPTIONS], cases=tuple(config.args) if given else ())
        config.stash[PLAN] = plan(options, narrowing)
    return config.stash[PLAN]


def log_of(config: pytest.Config) -> NativeLog:
    """The file that takes this process's streams while it executes cases; in a crash, the traceback too."""
    if LOG not in config.stash:
        from mluops_conformance.nativelog import NativeLog

        config.stash[LOG] = NativeLog(log_path(config, worker_id(config)))
        faulthandler.enable(file=STDERR)
    return config.stash[LOG]


def log_path(config: pytest.Config, worker: str) -> Path | None:
    """Where a worker's log is, if the run has a folder on the worker's machine."""
    if hasattr(config, "workerinput") and config.workerinput[REMOTE]:
        return None
    out = config.getoption(PREFIX + "out")
    return Path(out) / FOLDER / f"{worker}.log" if out else None


def worker_id(config: pytest.Config) -> str:
    return config.workerinput["workerid"] if hasattr(config, "workerinput") else "main"


def session_of(config: pytest.Config) -> Session:
    """The process's session, opened at first use."""
    if SESSION not in config.stash:
        from mluops_conformance.execution.session import Session

        card = config.workerinput.get(CARD, 0) if hasattr(config, "workerinput") else 0
        config.stash[SESSION] = Session(config.stash[OPTIONS], card)
        caching = CacheOptions.read(lambda flag: config.getoption(PREFIX + flag))
        if caching.folder:
            config.stash[SESSION].evaluating = caching.open().evaluating
        if config.getoption(PREFIX + "out"):
            config.stash[SESSION].keep = _keeper(config).keep
    return config.stash[SESSION]


def _keeper(config: pytest.Config) -> Keeper:
    from mluops_conformance.artefacts.keeper import Keeper

    options = SaveOptions.read(lambda flag: config.getoption(PREFIX + flag))
    is_elsewhere = hasattr(config, "workerinput") and config.workerinput[REMOTE]
    return Keeper(None if is_elsewhere else Path(config.getoption(PREFIX + "out")), options)


class CaseTimeout(Exception):
    """A case took longer than its limit."""


def _raise_timeout(number: int, frame: object) -> None:
    raise CaseTimeout("no end within the time limit")


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

        log = log_of(self.config)
        with log.capturing():
            session = session_of(self.config)
            found = session.obstacle(self.case)
            if found:
                self.record = started(self.case, session).finished(*found)
                pytest.skip(self.record.reason)
            record = session.weigh(self.case, execute(self.case, session))
        self.record = record if record.is_good else replace(record, log=log.tail())
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
    if isinstance(error, CaseTimeout):
        return "timeout", str(error)
    if isinstance(error, NoDeviceError):
        return "error", f"its process found no device to use: {error.__cause__ or error}"
    if isinstance(error, CaseDataError):
        return "error", str(error)
    place = call.excinfo.traceback[-1]
    return "error", f"{type(error).__name__}: {error} ({os.path.basename(place.path)}:{place.lineno + 1})"
