"""The engine: the plugin that has pytest execute the planned cases of a run.

The command makes the options and the plan and hands over an `Engine`. On pytest's own route, and in a worker,
`pytest_configure` makes the same object from the words that begin with `--mluop-`.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import sys
from dataclasses import replace
from fnmatch import fnmatch
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Sequence

import pytest
from mluops.log import STDERR

from mluops_conformance import exit_codes
from mluops_conformance.engine.items import CaseFile, CaseItem, TimeLimit, holds_time_limits
from mluops_conformance.engine.options import PREFIX, Options, add_words
from mluops_conformance.engine.workers import Assignment, Workers
from mluops_conformance.errors import OutputError, UserError
from mluops_conformance.support.files import use_operators

if TYPE_CHECKING:
    from mluops_conformance.engine.plan import Plan
    from mluops_conformance.engine.recorder import Recorder
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case
    from mluops_conformance.nativelog import NativeLog
    from mluops_conformance.results.record import Record

NO_LIMITS = "no time limits of cases: pytest-timeout is not loaded"


class Engine(TimeLimit):
    """The plugin of one process: it collects and executes the planned cases.

    Parameters
    ----------
    options : Options
    plan : Plan
    backend : Backend, optional
        An opened one; a worker opens its own when it gets its first case.
    assignment : Assignment, optional
        What this worker was told.
    native_ids : bool
        Name cases by pytest's paths, which `pytest` takes again. The command names them by folder and file,
        the same on every machine.
    """

    def __init__(
        self,
        options: Options,
        plan: Plan,
        backend: Backend | None = None,
        assignment: Assignment | None = None,
        native_ids: bool = False,
    ) -> None:
        self._options = options
        self._plan = plan
        self._places = {case.id: place for place, case in enumerate(plan.cases)}
        self._backend = backend
        self._assignment = assignment
        self._native_ids = native_ids

    @property
    def is_open(self) -> bool:
        return "session" in vars(self)

    @cached_property
    def session(self) -> Session:
        from mluops_conformance.execution.backends import open_backend
        from mluops_conformance.execution.session import Session

        options, told = self._options, self._assignment
        backend = self._backend or open_backend(options.run, told.card if told else 0)
        session = Session(options.run, backend)
        if options.cache.folder:
            session.evaluating = options.cache.open().evaluating
        return session

    def execute(self, case: Case) -> Record:
        """Execute a case, and keep its data where the options say so."""
        from mluops_conformance.artefacts.keeper import Keeper
        from mluops_conformance.artefacts.replay import gather
        from mluops_conformance.execution.execute import perform

        record, trail = perform(case, self.session)
        if self._options.out:
            record = Keeper(self._directory, self._options.save).keep(record, partial(gather, trail))
        return self.session.apply_known_issue(case, record)

    @cached_property
    def log(self) -> NativeLog:
        from mluops_conformance.engine.recorder import log_path
        from mluops_conformance.nativelog import NativeLog

        worker = self._assignment.worker if self._assignment else "main"
        log = NativeLog(log_path(self._directory, worker) if self._directory else None)
        faulthandler.enable(file=STDERR)  # a crash leaves its traceback there
        return log

    @property
    def _directory(self) -> Path | None:
        """The folder of the results, if there is one on this machine."""
        elsewhere = self._assignment is not None and self._assignment.remote
        return Path(self._options.out) if self._options.out and not elsewhere else None

    @cached_property
    def _by_file(self) -> dict[str, list[Case]]:
        files: dict[str, list[Case]] = {}
        for case in self._plan.cases:
            files.setdefault(os.path.realpath(case.origin.file), []).append(case)
        return files

    def pytest_configure(self, config: pytest.Config) -> None:
        if not self._native_ids and not self._options.run.cases:
            from mluops_conformance.operators import case_folders

            config.args = list(map(str, case_folders()))  # each machine has them in its installation
        if self._backend is None:
            return
        workers = Workers(self._backend, self._plan.cases, self._native_ids)
        config.pluginmanager.register(workers, "mluop-workers")
        if self._options.out:
            config.pluginmanager.register(self._recorder(workers), "mluop-recorder")

    def _recorder(self, workers: Workers) -> Recorder:
        """Return what stores the run in its folder."""
        from mluops_conformance.engine.recorder import Recorder
        from mluops_conformance.engine.terminal import Progress

        progress = Progress(len(self._plan.cases), None if self._native_ids else sys.stderr)
        try:
            return Recorder(self._options, self._plan, self.session, workers, progress)
        except OutputError as error:
            pytest.exit(str(error), error.exit_code)
        except UserError as error:
            raise pytest.UsageError(str(error)) from None

    def pytest_sessionfinish(self) -> None:
        """Release the device before xdist hears that this worker is done, and may end it."""
        if self.is_open:
            from mluops_conformance.nativelog import silenced

            with silenced():
                self.session.close()

    def pytest_unconfigure(self) -> None:
        if "log" in vars(self):
            self.log.close()

    def pytest_report_header(self, config: pytest.Config) -> list[str]:
        if self._backend is None:
            return []
        return [self._backend.notice(), *([] if holds_time_limits(config) else [NO_LIMITS])]

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> CaseFile | None:
        cases = self._by_file.get(os.path.realpath(file_path))
        if cases is None:
            return None
        nodeid: Any = None if self._native_ids else f"{file_path.parent.name}/{file_path.name}"
        return CaseFile.from_parent(parent, path=file_path, nodeid=nodeid, cases=cases, process=self)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Put cases in the plan's order; tests of other kinds stay in front."""
        others = [item for item in items if not isinstance(item, CaseItem)]
        cases = [item for item in items if isinstance(item, CaseItem)]
        if holds_time_limits(config):
            for item in cases:
                item.limit(self._options.run.limit_of(item.case))
        items[:] = [*others, *sorted(cases, key=lambda item: self._places[item.case.id])]

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self) -> None:
        """End a worker whose device is lost, now that its case is reported: the next gets a new process."""
        if self._assignment is not None and self.is_open and self.session.lost_in:
            os._exit(exit_codes.NO_DEVICE)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Execute a case with one report: the command's cases have no fixtures to set up or tear down."""
        if self._native_ids or not isinstance(item, CaseItem):
            return None
        hooks = item.ihook
        hooks.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        interrupts = (pytest.exit.Exception, KeyboardInterrupt)
        call = pytest.CallInfo.from_call(
            partial(hooks.pytest_runtest_call, item=item), when="call", reraise=interrupts
        )
        report = hooks.pytest_runtest_makereport(item=item, call=call)
        report.keywords = {}  # nobody reads them, and they would be sent one by one
        hooks.pytest_runtest_logreport(report=report)
        self.pytest_runtest_logfinish()  # no other plugin of the command listens, and xdist would send it
        return True

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
        outcome: Any = yield
        if isinstance(item, CaseItem) and call.when == "call":
            from mluops_conformance.engine.recorder import ENDED

            setattr(outcome.get_result(), ENDED, item.ended(call))
            item.record = None  # pytest keeps its items to the end

    @pytest.hookimpl(hookwrapper=True)
    def pytest_report_to_serializable(self) -> Iterator[None]:
        """Send a record to the controlling process as its line in results.jsonl.

        One string costs xdist much less than hundreds of values in dictionaries.
        """
        outcome: Any = yield
        from mluops_conformance.engine.recorder import ENDED
        from mluops_conformance.results.record import Record, to_line

        data = outcome.get_result()
        if data is not None and isinstance(data.get(ENDED), Record):
            data[ENDED] = to_line(data[ENDED])

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_from_serializable(self, data: dict[str, Any]) -> None:
        """Make the line of a worker a record again, before pytest makes the report."""
        from mluops_conformance.engine.recorder import ENDED
        from mluops_conformance.results.record import from_line

        if isinstance(data.get(ENDED), bytes):
            data[ENDED] = from_line(data[ENDED])


