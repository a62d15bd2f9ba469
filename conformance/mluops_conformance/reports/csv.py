"""One row an output, for a spreadsheet; a case without judged outputs has one row."""

from __future__ import annotations

import csv
import io
from typing import Any

from mluops_conformance.judging.values import OutputVerdict
from mluops_conformance.performance.times import HARDWARE, INTERFACE, Performance
from mluops_conformance.results.outcomes import cause_of
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record
from mluops_conformance.support.formatting import legible

CASE_COLUMNS = ("id", "operator", "outcome", "reason", "backend", "device", "origin", "seed", "total_seconds")
CAUSE_COLUMN = "cause"
OUTPUT_COLUMNS = ("output", "output outcome", "elements", "matched", "mismatched", "resolution")
FIGURES = ("median", "low", "high", "variation")
TIME_COLUMNS = (
    *(f"{kind} {figure}" for kind in (HARDWARE, INTERFACE) for figure in FIGURES),
    *("operations", "bytes", "peak compute", "peak bandwidth", "compute efficiency", "IO efficiency"),
    *("grade", "workspace", "measuring errors"),
)
"""Columns of a run with measured times: seconds, units a second, and fractions of 1."""
WORST_COLUMNS = ("worst index", "worst actual", "worst expected", "worst off by")


def render(run: Run) -> str:
    """The run, by id; each measure and each threshold has a column, in the order in which they occur."""
    verdicts = [verdict for record in run.records for verdict in record.outputs]
    measures = list(dict.fromkeys(name for verdict in verdicts for name in verdict.measures))
    limits = list(dict.fromkeys(f"{name} threshold" for verdict in verdicts for name in verdict.thresholds))
    text = io.StringIO()
    times = TIME_COLUMNS if any(record.performance for record in run.records) else ()
    columns = [*CASE_COLUMNS, CAUSE_COLUMN, *times, *OUTPUT_COLUMNS, *measures, *limits, *WORST_COLUMNS]
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for record in sorted(run.records, key=lambda record: record.id):
        case = _case_cells(record)
        writer.writerows([{**case, **_output_cells(verdict)} for verdict in record.outputs] or [case])
    return text.getvalue()


def _case_cells(record: Record) -> dict[str, Any]:
    cells = {name: legible(str(getattr(record, name))) for name in CASE_COLUMNS}
    cells[CAUSE_COLUMN] = legible(cause_of(record))
    return {**cells, **_time_cells(record.performance)} if record.performance else cells


def _time_cells(found: Performance) -> dict[str, Any]:
    summaries = [
        getattr(summary, figure) for summary in (found.hardware, found.interface) for figure in FIGURES
    ]
    quantities = (found.work.operations, found.work.bytes, found.peaks.compute, found.peaks.bandwidth)
    numbers = [None if quantity is None else quantity.value for quantity in quantities]
    rest = (
        found.compute_efficiency,
        found.io_efficiency,
        found.grade,
        found.workspace,
        "; ".join(found.errors),
    )
    values = ("" if value is None else value for value in (*summaries, *numbers, *rest))
    return dict(zip(TIME_COLUMNS, values))


def _output_cells(verdict: OutputVerdict) -> dict[str, Any]:
    facts = (verdict.name, verdict.outcome, verdict.elements, verdict.matched or "", verdict.mismatched)
    share = "" if verdict.resolution is None else verdict.resolution
    cells: dict[str, Any] = dict(zip(OUTPUT_COLUMNS, (*facts, share)))
    cells.update(verdict.measures)
    cells.update({f"{name} threshold": threshold.value for name, threshold in verdict.thresholds.items()})
    if verdict.worst:
        worst = verdict.worst[0]
        index = " ".join(map(str, worst.index))
        cells.update(zip(WORST_COLUMNS, (index, worst.actual, worst.expected, worst.error)))
    return cells
