"""A page: the verdict, then a table for each way in which the runs differ, those that decide unfolded."""

from __future__ import annotations

import re
from html import escape

from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.tables import Section, runs, sections, shown, verdict
from mluops_conformance.exit_codes import PASSED
from mluops_conformance.reports.html import page

ROWS = 2000
"""Rows of a section."""


def render(comparison: Comparison) -> str:
    """The whole comparison."""
    state = "good" if comparison.exit_code == PASSED else "bad"
    body = [
        "<h1>Comparison of two runs</h1>",
        f'<p class="verdict {state}">{escape(verdict(comparison))}</p>',
        _table(runs(comparison)),
        *map(_block, sections(comparison)),
    ]
    title = f"{comparison.base.header.run} -> {comparison.new.header.run}"
    return page(title, "\n".join(body))


def _block(section: Section) -> str:
    _, more = shown(section.rows, ROWS)
    unfolded = " open" if section.worse else ""
    return (
        f"<details{unfolded}><summary>{escape(section.title)} ({len(section.rows)})</summary>\n"
        f'<p class="soft">{escape(section.help)}</p>\n{_table(section)}\n<p>{escape(more)}</p></details>'
    )


def _table(section: Section) -> str:
    rows, _ = shown(section.rows, ROWS)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in section.headers)
    body = "\n".join(f"<tr>{''.join(f'<td>{_breakable(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _breakable(cell: str) -> str:
    """A cell that may be broken within ids, so that a narrow window has its row whole."""
    return re.sub(r"(?<=[,:/_])(?=\w)", "<wbr>", escape(cell))
