"""The past as tables."""

from __future__ import annotations

from math import log10
from typing import Iterator, Mapping, Sequence

from tabulate import tabulate

from mluops_conformance.history.index import IndexedRun, Point
from mluops_conformance.history.series import FirstBad, steps
from mluops_conformance.performance.times import HARDWARE
from mluops_conformance.results.outcomes import marked, planted_faults
from mluops_conformance.support.formatting import legible, seconds, short

BAR = 20
"""Signs of a bar that reaches the threshold."""
DECADES = 4
"""Decades below the threshold at which a bar begins."""


def runs_table(runs: Sequence[IndexedRun]) -> str:
    """One run a line, the oldest first."""
    rows = [
        (
            run.id,
            run.started,
            marked(run.device, run.backend),
            run.build or "-",
            ", ".join(f"{count} {name}" for name, count in run.counts.items()),
            legible(run.folder),
        )
        for run in runs
    ]
    return _table(("run", "begun", "device", "library", "outcomes", "folder"), rows)


def case_table(case: str, runs: Sequence[IndexedRun], points: Mapping[int, Point]) -> str:
    """A case in every run that has it, with its steps, and the measures of the last one."""
    shown = [run for run in runs if run.id in points]
    is_timed = any(points[run.id].hardware is not None for run in shown)
    is_planted = any(planted_faults(run.device) for run in shown)
    rows = [
        (
            *_cells(run, points[run.id]),
            *([_hardware(points[run.id])] if is_timed else []),
            *([planted_faults(run.device)] if is_planted else []),
            mark,
        )
        for run, mark in zip(shown, steps(shown, points))
    ]
    headers = ["run", "begun", "library", "outcome", "of threshold", "1e-4 to threshold"]
    headers += [*([HARDWARE] if is_timed else []), *(["planted faults"] if is_planted else []), "step"]
    return f"{legible(case)}\n{_table(headers, rows)}"


def _cells(run: IndexedRun, point: Point) -> tuple[object, ...]:
    seen = (point.outcome, _closeness(point), _bar(point.closeness))
    return (run.id, run.started, run.build or "-", *seen)


def first_bad_text(found: Sequence[FirstBad]) -> str:
    """The runs in which cases went bad, each with its cases and the last run in which they were good."""
    by_run: dict[int, list[FirstBad]] = {}
    for entry in found:
        by_run.setdefault(entry.first_bad.id, []).append(entry)
    return "\n\n".join("\n".join(_block(entries)) for _, entries in sorted(by_run.items()))


def _block(entries: Sequence[FirstBad]) -> Iterator[str]:
    run = entries[0].first_bad
    build = run.build or "-"
    yield f"first bad in run {run.id}, begun {run.started}, libmluops {build} ({legible(run.folder)})"
    rows = [(entry.case, entry.outcome, _last_good(entry), _unsteady(entry)) for entry in entries]
    for line in tabulate(rows, tablefmt="plain", disable_numparse=True).splitlines():
        yield f"  {legible(line)}"


def _last_good(entry: FirstBad) -> str:
    run = entry.last_good
    return f"last good in run {run.id}, libmluops {run.build or '-'}" if run else "never good before"


def _unsteady(entry: FirstBad) -> str:
    return "bad before that as well: unsteady" if entry.is_unsteady else ""


def _closeness(point: Point) -> str:
    return "-" if point.closeness is None else f"{short(float(f'{point.closeness:.2g}'))} x"


def _hardware(point: Point) -> str:
    return "-" if point.hardware is None else seconds(point.hardware)


def _bar(closeness: float | None) -> str:
    """A bar on a log axis that ends at the threshold; "!" beyond."""
    if not closeness:
        return ""
    size = BAR if closeness > 1 else round(BAR * (1 + log10(closeness) / DECADES))
    return "#" * max(size, 1) + ("!" if closeness > 1 else "")


def _table(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return str(tabulate(rows, headers=headers, tablefmt="plain", disable_numparse=True))
