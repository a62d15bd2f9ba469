"""Render a comparison for people and programs: as text, Markdown, a page, or a JSON document.

The JSON document has everything, at schema version 1.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from html import escape
from typing import Any, Callable, Mapping

from tabulate import tabulate

from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.tables import Section, runs, sections, shown, verdict
from mluops_conformance.exit_codes import PASSED
from mluops_conformance.reports.destination import painted
from mluops_conformance.reports.html import page
from mluops_conformance.reports.markdown import escaped
from mluops_conformance.results.reader import Run

TEXT_ROWS = 40
"""Rows of a section that are shown."""
CELL = 80
"""Characters of a cell that are shown."""
WHOLE = frozenset({"case", "folder"})
"""Columns that are never cut: one copies from them, and their ends tell one case from the next."""

MARKDOWN_ROWS = 50
"""Rows of a section; a merge request takes no more."""

HTML_ROWS = 2000
"""Rows of a section."""

SCHEMA_VERSION = 1
LISTS = ("changes", "drifts", "timings", "loosened", "differences")
"""Fields of a comparison that the JSON document has as lists."""


def render(comparison: Comparison, format: str, colour: bool = False) -> str:
    """Render a comparison in one of `FORMATS`; of them, text can be in colour."""
    return _text(comparison, colour) if format == "text" else FORMATS[format](comparison)


def _text(comparison: Comparison, colour: bool = False) -> str:
    """The whole comparison; its last line is the verdict. In `colour` for a terminal."""
    blocks = [_text_block(section, colour) for section in sections(comparison)]
    outcome = "passed" if comparison.exit_code == PASSED else "failed"
    last = painted(verdict(comparison), outcome) if colour else verdict(comparison)
    return "\n\n".join([_text_table(runs(comparison)), *blocks, last])


def _text_block(section: Section, colour: bool) -> str:
    heading = f"{section.title} ({len(section.rows)})"
    title = f"{painted(heading, 'failed') if colour and section.worse else heading}: {section.help}"
    indented = [f"  {line}" for line in _text_table(section).splitlines()]
    _, more = shown(section.rows, TEXT_ROWS)
    return "\n".join([title, *indented, *([f"  {more}"] if more else [])])


def _text_table(section: Section) -> str:
    rows, _ = shown(section.rows, TEXT_ROWS)
    cells = [
        [cell if header in WHOLE else _cut(cell) for header, cell in zip(section.headers, row)]
        for row in rows
    ]
    return str(tabulate(cells, headers=section.headers, tablefmt="plain", disable_numparse=True))


def _cut(cell: str) -> str:
    return cell if len(cell) <= CELL else f"{cell[: CELL - 3]}..."


def _markdown(comparison: Comparison) -> str:
    """The whole comparison; what does not decide is folded."""
    blocks = [f"**{escaped(verdict(comparison))}**", _markdown_table(runs(comparison))]
    return "\n\n".join([*blocks, *map(_markdown_block, sections(comparison))]) + "\n"


def _markdown_block(section: Section) -> str:
    title = f"{section.title} ({len(section.rows)})"
    _, more = shown(section.rows, MARKDOWN_ROWS)
    body = "\n\n".join([escaped(section.help), _markdown_table(section), *([more] if more else [])])
    if section.worse:
        return f"### {title}\n\n{body}"
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _markdown_table(section: Section) -> str:
    rows, _ = shown(section.rows, MARKDOWN_ROWS)
    cells = [[escaped(cell) for cell in row] for row in rows]
    return str(tabulate(cells, headers=section.headers, tablefmt="github", disable_numparse=True))


def _html(comparison: Comparison) -> str:
    """The whole comparison."""
    state = "good" if comparison.exit_code == PASSED else "bad"
    body = [
        "<h1>Comparison of two runs</h1>",
        f'<p class="verdict {state}">{escape(verdict(comparison))}</p>',
        _html_table(runs(comparison)),
        *map(_html_block, sections(comparison)),
    ]
    title = f"{comparison.base.header.run} -> {comparison.new.header.run}"
    return page(title, "\n".join(body))


def _html_block(section: Section) -> str:
    _, more = shown(section.rows, HTML_ROWS)
    unfolded = " open" if section.worse else ""
    return (
        f"<details{unfolded}><summary>{escape(section.title)} ({len(section.rows)})</summary>\n"
        f'<p class="soft">{escape(section.help)}</p>\n{_html_table(section)}\n<p>{escape(more)}</p></details>'
    )


def _html_table(section: Section) -> str:
    rows, _ = shown(section.rows, HTML_ROWS)
    head = "".join(f"<th>{escape(cell)}</th>" for cell in section.headers)
    body = "\n".join(f"<tr>{''.join(f'<td>{_breakable(cell)}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>"
    return f'<div class="scroll">{table}</div>'


def _breakable(cell: str) -> str:
    """A cell that may be broken within ids, so that a narrow window has its row whole."""
    return re.sub(r"(?<=[,:/_])(?=\w)", "<wbr>", escape(cell))


def _json(comparison: Comparison) -> str:
    """The comparison; numbers that JSON lacks are strings ("inf"), as in stored runs."""
    document = {
        "schema": SCHEMA_VERSION,
        "summary": verdict(comparison),
        "exit_code": comparison.exit_code,
        "regressions": comparison.regressions,
        "compared": comparison.compared,
        "timed": comparison.timed,
        "common_factors": comparison.common_factors,
        "limits": dataclasses.asdict(comparison.limits),
        "base": _run_entry(comparison.base),
        "new": _run_entry(comparison.new),
        **{name: [_entry(entry) for entry in getattr(comparison, name)] for name in LISTS},
    }
    return json.dumps(document, indent=2, allow_nan=False)


def _run_entry(run: Run) -> dict[str, Any]:
    return {
        "directory": str(run.directory),
        "run": run.header.run,
        "started": run.header.started,
        "counts": run.counts,
        "problems": run.problems,
    }


def _entry(entry: Any) -> dict[str, Any]:
    values = dataclasses.asdict(entry)
    if hasattr(entry, "factor"):
        values["factor"] = entry.factor
    return {name: _json_value(value) for name, value in values.items()}


def _json_value(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "json": _json,
}
"""The formats by name."""
