"""The report for a merge request: a table of counts, and what needs a look, folded."""

from __future__ import annotations

import html
from typing import Iterator, Sequence

from tabulate import tabulate

from mluops_conformance.reports import performance
from mluops_conformance.reports.notes import contradictions, more, notes
from mluops_conformance.reports.text import cause_blocks, summary_line
from mluops_conformance.results.outcomes import OUTCOMES, Cause
from mluops_conformance.results.reader import Run
from mluops_conformance.support.formatting import first_sentence, legible

UNFOLDABLE = 50
"""Causes whose smallest cases are shown with all their numbers; a merge request takes no more."""


def render(run: Run) -> str:
    """The whole report."""
    sections = [f"**{escaped(summary_line(run))}**", _table(run)]
    sections += _performance(run)
    sections += _causes(run)
    sections += [_cause(cause) for cause in run.causes[:UNFOLDABLE]]
    sections += more(len(run.causes), UNFOLDABLE, "causes")
    sections.append(_list(notes(run, UNFOLDABLE)))
    sections += _contradicted(run)
    return "\n\n".join(filter(None, sections)) + "\n"


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
        yield _list(performance.notes(run))


def _list(texts: Sequence[str]) -> str:
    return "\n".join("- " + "<br>".join(map(escaped, text.split("\n"))) for text in texts)


def _causes(run: Run) -> Iterator[str]:
    """A row for each cause, where there are fewer of them than of cases."""
    if any(len(cause.records) > 1 for cause in run.causes):
        rows = [
            [str(len(cause.records)), cause.outcome, escaped(cause.operator), escaped(cause.what)]
            for cause in run.causes[:UNFOLDABLE]
        ]
        headers = ["cases", "outcome", "operator", "cause"]
        yield tabulate(rows, headers=headers, tablefmt="github", disable_numparse=True)


def _cause(cause: Cause) -> str:
    record, others = cause.smallest, len(cause.records) - 1
    about = html.escape(legible(f"{record.id}: {first_sentence(record.reason)}"))
    beside = f" (and {others} more of this cause)" if others else ""
    (block,) = cause_blocks(cause)
    return _folded(f"<b>{record.outcome}</b> {about}{beside}", block)


def _contradicted(run: Run) -> Iterator[str]:
    if run.header.contradictions:
        about, *lines = contradictions(run)
        yield _folded(html.escape(about), legible("\n".join(lines)))


def _folded(summary: str, text: str) -> str:
    """A line of HTML, and a text that it unfolds."""
    return f"<details><summary>{summary}</summary>\n\n<pre>{html.escape(text)}</pre>\n\n</details>"
