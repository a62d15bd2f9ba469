"""Plant faults and record the cases that catch them: all faults, and none, against a suite.

A fault is tried in one of several worker processes, or in a process of its own if the fault may end it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Collection, Iterable, Iterator, Mapping, Sequence

from mluops import CnrtError, MluOpError
from mluops_emulator.discovery import discover
from mluops_emulator.faults import FAULTS, Fault
from tabulate import tabulate

from mluops_conformance.engine.plan import concerns, elements, shard
from mluops_conformance.execution.execute import perform, started
from mluops_conformance.execution.session import Session, obstacle
from mluops_conformance.language.load import select
from mluops_conformance.operators import operator_names, the_operator
from mluops_conformance.results.reader import load_run
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.execution.execute import Trail
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case
    from mluops_conformance.results.record import Record


ENOUGH = 3
"""Entries of case files that shall catch a fault of one operator; one of several needs one for each."""
SMALL_ELEMENTS = 1 << 16
"""Cases of more elements are only tried while none of their operator has caught the fault."""

CASES = 3
TIME_LIMIT = 5.0
"""Seconds for each of them: far more than it takes, and less than with a fault that is slow."""

PARTS_PER_WORKER = 4
"""The cases without a fault are divided finer than there are workers, so that these end together."""

SHOWN = 2
"""Ids of cases in a row."""


@dataclass(frozen=True)
class Catch:
    """A case that was not good.

    Parameters
    ----------
    case, operator : str
        Its id and its operator.
    how : str
        What of it was wrong, in the words of `Record.failures`; the outcome where there are none.
    reason : str
        In sentences.
    """

    case: str
    operator: str
    how: str
    reason: str

    @classmethod
    def of(cls, record: Record) -> Catch:
        how = " and ".join(record.failures) or record.outcome
        return cls(record.id, record.operator, how, record.reason)

    @property
    def entry(self) -> str:
        """The id of the entry in the case file, without what a matrix added."""
        return self.case.partition(":")[0]


@dataclass(frozen=True)
class Trial:
    """The result of a fault: the cases that were executed, and those that caught it.

    Parameters
    ----------
    fault : str
        Its name; empty where none was planted.
    executed : mapping of str to int
        How many cases of each operator that the fault concerns were executed.
    catches : tuple of Catch
        In the order of execution.
    """

    fault: str
    executed: Mapping[str, int]
    catches: tuple[Catch, ...]

    @property
    def tried(self) -> int:
        """The number of cases that were executed."""
        return sum(self.executed.values())

    @property
    def missed(self) -> list[str]:
        """The operators of which no case caught the fault."""
        return sorted(set(self.executed) - {catch.operator for catch in self.catches})

    @property
    def is_caught(self) -> bool:
        return bool(self.catches) and not self.missed


Wanted = Callable[["Case", Sequence[Catch]], bool]


def concerned(fault: Fault, cases: Iterable[Case]) -> list[Case]:
    """The cases that call what is faulty, the smallest first."""
    return sorted((case for case in cases if concerns(fault, case)), key=elements)


def hunt(fault: Fault, cases: Iterable[Case], options: RunOptions) -> Trial:
    """Plant a fault in this process and execute cases until enough of them have caught it."""
    of_one = fault.group in operator_names()
    enough = ENOUGH if of_one else 1

    def is_wanted(case: Case, catches: Sequence[Catch]) -> bool:
        entries = {catch.entry for catch in catches if of_one or catch.operator == case.operator}
        return len(entries) < enough and not (entries and elements(case) > SMALL_ELEMENTS)

    trial = attempt(concerned(fault, cases), replace(options, fault=(fault.name,)), is_wanted)
    return charged_to(fault.group, trial) if of_one else trial


def charged_to(operator: str, trial: Trial) -> Trial:
    """Count all cases for the operator of the fault: those of several calls may call it before their own."""
    catches = tuple(replace(catch, operator=operator) for catch in trial.catches)
    return replace(trial, executed={operator: trial.tried}, catches=catches)


def attempt(cases: Iterable[Case], options: RunOptions, is_wanted: Wanted = lambda *_: True) -> Trial:
    """Execute the cases that are wanted, given what caught something so far."""
    cases = list(cases)
    session = Session(options)
    executed = {case.operator: 0 for case in cases}
    catches: list[Catch] = []
    for case in cases:
        if obstacle(case, session.backend) or not is_wanted(case, catches):
            continue
        executed[case.operator] += 1
        record = record_of(case, session)
        if not record.is_good:
            catches.append(Catch.of(record))
    with suppress(CnrtError, MluOpError):  # of a faulty library
        session.close()
    return Trial("".join(options.fault), executed, tuple(catches))


def record_of(case: Case, session: Session) -> Record:
    """Execute a case as a run does: known issues are applied, and a mistake of the harness is an error."""
    return session.apply_known_issue(case, record_and_trail(case, session)[0])


def record_and_trail(case: Case, session: Session) -> tuple[Record, Trail | None]:
    """Execute a case, known issues aside; return its trail too, or None after a mistake of the harness."""
    trail: Trail | None = None
    try:
        record, trail = perform(case, session)
    except Exception as error:
        record = started(case, session).finished("error", f"{type(error).__name__}: {error}")
    return record, trail


def run_apart(fault: Fault, cases: Iterable[Case], options: RunOptions) -> Trial:
    """Run the smallest cases that get as far as the kernel, with the fault."""
    chosen = [case for case in concerned(fault, cases) if elements(case) and case.compare]
    planted = replace(options, fault=(fault.name,), timeout=TIME_LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        ids = [case.id for case in chosen[:CASES]]
        command = [sys.executable, "-m", "mluops_conformance", "run", *ids, *planted.arguments()]
        subprocess.run(
            [*command, "-n", "1", "--out", str(out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        records = load_run(out).records
    caught = tuple(Catch.of(record) for record in records if not record.is_good)
    return charged_to(fault.group, Trial(fault.name, {fault.group: len(records)}, caught))


@dataclass(frozen=True)
class Suite:
    """The cases of a campaign, and the options that choose the emulated device."""

    options: RunOptions
    queries: tuple[str, ...]

    def cases(self) -> Sequence[Case]:
        """The cases of operators that the emulator has a kernel for, selected once in a process."""
        return _selected(self)

    def cases_but(self, left_out: Collection[str]) -> Sequence[Case]:
        """The cases without those of these ids."""
        return [case for case in self.cases() if case.id not in left_out]


def campaign(suite: Suite, faults: Sequence[Fault], workers: int) -> Iterator[Trial]:
    """Try the cases that a fault concerns without any, then every fault; trials come as they end.

    Those without a fault are parts of the suite and have an empty `Trial.fault`. A case that is not good
    there would catch every fault, and so is tried with none.
    """
    parts = workers * PARTS_PER_WORKER
    names = tuple(fault.name for fault in faults)
    with ProcessPoolExecutor(workers, initializer=_silence) as pool:
        right = [pool.submit(_try_without, suite, names, part + 1, parts) for part in range(parts)]
        alarms: list[str] = []
        for future in as_completed(right):
            alarms += [catch.case for catch in future.result().catches]
            yield future.result()
        slowest_first = sorted(faults, key=lambda fault: not fault.fatal)
        faulty = [pool.submit(_try, suite, fault.name, alarms) for fault in slowest_first]
        for future in as_completed(faulty):
            yield future.result()


def _try(suite: Suite, name: str, alarms: Collection[str]) -> Trial:
    fault = FAULTS[name]
    return (run_apart if fault.fatal else hunt)(fault, suite.cases_but(alarms), suite.options)


def _try_without(suite: Suite, names: Sequence[str], part: int, parts: int) -> Trial:
    met = [case for case in suite.cases() if any(concerns(FAULTS[name], case) for name in names)]
    return attempt(shard(met, part, parts), suite.options)


@lru_cache(maxsize=1)
def _selected(suite: Suite) -> Sequence[Case]:
    emulated = discover("mluops_emulator.operators")
    cases = select(suite.options.cases, suite.queries)
    return [case for case in cases if not emulated.keys().isdisjoint(the_operator(case.operator).functions)]


def _silence() -> None:
    """Send the log of the emulated library, which is full of what is planted, nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def listing(faults: Iterable[Fault]) -> str:
    """Return the faults that can be planted, as a table."""
    rows = [(fault.name, fault.description, fault.place) for fault in faults]
    return str(tabulate(rows, headers=("fault", "what goes wrong", "what it replaces"), tablefmt="plain"))


