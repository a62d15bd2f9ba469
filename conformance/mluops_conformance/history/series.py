"""Follow cases over runs: the steps of a case, and the first run in which it is bad, as values and as
tables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import log10
from typing import Any, Iterator, Mapping, Optional, Sequence, Tuple

from tabulate import tabulate

from mluops_conformance.comparison.changes import Drift, Limits, has_drifted, is_size
from mluops_conformance.comparison.compare import series
from mluops_conformance.comparison.times import is_off_baseline
from mluops_conformance.history.index import Index, IndexedRun, Point
from mluops_conformance.performance.times import HARDWARE
from mluops_conformance.results.outcomes import OUTCOMES, marked, planted_faults
from mluops_conformance.results.reader import Run
from mluops_conformance.support.formatting import legible, seconds, short

Results = Mapping[int, Tuple[str, Optional[float]]]
"""(outcome, closeness) of a case by run."""

LATEST = 30
"""Runs that a report shows of a case."""
LIMITS = Limits()

BAR = 20
"""Signs of a bar that reaches the threshold."""
DECADES = 4
"""Decades below the threshold at which a bar begins."""


@dataclass(frozen=True)
class FirstBad:
    """The run since which a case is bad.

    Parameters
    ----------
    last_good : IndexedRun, optional
        The last run before in which it was executed and good.
    first_bad : IndexedRun
        The run since which it was bad whenever it was executed.
    outcome : str
        Its outcome there.
    is_unsteady : bool
        Whether it was bad before `last_good` as well.
    """

    case: str
    last_good: IndexedRun | None
    first_bad: IndexedRun
    outcome: str
    is_unsteady: bool


def comparable(runs: Sequence[IndexedRun], backend: str, device: str) -> list[IndexedRun]:
    """The runs on one back end and device series, and with the same planted faults."""
    kind = _kind(backend, device)
    return [run for run in runs if _kind(run.backend, run.device) == kind]


def _kind(backend: str, device: str) -> tuple[str, str, str]:
    return backend, series(device), planted_faults(device)


def steps(runs: Sequence[IndexedRun], points: Mapping[int, Point]) -> list[str]:
    """Return the step of each run since the last comparable one; all runs have a point."""
    latest: dict[tuple[str, str, str], Point] = {}
    found = []
    for run in runs:
        kind = _kind(run.backend, run.device)
        found.append(step(latest.get(kind), points[run.id]))
        latest[kind] = points[run.id]
    return found


def step(before: Point | None, after: Point) -> str:
    """Return the change from one run to the next in a few words; empty without one.

    Measures count by the default limits of a comparison, hardware times by the vendor's rule.
    """
    if before is None:
        return ""
    if before.outcome != after.outcome:
        return f"{before.outcome} -> {after.outcome}"
    common = (
        (name, before.measures[name], now) for name, now in after.measures.items() if name in before.measures
    )
    drifts = [Drift("", *name, then[0], now[0], now[1]) for name, then, now in common if is_size(name[1])]
    drifted = sorted(
        (drift for drift in drifts if has_drifted(drift, LIMITS)), key=lambda drift: -abs(_decades(drift))
    )
    if drifted:
        return f"{drifted[0].output} {drifted[0].measure} {short(drifted[0].factor)} x"
    return _time_step(before.hardware, after.hardware)


def _time_step(before: float | None, after: float | None) -> str:
    if before is None or after is None or before <= 0 or not is_off_baseline(before, after):
        return ""
    return f"{HARDWARE} {short(after / before)} x"


def first_bad(case: str, runs: Sequence[IndexedRun], outcomes: Mapping[int, str]) -> FirstBad | None:
    """Find the run since which a case is bad; None if it is not bad in the last run.

    Parameters
    ----------
    runs : sequence of IndexedRun
        The oldest first.
    outcomes : mapping of run id to outcome
        Of the runs that have the case.
    """
    executed = [run for run in runs if run.id in outcomes and OUTCOMES[outcomes[run.id]].executed]
    good = [OUTCOMES[outcomes[run.id]].good for run in executed]
    if not executed or executed[-1] != runs[-1] or good[-1]:
        return None
    streak = len(good) - (good[::-1].index(True) if True in good else len(good))
    return FirstBad(
        case=case,
        last_good=executed[streak - 1] if streak else None,
        first_bad=executed[streak],
        outcome=outcomes[executed[streak].id],
        is_unsteady=False in good[:streak],
    )


def newly_bad(runs: Sequence[IndexedRun], found: Mapping[str, Results]) -> list[FirstBad]:
    """Find the run since which each case is bad that is bad in the last run, but not since the first."""
    entries = (
        first_bad(case, runs, {run: outcome for run, (outcome, _) in results.items()})
        for case, results in found.items()
    )
    return [entry for entry in entries if entry and entry.first_bad != runs[0]]


def of_run(index: Index, run: Run) -> dict[str, Any]:
    """Return the past for the report of a run: its cases that need a look, or that stepped, over runs.

    Returns
    -------
    dict
        `runs`: name, start and library of each; `cases`: for each run [outcome, closeness], by case id.
    """
    until = run.header.started
    earlier = [entry for entry in index.runs() if entry.started <= until]
    runs = comparable(earlier, run.header.backend, run.header.device)[-LATEST:]
    found = index.outcomes([entry.id for entry in runs])
    cases = {
        record.id: [[outcome, _plain(ratio)] for outcome, ratio in _in_order(found[record.id], runs)]
        for record in run.records
        if record.id in found and (not record.is_good or _has_stepped(found[record.id]))
    }
    shown = [{"name": entry.name, "started": entry.started, "library": entry.build} for entry in runs]
    return {"runs": shown, "cases": cases}


def _in_order(results: Results, runs: Sequence[IndexedRun]) -> Iterator[tuple[str, float | None]]:
    return (results.get(run.id, ("", None)) for run in runs)


def _has_stepped(results: Results) -> bool:
    outcomes = {outcome for outcome, _ in results.values()}
    ratios = [ratio or 0.0 for _, ratio in results.values()]
    return len(outcomes) > 1 or max(ratios) > max(LIMITS.drift * min(ratios), LIMITS.drift_floor)


def _decades(drift: Drift) -> float:
    return math.log10(drift.factor) if 0 < drift.factor < math.inf else math.inf


def _plain(ratio: float | None) -> float | str | None:
    """A number that JSON can hold, to four digits."""
    return ratio if ratio is None else float(f"{ratio:.4g}") if math.isfinite(ratio) else str(ratio)


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
    rows = [
        (
            *_cells(run, points[run.id]),
            *([_hardware(points[run.id])] if is_timed else []),
            mark,
        )
        for run, mark in zip(shown, steps(shown, points))
    ]
    headers = ["run", "begun", "device", "library", "outcome", "of threshold", "1e-4 to threshold"]
    headers += [*([HARDWARE] if is_timed else []), "step"]
    return f"{legible(case)}\n{_table(headers, rows)}"


def _cells(run: IndexedRun, point: Point) -> tuple[object, ...]:
    seen = (point.outcome, _closeness(point), _bar(point.closeness))
    return (run.id, run.started, marked(run.device, run.backend), run.build or "-", *seen)


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
