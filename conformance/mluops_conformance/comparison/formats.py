"""Render a comparison for people and programs: as text, Markdown, a page, or a JSON document.

The JSON document has everything, at schema version 1.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from dataclasses import dataclass
from html import escape
from typing import Any, Callable, Iterator, Mapping, Sequence, Tuple

from tabulate import tabulate

from mluops_conformance.comparison.changes import EDITED, GONE, KINDS, Drift
from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.times import Timing
from mluops_conformance.exit_codes import PASSED
from mluops_conformance.reports.destination import painted
from mluops_conformance.reports.html import page
from mluops_conformance.reports.markdown import escaped
from mluops_conformance.results.outcomes import NOT_HARDWARE, marked
from mluops_conformance.results.reader import Run
from mluops_conformance.support.formatting import counted, first_sentence, legible, seconds, short

Row = Tuple[str, ...]

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
    """Return a section for each kind of difference; those without a row are left out."""
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
    yield Section("environment", "other differences between the runs", ("fact", "BASE", "NEW"), facts)
    problems = tuple(
        _row(name, problem)
        for name, run in (("BASE", comparison.base), ("NEW", comparison.new))
        for problem in run.problems
    )
    yield Section("stored runs", "defects of the stored runs", ("run", "problem"), problems)


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
