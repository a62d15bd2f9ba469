"""The matrix of faults and the cases that caught them, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Sequence

from mluops_emulator.faults import FAULTS
from tabulate import tabulate

from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_emulator.faults import Fault

    from mluops_conformance.selftest.trial import Trial

SHOWN = 2
"""Ids of cases in a row."""


def listing(faults: Iterable[Fault]) -> str:
    """What can be planted."""
    rows = [(fault.name, fault.description, fault.place) for fault in faults]
    return str(tabulate(rows, headers=("fault", "what goes wrong", "what it replaces"), tablefmt="plain"))


def matrix(trials: Sequence[Trial]) -> str:
    """One row a fault: how many cases caught it of how many tried, in which ways, and which came first."""
    headers = ("fault", "caught", "tried", "how", "by")
    rows = [(trial.fault, len(trial.catches), trial.tried, _ways(trial), _first(trial)) for trial in trials]
    return str(tabulate(rows, headers=headers, tablefmt="plain"))


def summary(with_fault: Sequence[Trial], without: Sequence[Trial]) -> str:
    """What was not caught, what was not good without a fault, and a line of counts."""
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
