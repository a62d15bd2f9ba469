"""The speed of cases, as rows for a table of any format, and the notes about it."""

from __future__ import annotations

from collections import Counter
from typing import Iterator, Sequence, Tuple

from mluops_conformance.performance.times import (
    REQUIRED,
    REQUIRED_OF_NETWORKS,
    Competitor,
    Performance,
    Summary,
    bottleneck,
)
from mluops_conformance.reports.notes import named
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record
from mluops_conformance.support.formatting import counted, per_cent, seconds, short, size

Row = Tuple[str, ...]

OTHERS = "other device"
HEADERS: Row = (
    "case",
    "hardware",
    "95 % interval",
    "variation",
    "interface",
    "IO",
    "compute",
    "grade",
    "workspace",
    OTHERS,
)
NONE = "-"
UNSTEADY = 0.1
"""The variation above which a median says little, and a row says so."""
GIGA = 1e9


def measured(run: Run) -> list[tuple[Record, Performance]]:
    """The records of the cases whose times were measured."""
    return [(record, record.performance) for record in run.records if record.performance is not None]


def table(run: Run) -> tuple[Row, list[Row]]:
    """The headers, and a row of texts for each measured case, without columns that no row has a text for."""
    rows = [_row(record, performance) for record, performance in measured(run)]
    filled = [column for column in range(len(HEADERS)) if any(row[column] != NONE for row in rows)]
    return _only(HEADERS, filled), [_only(row, filled) for row in rows]


def figures(record: Record) -> str:
    """Return the table's cells of one case and its remarks; empty if the case was not measured."""
    found = record.performance
    if found is None:
        return ""
    cells = zip(HEADERS[1:], _row(record, found)[1:])
    told = [f"{header} {cell}" for header, cell in cells if cell != NONE]
    wrong = [f"measuring error: {error}" for error in found.errors]
    return "; ".join([", ".join(told), *wrong, *found.remarks])


def notes(run: Run) -> list[str]:
    """Return notes on wrong and missing times, the peaks of efficiencies, and the acceptance standard."""
    found = measured(run)
    told = Counter(remark for _, performance in found for remark in performance.remarks)
    remarks = [f"{counted(count, 'case')}: {remark}" for remark, count in told.items()]
    performances = [performance for _, performance in found]
    return [*_errors(found), *remarks, *_peaks(performances), *_standard(performances)]


def _errors(found: Sequence[tuple[Record, Performance]]) -> Iterator[str]:
    """One line for each measuring error, with the cases that have it."""
    concerned: dict[str, list[Record]] = {}
    for record, performance in found:
        for error in performance.errors:
            concerned.setdefault(error, []).append(record)
    for error, records in concerned.items():
        count = f"{len(records)} cases, " if len(records) > 1 else ""
        yield f"measuring error in {count}{named(records)}: {error}"


def _peaks(found: Sequence[Performance]) -> Iterator[str]:
    """Yield a line for each peak to which efficiencies refer."""
    for kind, unit, peaks in (
        ("IO", "GB/s", [performance.peaks.bandwidth for performance in found]),
        (
            "compute",
            "GOP/s",
            [performance.peaks.compute for performance in found if performance.work.operations],
        ),
    ):
        for peak in dict.fromkeys(filter(None, peaks)):
            yield f"{kind}: of {short(peak.value / GIGA)} {unit}, {peak.origin}"


def _standard(found: Sequence[Performance]) -> Iterator[str]:
    """Yield a line with the number of cases that meet the vendor's acceptance standard."""
    reached = [(bottleneck(p.compute_efficiency, p.io_efficiency), p.required) for p in found if not p.errors]
    known = [(efficiency, required) for efficiency, required in reached if efficiency is not None]
    if known:
        enough = sum(efficiency >= required for efficiency, required in known)
        wanted = f"{per_cent(REQUIRED_OF_NETWORKS)} in sizes of networks, {per_cent(REQUIRED)} in others"
        cases = counted(len(known), "case")
        yield f"mlu-ops' acceptance standard ({wanted}) is met by {enough} of {cases}"


def _only(row: Row, columns: Sequence[int]) -> Row:
    return tuple(row[column] for column in columns)


def _row(record: Record, performance: Performance) -> Row:
    return (
        record.id,
        seconds(performance.hardware.median),
        _interval(performance.hardware),
        _variation(performance.hardware.variation),
        seconds(performance.interface.median),
        _efficiency(performance.io_efficiency),
        _efficiency(performance.compute_efficiency),
        performance.grade or NONE,
        size(performance.workspace),
        ", ".join(_compared(entry, performance.hardware.median) for entry in performance.competitors) or NONE,
    )


def _interval(summary: Summary) -> str:
    if summary.low is None or summary.high is None:
        return NONE
    return f"{seconds(summary.low)} to {seconds(summary.high)}"


def _variation(value: float) -> str:
    return per_cent(value) + (" (unsteady)" if value > UNSTEADY else "")


def _efficiency(value: float | None) -> str:
    return NONE if value is None else per_cent(value)


def _compared(competitor: Competitor, own: float) -> str:
    """Its time, how many times as long the own one is, and what it is: "74.46 us (0.8 x) on a V100"."""
    factor = f" ({own / competitor.seconds:.3g} x)" if own > 0 else ""
    return f"{seconds(competitor.seconds)}{factor} on {competitor.device.partition(',')[0]}"
