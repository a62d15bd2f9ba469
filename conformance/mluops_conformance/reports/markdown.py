"""The report for a merge request: a table of counts, and what needs a look, folded."""

from __future__ import annotations

import html
from typing import Iterator

from tabulate import tabulate

from mluops_conformance.reports import performance
from mluops_conformance.reports.characters import legible
from mluops_conformance.reports.text import case_block, first_sentence, summary_line
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record

UNFOLDABLE = 50
"""Cases that are shown with all their numbers; a merge request takes no more."""


def render(run: Run) -> str:
    """The whole report."""
    sections = [f"**{escaped(summary_line(run))}**", _table(run)]
    sections += _performance(run)
    sections += [_folded(record) for record in run.bad[:UNFOLDABLE]]
    left = len(run.bad) - UNFOLDABLE
    if left > 0:
        sections.append(f"and {left} more that need a look")
    sections += [f"- {escaped(problem)}" for problem in run.problems]
    return "\n\n".join(sections) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is, also within a table."""
    escaped = html.escape(legible(text), quote=False).replace("\n", " ")
    for character in "\\`*_|[]":
        escaped = escaped.replace(character, f"\\{character}")
    return escaped


def _table(run: Run) -> str:
    names = [name for name in OUTCOMES if name in run.counts]
    rows = list(_rows(run, names))
    return tabulate(
        rows, headers=["operator", *names, "cases", "seconds"], tablefmt="github", disable_numparse=True
    )


def _rows(run: Run, names: list[str]) -> Iterator[list[str]]:
    for operator in dict.fromkeys(record.operator for record in run.records):
        records = [record for record in run.records if record.operator == operator]
        outcomes = [record.outcome for record in records]
        seconds = sum(record.total_seconds for record in records)
        counts = [str(outcomes.count(name) or "") for name in names]
        yield [escaped(operator), *counts, str(len(records)), f"{seconds:.1f}"]


def _performance(run: Run) -> Iterator[str]:
    headers, rows = performance.table(run)
    if rows:
        cells = [[escaped(cell) for cell in row] for row in rows]
        yield tabulate(cells, headers=headers, tablefmt="github", disable_numparse=True)
        yield "\n".join(f"- {escaped(note)}" for note in performance.notes(run))


def _folded(record: Record) -> str:
    about = html.escape(legible(f"{record.id}: {first_sentence(record.reason)}"))
    block = html.escape(case_block(record))
    return f"<details><summary><b>{record.outcome}</b> {about}</summary>\n\n<pre>{block}</pre>\n\n</details>"
