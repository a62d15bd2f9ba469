"""All faults, and none, against a suite, in several processes."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Collection, Iterable, Iterator, Sequence

from mluops_emulator.faults import FAULTS, Fault
from tabulate import tabulate

from mluops_conformance.engine.plan import concerns, shard
from mluops_conformance.language.load import select
from mluops_conformance.selftest.trial import Trial, attempt, hunt, run_apart
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case


PARTS_PER_WORKER = 4
"""The cases without a fault are divided finer than there are workers, so that these end together."""

SHOWN = 2
"""Ids of cases in a row."""


@dataclass(frozen=True)
class Suite:
    """The cases of a campaign, and the options that choose the emulated device."""

    options: RunOptions
    queries: tuple[str, ...]

    def cases(self) -> Sequence[Case]:
        """The cases, selected once in a process."""
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
    return select(suite.options.cases, suite.queries)


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
