"""The report for a terminal or a log: what needs a look first, plain counts last."""

from __future__ import annotations

import textwrap
from collections import Counter
from itertools import chain, repeat
from typing import Iterator, Sequence

from tabulate import tabulate

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.judging.values import (
    UNWRITTEN_INT32,
    Element,
    GtestVerdict,
    OutputVerdict,
)
from mluops_conformance.reports import performance
from mluops_conformance.reports.destination import painted
from mluops_conformance.reports.notes import contradictions, more, notes, outcome_counted
from mluops_conformance.results.outcomes import Cause
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record
from mluops_conformance.support.formatting import counted, exact, legible, sentences, short

WIDTH = 100
"""Characters of a line that lists things."""

WIDEST = 120
"""Characters that a line of a table may have."""

LISTED = 20
"""Cases of one cause that are named beside the smallest."""

LOGGED = 5
"""Lines of a native log: the library says in the first ones what it does not take."""

STEPS = ("fill", "reference", "copy", "call", "judge")
"""The steps that are always shown, in this order; other steps that took time follow."""


def render(
    run: Run, colour: bool = False, brief: bool = False, most: int | None = None, every: bool = False
) -> str:
    """The whole report; its last line is `summary_line`. In `colour` for a terminal.

    Of each cause, the smallest case stands in full, and where `every` case is wanted, the others too. Where
    it is `brief`, the contradictions between library and documents are only counted. Of the causes, the
    reasons not to run cases and the measured times, it has at most so many, if `most` is given.
    """
    blocks = [block for cause in run.causes[:most] for block in cause_blocks(cause, colour, every)]
    blocks += more(len(run.causes), most, "causes")
    blocks.append("\n".join(map(legible, notes(run, most))))
    blocks += _performance(run, most)
    blocks.append(_contradicted(run) if brief else legible("\n".join(contradictions(run))))
    blocks.append(legible(causes_table(run, most)))
    return "\n\n".join([*filter(None, blocks), _counted(summary_line(run), run, colour)])


def summary_line(run: Run) -> str:
    """The counts in plain words, and on what they were counted.

    "58 passed, 1 failed, 2 skipped (emulated on MLU370: not evidence about hardware)"
    """
    names = sorted(run.counts, key=lambda name: name != "passed")
    parts = [outcome_counted(name, run.counts[name]) for name in names]
    if not run.executed:
        parts.insert(0, "0 executed")
    if run.missing:
        parts.append(f"{run.missing} without a record")
    return legible(f"{', '.join(parts)} ({ground(run)})")


def ground(run: Run) -> str:
    """Return the evidence of the run in a line; a run without a device gives none about hardware."""
    if run.caution:
        return run.caution
    version = run.environment.get("library", {}).get("version")
    return f"on {' and '.join(run.devices)}" + (f", libmluops {version}" if version else "")


def case_block(record: Record) -> str:
    """All that is known of one case: why, where, the outputs' numbers, the requirements, how to repeat it."""
    lines = [f"{record.outcome.upper()} {record.id}  ({record.origin})"]
    lines += [f"  why     {line}" for line in sentences(legible(record.reason))]
    lines += [f"  changed {line}" for line in record.changed]
    if record.backend == "device":
        lines.append(f"  device  {record.device} ({record.card})")
    if record.sizes:
        lines.append(f"  sizes   {', '.join(f'{name} {size}' for name, size in record.sizes.items())}")
    for verdict in record.outputs:
        lines += [f"  {line}" for line in _output_lines(verdict)]
    lines += [f"  log     {line}" for line in _log_lines(record.log)]
    for label, text in (
        ("times", performance.figures(record)),
        ("checks", ", ".join(record.requirements)),
    ):
        wrapped = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
        lines += [f"  {word:6}  {line}" for word, line in zip(chain([label], repeat("")), wrapped)]
    if record.artefact or record.left_out:
        kept = f"{record.artefact} in the run's folder" if record.artefact else ""
        lines.append(f"  data    {kept or f'left out: {record.left_out}'}")
    lines.append(f"  repeat  {record.repro}")
    return legible("\n".join(lines))