def pytest_addoption(parser: pytest.Parser) -> None:
    add_words(parser.getgroup("mluops conformance").addoption)


def pytest_configure(config: pytest.Config) -> None:
    """Make the engine of a worker, or of a run that pytest itself was asked for."""
    if any(isinstance(plugin, Engine) for plugin in config.pluginmanager.get_plugins()):
        return
    options = Options.read(lambda flag: config.getoption(PREFIX + flag))
    try:
        use_operators(options.run.operators)
        told = getattr(config, "workerinput", None)
        engine = _own_engine(config, options) if told is None else _engine_of_worker(config, options, told)
    except UserError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(engine, "mluop-engine")


def _own_engine(config: pytest.Config, options: Options) -> Engine:
    """Return the engine of a run that pytest itself was asked for.

    Raises
    ------
    UserError
        An option, a case file or the back end is wrong.
    """
    from mluops_conformance.engine.plan import Plan, plan
    from mluops_conformance.execution.backends import open_backend
    from mluops_conformance.language.known_issues import known_issues
    from mluops_conformance.nativelog import silenced

    options.check()
    cases = _named_cases(config)
    if not cases:
        return Engine(options, Plan(), native_ids=True)
    options = replace(options, run=replace(options.run, cases=_files_of(cases)))
    known_issues(options.run.known_issues)
    with silenced():
        backend = open_backend(options.run)
    return Engine(options, plan(options, cases), backend, native_ids=True)


