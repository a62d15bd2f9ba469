"""A case over runs: where it stepped, and since when it is bad. Pure functions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Optional, Sequence, Tuple

from mluops_conformance.comparison.changes import Drift, Limits, has_drifted, is_size
from mluops_conformance.comparison.surroundings import series
from mluops_conformance.comparison.times import is_off_baseline
from mluops_conformance.history.index import Index, IndexedRun, Point
from mluops_conformance.performance.times import HARDWARE
from mluops_conformance.results.outcomes import OUTCOMES, planted_faults
from mluops_conformance.results.reader import Run
from mluops_conformance.support.formatting import short

Results = Mapping[int, Tuple[str, Optional[float]]]
"""(outcome, closeness) of a case by run."""

LATEST = 30
"""Runs that a report shows of a case."""
LIMITS = Limits()


@dataclass(frozen=True)
class FirstBad:
    """Since when a case is bad.

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
    """What changed in each run since the last one before that is comparable; all runs have a point."""
    latest: dict[tuple[str, str, str], Point] = {}
    found = []
    for run in runs:
        kind = _kind(run.backend, run.device)
        found.append(step(latest.get(kind), points[run.id]))
        latest[kind] = points[run.id]
    return found


def step(before: Point | None, after: Point) -> str:
    """What changed from one run to the next, in a few words; empty where nothing did.

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
    """Since when a case is bad that is so in the last of some runs; None where it is not.

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
    """Since when each case is bad that is so in the last of some runs, and was not in the first."""
    entries = (
        first_bad(case, runs, {run: outcome for run, (outcome, _) in results.items()})
        for case, results in found.items()
    )
    return [entry for entry in entries if entry and entry.first_bad != runs[0]]


def of_run(index: Index, run: Run) -> dict[str, Any]:
    """What a report of a run shows of the past: its cases that need a look, or that stepped, over runs.

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
