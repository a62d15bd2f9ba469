"""For a merge request: the verdict, then a table for each way in which the runs differ."""

from __future__ import annotations

from tabulate import tabulate

from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.tables import Section, runs, sections, shown, verdict
from mluops_conformance.reports.markdown import escaped

ROWS = 50
"""Rows of a section; a merge request takes no more."""


def render(comparison: Comparison) -> str:
    """The whole comparison; what does not decide is folded."""
    blocks = [f"**{escaped(verdict(comparison))}**", _table(runs(comparison))]
    return "\n\n".join([*blocks, *map(_block, sections(comparison))]) + "\n"


def _block(section: Section) -> str:
    title = f"{section.title} ({len(section.rows)})"
    _, more = shown(section.rows, ROWS)
    body = "\n\n".join([escaped(section.help), _table(section), *([more] if more else [])])
    if section.worse:
        return f"### {title}\n\n{body}"
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _table(section: Section) -> str:
    rows, _ = shown(section.rows, ROWS)
    cells = [[escaped(cell) for cell in row] for row in rows]
    return str(tabulate(cells, headers=section.headers, tablefmt="github", disable_numparse=True))
