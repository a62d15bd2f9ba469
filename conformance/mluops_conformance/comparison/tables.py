"""A comparison as sections of tables, which every format lays out in its own way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Sequence, Tuple

from mluops_conformance.comparison.changes import EDITED, GONE, KINDS, Drift
from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.times import Timing
from mluops_conformance.results.outcomes import NOT_HARDWARE, marked
from mluops_conformance.results.reader import Run
from mluops_conformance.support.formatting import counted, first_sentence, legible, seconds, short

Row = Tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A titled table.

    Parameters
    ----------
    help : str
        What the rows have in common.
    worse : bool
        Whether the rows count as regressions.
    """

    title: str
    help: str
    headers: Row
    rows: tuple[Row, ...]
    worse: bool = False


def verdict(comparison: Comparison) -> str:
    """The comparison in a sentence.

    "3 regressions: 2 newly failing, 1 slower (58 cases and 4 times compared; emulated, …)"
    """
    counts = {name: count for name, count in comparison.regressions.items() if count}
    total = sum(counts.values())
    compared = f"{counted(comparison.compared, 'case')} and {counted(comparison.timed, 'time')} compared"
    mark, worth = NOT_HARDWARE.get(comparison.new.header.backend, ("", ""))
    caution = f"; {mark}: {worth}" if mark else ""
    edited = len(comparison.of_kind(EDITED))
    compared += f", {counted(edited, 'edited case')} left out" if edited else ""
    if not comparison.compared:
        found = f"nothing could be compared: no{' other' if edited else ''} case was executed in both runs"
    elif not total:
        found = "nothing got worse"
    else:
        parts = ", ".join(f"{count} {name}" for name, count in counts.items())
        hint = "; --only-common leaves out what is gone" if [*counts] == [GONE] else ""
        found = f"{counted(total, 'regression')}: {parts}{hint}"
    return legible(f"{found} ({compared}{caution})")


def sections(comparison: Comparison) -> list[Section]:
    """What differs: outcomes, accuracy, times, surroundings; sections without a row are left out."""
    changed = (_changed(comparison, kind) for kind in KINDS)
    everything = [*changed, *_drifted(comparison), *_timed(comparison), *_around(comparison)]
    return [section for section in everything if section.rows]


def runs(comparison: Comparison) -> Section:
    """The two runs, a row each."""
    rows = (_row("BASE", *_run_cells(comparison.base)), _row("NEW", *_run_cells(comparison.new)))
    return Section("runs", "", ("", "folder", "begun", "device", "library", "outcomes"), rows)


def _changed(comparison: Comparison, kind: str) -> Section:
    rows = tuple(
        _row(change.id, change.before, change.after, first_sentence(change.reason))
        for change in comparison.of_kind(kind)
    )
    return Section(
        kind, KINDS[kind], ("case", "before", "after", "why"), rows, kind in comparison.regressions
    )


def _drifted(comparison: Comparison) -> Iterator[Section]:
    limit = short(comparison.limits.drift)
    headers = ("case", "output", "measure", "before", "after", "factor", "of threshold")
    for title, worse, direction in (("less accurate", True, "grew"), ("more accurate", False, "shrank")):
        rows = tuple(_drift_row(drift) for drift in comparison.drifts if drift.is_worse is worse)
        text = f"measures that {direction} by more than {limit} x, though the case passes"
        yield Section(title, text, headers, rows, worse)


def _drift_row(drift: Drift) -> Row:
    share = f"{100 * drift.after / drift.threshold:.3g} %" if drift.threshold else "-"
    numbers = (short(drift.before), short(drift.after), f"{short(drift.factor)} x", share)
    return _row(drift.id, drift.output, drift.measure, *numbers)


def _timed(comparison: Comparison) -> Iterator[Section]:
    headers = ("case", "timed", "before", "after", "factor", "noise", "p", "samples")
    common = "".join(f"; all '{k}' times: {v:.3g} x" for k, v in comparison.common_factors.items())
    text = f"of {counted(comparison.timed, 'time')}, by the rule '{comparison.limits.time_rule}'{common}"
    for title, worse in (("slower", True), ("faster", False)):
        rows = tuple(_time_row(timing) for timing in comparison.timings if timing.is_worse is worse)
        yield Section(title, text, headers, rows, worse)


def _time_row(timing: Timing) -> Row:
    return _row(
        timing.id,
        timing.name,
        seconds(timing.before),
        seconds(timing.after),
        f"{timing.factor:.3g} x",
        f"{100 * timing.noise:.2g} %",
        short(timing.p),
        "{} and {}".format(*timing.samples),
    )


def _around(comparison: Comparison) -> Iterator[Section]:
    rows = tuple(
        _row(entry.id, entry.output, entry.measure, short(entry.before), short(entry.after), entry.origin)
        for entry in comparison.loosened
    )
    headers = ("case", "output", "measure", "before", "after", "from")
    yield Section(
        "thresholds", "thresholds that a case or the command line made larger than they were", headers, rows
    )
    facts = tuple(_row(entry.name, entry.before, entry.after) for entry in comparison.differences)
    yield Section("environment", "what else differs between the runs", ("fact", "BASE", "NEW"), facts)
    problems = tuple(
        _row(name, problem)
        for name, run in (("BASE", comparison.base), ("NEW", comparison.new))
        for problem in run.problems
    )
    yield Section("stored runs", "what is wrong with the stored runs", ("run", "problem"), problems)


def _run_cells(run: Run) -> Row:
    library = run.environment.get("library", {}).get("version") or "-"
    device = marked(run.header.device, run.header.backend)
    outcomes = ", ".join(f"{count} {name}" for name, count in run.counts.items())
    return _row(str(run.directory), run.header.started, device, library, outcomes)


def _row(*cells: str) -> Row:
    return tuple(" ".join(legible(cell).split()) for cell in cells)


def shown(rows: Sequence[Row], limit: int) -> tuple[Sequence[Row], str]:
    """The first rows, and a line on how many more there are; empty when there are none."""
    left = len(rows) - limit
    return rows[:limit], f"and {left} more; --format json has them all" if left > 0 else ""
