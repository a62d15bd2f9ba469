"""For a terminal or a log: what got worse first, the verdict last."""

from __future__ import annotations

from tabulate import tabulate

from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.tables import Section, runs, sections, shown, verdict
from mluops_conformance.exit_codes import PASSED
from mluops_conformance.reports.destination import painted

ROWS = 40
"""Rows of a section that are shown."""
CELL = 80
"""Characters of a cell that are shown."""
WHOLE = frozenset({"case", "folder"})
"""Columns that are never cut: one copies from them, and their ends tell one case from the next."""


def render(comparison: Comparison, colour: bool = False) -> str:
    """The whole comparison; its last line is the verdict. In `colour` for a terminal."""
    blocks = [_block(section, colour) for section in sections(comparison)]
    outcome = "passed" if comparison.exit_code == PASSED else "failed"
    last = painted(verdict(comparison), outcome) if colour else verdict(comparison)
    return "\n\n".join([_table(runs(comparison)), *blocks, last])


def _block(section: Section, colour: bool) -> str:
    heading = f"{section.title} ({len(section.rows)})"
    title = f"{painted(heading, 'failed') if colour and section.worse else heading}: {section.help}"
    indented = [f"  {line}" for line in _table(section).splitlines()]
    _, more = shown(section.rows, ROWS)
    return "\n".join([title, *indented, *([f"  {more}"] if more else [])])


def _table(section: Section) -> str:
    rows, _ = shown(section.rows, ROWS)
    cells = [
        [cell if header in WHOLE else _cut(cell) for header, cell in zip(section.headers, row)]
        for row in rows
    ]
    return str(tabulate(cells, headers=section.headers, tablefmt="plain", disable_numparse=True))


def _cut(cell: str) -> str:
    return cell if len(cell) <= CELL else f"{cell[: CELL - 3]}..."