def matrix(trials: Sequence[Trial]) -> str:
    """One row a fault: how many cases caught it of how many tried, in which ways, and which came first."""
    headers = ("fault", "caught", "tried", "how", "by")
    rows = [(trial.fault, len(trial.catches), trial.tried, _ways(trial), _first(trial)) for trial in trials]
    return str(tabulate(rows, headers=headers, tablefmt="plain"))


def summary(with_fault: Sequence[Trial], without: Sequence[Trial]) -> str:
    """Return the faults that were not caught, the cases that fail without a fault, and a line of counts."""
    missed = [trial for trial in with_fault if not trial.is_caught]
    alarms = [catch for trial in without for catch in trial.catches]
    lines = [
        f"NOT CAUGHT {trial.fault} ({FAULTS[trial.fault].description}): "
        f"none of {counted(trial.executed[operator], 'case')} of {operator}"
        for trial in missed
        for operator in trial.missed
    ]
    lines += [f"FALSE ALARM {alarm.case} ({alarm.how}): {alarm.reason}" for alarm in alarms]
    tried = sum(trial.tried for trial in without)
    lines.append(
        f"{counted(len(with_fault), 'fault')}: {len(with_fault) - len(missed)} caught, {len(missed)} not; "
        f"{counted(tried, 'case')} without a fault: {counted(len(alarms), 'false alarm')}"
    )
    return "\n".join(lines)


def _ways(trial: Trial) -> str:
    return ", ".join(dict.fromkeys(catch.how for catch in trial.catches)) or "-"


def _first(trial: Trial) -> str:
    entries = {catch.entry: catch.case for catch in reversed(trial.catches)}
    return ", ".join(sorted(entries.values(), key=[catch.case for catch in trial.catches].index)[:SHOWN])
