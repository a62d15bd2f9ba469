"""Plant a fault and record the cases that catch it, in a process of its own if the fault may end it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterable, Mapping, Sequence

from mluops import CnrtError, MluOpError

from mluops_conformance.engine.plan import concerns, elements
from mluops_conformance.execution.execute import execute, started
from mluops_conformance.execution.session import Session, obstacle
from mluops_conformance.operators import operator_names
from mluops_conformance.results.reader import load_run

if TYPE_CHECKING:
    from mluops_emulator.faults import Fault

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
    enough = ENOUGH if fault.group in operator_names() else 1

    def is_wanted(case: Case, catches: Sequence[Catch]) -> bool:
        entries = {catch.entry for catch in catches if catch.operator == case.operator}
        return len(entries) < enough and not (entries and elements(case) > SMALL_ELEMENTS)

    return attempt(concerned(fault, cases), replace(options, fault=(fault.name,)), is_wanted)


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
    try:
        record = execute(case, session)
    except Exception as error:
        record = started(case, session).finished("error", f"{type(error).__name__}: {error}")
    return session.apply_known_issue(case, record)


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
    return Trial(fault.name, {fault.group: len(records)}, caught)
