"""The findings of random cases, for people and as case files."""

from __future__ import annotations

from pathlib import Path
from typing import Iterable, Iterator, Sequence

from mluops_conformance.language.dump import to_yaml
from mluops_conformance.support.formatting import counted
from tabulate import tabulate

from mluops_tools.fuzz.campaign import Finding, Trial

MOST_SHOWN = 3
"""Kinds of findings of an operator and dtype that are printed; the files hold them all."""


def summary(trials: Sequence[Trial]) -> str:
    """A row for each operator and dtype, a column for each outcome."""
    outcomes = sorted({outcome for trial in trials for outcome in trial.outcomes})
    rows = [
        [trial.operator, trial.dtype, *(trial.outcomes[outcome] for outcome in outcomes)] for trial in trials
    ]
    table: str = tabulate(rows, ["operator", "dtype", *outcomes], tablefmt="plain")
    return table


def findings(trial: Trial) -> Iterator[str]:
    """Each kind of finding: how many cases showed it, and the smallest as the entry of a case file."""
    for kind in list(trial.kinds())[:MOST_SHOWN]:
        smallest = kind[0]
        yield f"{trial.operator} {trial.dtype}: {counted(len(kind), 'case')}: {smallest.record.reason}"
        yield entry(smallest)


def entry(finding: Finding) -> str:
    """The entry of a case file, without the lines that all entries of a file share."""
    return to_yaml(finding.case).partition("cases:\n")[2].rstrip("\n")


def write_found(folder: Path, trials: Iterable[Trial]) -> list[Path]:
    """Write the smallest case of each kind into a case file of its operator.

    Returns
    -------
    list of Path
        The files, none for an operator without findings.
    """
    entries: dict[str, list[str]] = {}
    for trial in trials:
        for kind in trial.kinds():
            entries.setdefault(trial.operator, []).append(entry(kind[0]))
    files = []
    for operator, written in entries.items():
        folder.mkdir(parents=True, exist_ok=True)
        files.append(folder / f"{operator}.yaml")
        files[-1].write_text("\n".join([f"operator: {operator}", "cases:", *written, ""]), encoding="utf-8")
    return files
