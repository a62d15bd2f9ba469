"""Where the time of a run went, and its slowest cases."""

from __future__ import annotations

from collections import Counter
from typing import Sequence

from tabulate import tabulate

from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record
from mluops_conformance.support.formatting import counted, legible

STEPS = ("fill", "reference", "copy", "call", "judge")
"""What is always shown, in this order; anything else that took time comes behind."""


def render(run: Run, slowest: int, report: float) -> str:
    """Seconds by what was done, over all cases, and of the slowest cases.

    Parameters
    ----------
    run : Run
    slowest : int
        How many cases are shown.
    report : float
        Seconds that the reports of the run took.
    """
    total = Counter(dict.fromkeys(STEPS, 0.0))
    for record in run.records:
        total.update(record.seconds)
    names = [*STEPS, *sorted(set(total) - set(STEPS))]
    text = f"seconds by what was done, added up over the workers:\n{_totals(total, names, report)}"
    shown = sorted(run.records, key=lambda record: -record.total_seconds)[:slowest]
    if not shown:
        return text
    cases = counted(len(run.records), "case")
    return f"{text}\n\nthe slowest of {cases}, in seconds:\n{_cases(shown, names)}"


def _totals(total: Counter[str], names: Sequence[str], report: float) -> str:
    whole = sum(total.values()) + report
    rows = [*((name, total[name]) for name in names), ("report", report)]
    return _table([(name, _seconds(time), f"{100 * time / whole:.0f} %") for name, time in rows if whole])


def _cases(records: Sequence[Record], names: Sequence[str]) -> str:
    rows = [
        (
            _seconds(record.total_seconds),
            *(_seconds(record.seconds.get(name, 0.0)) for name in names),
            record.id,
        )
        for record in records
    ]
    return legible(_table(rows, ("all", *names, "case")))


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def _table(rows: Sequence[Sequence[str]], headers: Sequence[str] = ()) -> str:
    align = ["left" if text == "case" else "right" for text in headers] or ["left", "right", "right"]
    return str(tabulate(rows, headers, tablefmt="plain", disable_numparse=True, colalign=align))