def cause_blocks(cause: Cause, colour: bool = False, every: bool = False) -> Iterator[str]:
    """The smallest case of a cause in full, then the ids of the others, or all of them in full."""
    others = cause.records[1:]
    shown = cause.records if every else cause.records[:1]
    *blocks, last = (headed_block(record, colour) for record in shown)
    yield from blocks
    yield last if every or not others else f"{last}\n{legible(_likewise(others))}"


def causes_table(run: Run, most: int | None = None) -> str:
    """One line for each cause, where there are fewer of them than of cases."""
    count = sum(len(cause.records) for cause in run.causes)
    if len(run.causes) == count:
        return ""
    rows = [(f"  {len(cause.records)}", cause.outcome, str(cause)) for cause in run.causes[:most]]
    table = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=("right", "left", "left"))
    return f"{count} bad cases with {counted(len(run.causes), 'cause')}:\n{table}"


def _likewise(others: Sequence[Record]) -> str:
    """The ids of the other cases of a cause, a line each, up to a limit."""
    lines = [f"  {word:6}  {record.id}" for word, record in zip(chain(["also"], repeat("")), others)]
    left = more(len(others), LISTED, "of this cause; `report --every-case` has each in full")
    return "\n".join([*lines[:LISTED], *(f"  {'':6}  {line}" for line in left)])


def headed_block(record: Record, colour: bool) -> str:
    """A case's block, its outcome, which is its first word, in colour."""
    block, head = case_block(record), len(record.outcome)
    return painted(block[:head], record.outcome) + block[head:] if colour else block


def _counted(line: str, run: Run, colour: bool) -> str:
    """The summary line, its counts painted."""
    for name, count in run.counts.items() if colour else ():
        line = line.replace(outcome_counted(name, count), painted(outcome_counted(name, count), name), 1)
    return line


def _output_lines(verdict: OutputVerdict) -> Iterator[str]:
    matched = f", matches {verdict.matched}" if verdict.matched else ""
    elements = counted(verdict.elements, "element")
    seen = "" if verdict.resolution is None else f", resolution {short(verdict.resolution)}"
    yield f"output  `{verdict.name}` {verdict.outcome}, {elements}{matched}{seen}"
    for line in tabulate(_measure_rows(verdict), tablefmt="plain", disable_numparse=True).splitlines():
        yield f"  {line}"
    for element in verdict.mismatches:
        yield f"  special value at {_position(element)}"
    if verdict.mismatched > len(verdict.mismatches):
        yield f"  and {verdict.mismatched - len(verdict.mismatches)} more special values"
    if len(verdict.worst) > 1:
        over = " over the local scale" if "pointwise" in verdict.measures else ""
        yield f"  the worst, by their error{over}:"
    for element in verdict.worst:
        yield f"  off by {short(element.error)} at {_position(element)}"
    if verdict.gtest is not None and verdict.is_disputed:
        yield f"  gtest {opinion(verdict.gtest)}"


def _log_lines(log: str) -> list[str]:
    lines = [line for line in log.splitlines() if line.strip()]
    return [*lines[:LOGGED], *more(len(lines), LOGGED, "lines, in results.jsonl")]


def _measure_rows(verdict: OutputVerdict) -> list[list[str]]:
    """The measures that were judged, then the others."""
    judged = [
        [name, short(verdict.measures[name]), _limit(name, limit.value), limit.origin]
        for name, limit in verdict.thresholds.items()
        if name in verdict.measures
    ]
    others = [
        [name, short(value)] for name, value in verdict.measures.items() if name not in verdict.thresholds
    ]
    return judged + others


def _limit(name: str, threshold: float) -> str:
    return MEASURES[name].limit_text(threshold) if name in MEASURES else f"at most {short(threshold)}"


