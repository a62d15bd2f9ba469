"""Notes on a run beside its cases: lines that the text report and Markdown share."""

from __future__ import annotations

from collections import Counter
from typing import Iterator, Sequence

from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record
from mluops_conformance.support.formatting import counted

SHOWN = 5
"""Cases that a line names."""

COARSE = 0.1
"""Passed cases with a resolution above this are named."""


def notes(run: Run, most: int | None = None) -> list[str]:
    """Return notes: reasons not to run (`most`), known issues, coarse passes, gtest's dissent, errors.

    A note is one line, or two of which the second names cases.
    """
    reasons = list(_not_run(run))
    return [
        *reasons[:most],
        *more(len(reasons), most, "reasons not to run cases"),
        *_known_issues(run),
        *_coarse(run),
        *_disputed(run),
        *_left_out(run),
        *run.problems,
    ]


def contradictions(run: Run) -> Iterator[str]:
    """Yield the disagreements of document and library that the run's cases check, after a heading line."""
    if run.header.contradictions:
        yield "judged by the library, which contradicts the document:"
    for name, said in run.header.contradictions.items():
        yield f"  {name}: {said['document']}"
        yield f"    library: {said['library']}"


def more(count: int, most: int | None, what: str) -> list[str]:
    """A line about those of `count` that come after the first `most`, if there are such."""
    left = 0 if most is None else count - most
    return [f"and {left} more {what}"] if left > 0 else []


def named(records: Sequence[Record]) -> str:
    """The first ids, in order, and how many there are more."""
    shown = ", ".join(sorted(record.id for record in records)[:SHOWN])
    return f"{shown} and {len(records) - SHOWN} more" if len(records) > SHOWN else shown


def outcome_counted(outcome: str, count: int) -> str:
    """As "2 passed" or "3 errors"."""
    plural = "s" if count > 1 and outcome in ("error", "timeout") else ""
    return f"{count} {outcome}{plural}"


def _not_run(run: Run) -> Iterator[str]:
    """One line for each reason not to run cases."""
    told = Counter(
        (record.outcome, record.reason)
        for record in run.records
        if record.is_good and record.outcome != "passed" and not record.issue
    )
    for (outcome, reason), count in sorted(told.items()):
        yield f"{outcome_counted(outcome, count)}: {reason}"


def _known_issues(run: Run) -> Iterator[str]:
    """In which of its cases each known issue showed: one that never does is out of date."""
    concerned = Counter(record.issue for record in run.records if record.issue)
    for issue, count in sorted(concerned.items()):
        showed = [r for r in run.records if r.issue == issue and r.outcome == "xfailed"]
        cases = f"\n  {named(showed)}" if showed else ""
        yield f"known issue, showed in {len(showed)} of {counted(count, 'case')}: {issue}{cases}"


def _coarse(run: Run) -> Iterator[str]:
    """Cases that pass and that a large error of one element would pass as well."""
    records = [
        record
        for record in run.records
        if record.outcome == "passed" and any((v.resolution or 0) > COARSE for v in record.outputs)
    ]
    if records:
        yield (
            f"{counted(len(records), 'case')} passed and would also pass with one element off by a tenth of "
            f"its local scale: {named(records)}"
        )


def _disputed(run: Run) -> Iterator[str]:
    """Cases that pass here and that the vendor's tool would fail; the others' blocks say it themselves."""
    records = [r for r in run.records if r.outcome == "passed" and any(v.is_disputed for v in r.outputs)]
    if records:
        yield f"gtest would fail {len(records)} of the cases that passed: {named(records)}"


def _left_out(run: Run) -> Iterator[str]:
    """Yield a line with the number of cases whose data was wanted and not kept."""
    told = [record.left_out for record in run.records if record.left_out]
    if told:
        cases = "1 case was" if len(told) == 1 else f"{len(told)} cases were"
        yield f"the data of {cases} left out, the first because {told[0]}"