def _engine_of_worker(config: pytest.Config, options: Options, told: dict[str, Any]) -> Engine:
    from mluops_conformance.engine.plan import Plan
    from mluops_conformance.language.load import case_paths, load_cases, narrowed

    assignment = Assignment.of(told)
    run = replace(options.run, backend=assignment.backend)
    if assignment.cases:
        cases: Sequence[Case] = pickle.loads(assignment.cases)
    elif assignment.native_ids:
        cases = _named_cases(config)
        run = replace(run, cases=_files_of(cases))
    else:
        operators = {case_id.partition("/")[0] for case_id in assignment.ids}
        cases = load_cases(narrowed(case_paths(run.cases and config.args), operators))
    by_id = {case.id: case for case in cases}
    plan = Plan(tuple(by_id[case_id] for case_id in assignment.ids))
    return Engine(replace(options, run=run), plan, assignment=assignment, native_ids=assignment.native_ids)


def _files_of(cases: Sequence[Case]) -> tuple[str, ...]:
    return tuple(sorted({case.origin.file for case in cases}))


def _named_cases(config: pytest.Config) -> list[Case]:
    """Return the cases that pytest's own arguments name: of files, of folders, or by `FILE::ID`.

    A file in a folder that has no cases is left to others.

    Raises
    ------
    UserError
        A case file is wrong, or lacks a case that is named.
    """
    from mluops_conformance.language.load import is_case_file, load_cases

    skipped = config.getini("norecursedirs")
    files: list[Path] = []
    found: list[Path] = []
    named: dict[str, set[str]] = {}
    for word in config.args:
        name, _, case_id = word.partition("::")
        path = config.invocation_params.dir / name
        if path.is_dir():
            found += [file for file in _files_below(path, skipped) if is_case_file(file)]
        elif path.is_file() and is_case_file(path):
            files.append(path)
            named.setdefault(os.path.realpath(path), set()).add(case_id)
    cases = load_cases(tuple(files), tuple(found))
    _refuse_unknown(cases, named)
    return [case for case in cases if _is_named(case, named)]


def _files_below(folder: Path, skipped: Sequence[str]) -> Iterator[Path]:
    """Return the files of a folder and its subfolders, save those that pytest does not look into."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not any(fnmatch(name, pattern) for pattern in skipped)
            and not Path(place, name, "pyvenv.cfg").exists()
        )
        yield from (Path(place, name) for name in sorted(names))


def _is_named(case: Case, named: Mapping[str, set[str]]) -> bool:
    ids = named.get(os.path.realpath(case.origin.file), {""})
    return "" in ids or case.id in ids


def _refuse_unknown(cases: Sequence[Case], named: Mapping[str, set[str]]) -> None:
    from mluops_conformance.language.model import suggestion

    for file, ids in named.items():
        known = [case.id for case in cases if os.path.realpath(case.origin.file) == file]
        for case_id in sorted(ids - {"", *known}):
            raise UserError(f"{os.path.relpath(file)} has no case {case_id}{suggestion(case_id, known)}")