def opinion(gtest: GtestVerdict) -> str:
    """Return the verdict of the vendor's tool, with its numbers."""
    numbers = ", ".join(
        f"{name} {short(error)}, {_limit(name, gtest.limits[name])}" for name, error in gtest.errors.items()
    )
    said = "would pass this" if gtest.passed else "would fail this"
    return "; ".join(filter(None, [f"{said}: {numbers}", gtest.reason]))


def _position(element: Element) -> str:
    index = ", ".join(map(str, element.index))
    actual = "not written" if element.actual == UNWRITTEN_INT32 else f"actual {exact(element.actual)}"
    return f"[{index}]: {actual}, expected {exact(element.expected)}"


def _performance(run: Run, most: int | None) -> Iterator[str]:
    """The times of the cases that were measured, and what is to be said about them."""
    headers, rows = performance.table(run)
    if rows:
        shown = [_times_table(headers, rows[:most]), *more(len(rows), most, "that were measured")]
        yield legible("\n".join(shown))
        yield "\n".join(map(legible, performance.notes(run)))


def _times_table(headers: performance.Row, rows: Sequence[performance.Row]) -> str:
    """A line for each case; where that is wider than a screen, each case's id on a line of its own."""
    table = tabulate(rows, headers, tablefmt="simple", disable_numparse=True)
    if max(map(len, table.splitlines())) <= WIDEST:
        return table
    last = len(headers) - headers.count(performance.OTHERS)
    figures = [row[1:last] for row in rows]
    head, rule, *lines = tabulate(
        figures, headers[1:last], tablefmt="simple", disable_numparse=True
    ).splitlines()
    folded = [headers[0], f"  {head}", f"  {rule}"]
    for row, line in zip(rows, lines):
        others = [f"    {performance.OTHERS} {cell}" for cell in row[last:] if cell != performance.NONE]
        folded += [row[0], f"  {line}", *others]
    return "\n".join(folded)


def _contradicted(run: Run) -> str:
    count = len(run.header.contradictions)
    if not count:
        return ""
    what = "1 requirement is" if count == 1 else f"{count} requirements are"
    return f"{what} judged by the library, which contradicts the document; `report` names them"


def render_durations(run: Run, slowest: int, report: float) -> str:
    """Seconds by what was done, over all cases, and of the slowest cases.

    Parameters
    ----------
    run : Run
    slowest : int
        How many cases are shown.
    report : float
        Seconds that the reports of the run took.
    """
    total = Counter(dict.fromkeys(STEPS, 0.0))
    for record in run.records:
        total.update(record.seconds)
    names = [*STEPS, *sorted(set(total) - set(STEPS))]
    text = f"seconds by what was done, added up over the workers:\n{_totals(total, names, report)}"
    shown = sorted(run.records, key=lambda record: -record.total_seconds)[:slowest]
    if not shown:
        return text
    cases = counted(len(run.records), "case")
    return f"{text}\n\nthe slowest of {cases}, in seconds:\n{_slowest_table(shown, names)}"


def _totals(total: Counter[str], names: Sequence[str], report: float) -> str:
    whole = sum(total.values()) + report
    rows = [*((name, total[name]) for name in names), ("report", report)]
    return _durations_table(
        [(name, _seconds(time), f"{100 * time / whole:.0f} %") for name, time in rows if whole]
    )


def _slowest_table(records: Sequence[Record], names: Sequence[str]) -> str:
    rows = [
        (
            _seconds(record.total_seconds),
            *(_seconds(record.seconds.get(name, 0.0)) for name in names),
            record.id,
        )
        for record in records
    ]
    return legible(_durations_table(rows, ("all", *names, "case")))


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def _durations_table(rows: Sequence[Sequence[str]], headers: Sequence[str] = ()) -> str:
    align = ["left" if text == "case" else "right" for text in headers] or ["left", "right", "right"]
    return str(tabulate(rows, headers, tablefmt="plain", disable_numparse=True, colalign=align))
