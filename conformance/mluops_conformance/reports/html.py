"""One page that holds the whole run: failures first, filters, requirements, accuracy, history.

The run stands in it as compressed JSON, which scripts in the page lay out: so it stays small and quick with
50 000 cases, and loads nothing. Where scripts do not run, as in Jenkins' workspace, it shows the text report.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import math
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Iterable, Mapping, Sequence

from mluops_conformance.judging.values import Element, OutputVerdict
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.reports import performance, text
from mluops_conformance.reports.text import opinion, summary_line
from mluops_conformance.results.outcomes import OUTCOMES, exit_code
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record, event
from mluops_conformance.support.files import gc_paused
from mluops_conformance.support.formatting import exact, legible, short

SCRIPTS = ("dom.js", "run.js", "plots.js", "list.js", "detail.js", "pages.js", "main.js")
WITHOUT_SCRIPTS = 50
"""Cases that the text report in the page has in full: so many that nobody waits for it."""

ASSETS = Path(__file__).parent / "assets"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
"""The browser itself sees to it that a page loads nothing, whatever stands in it."""

WORST_OF_GOOD = 1
"""Worst elements of an output that passed; one that did not keeps all that are stored."""


def render(
    run: Run,
    requirements: Mapping[str, Requirement] | None = None,
    history: Mapping[str, Any] | None = None,
) -> str:
    """The page; the other parameters are those of `payload.payload`."""
    frame = Template((ASSETS / "report.html").read_text(encoding="utf-8"))
    name, verdict = run.header.run, text.summary_line(run)
    body = frame.substitute(
        name=escape(legible(name)),
        verdict=escape(legible(verdict)),
        text=escape(text.render(run, most=WITHOUT_SCRIPTS)),
        data=_packed(payload(run, requirements, history)),
    )
    return page(f"{name}: {verdict}", body, ("report.css",), SCRIPTS)


def _packed(values: Mapping[str, Any]) -> str:
    """JSON, gzip, base64; the same bytes for the same run."""
    document = json.dumps(values, separators=(",", ":"), allow_nan=False).encode("ascii")
    return base64.b64encode(gzip.compress(document, mtime=0)).decode("ascii")


def page(title: str, body: str, styles: Sequence[str] = (), scripts: Sequence[str] = ()) -> str:
    """A whole document.

    Parameters
    ----------
    title : str
        As plain text.
    body : str
        HTML.
    styles, scripts : sequence of str
        Files of the folder `assets`, in this order, after `base.css`.
    """
    style = "".join(map(_asset, ("base.css", *styles)))
    script = "".join(f"<script>\n{_asset(name)}</script>\n" for name in scripts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{html.escape(legible(title))}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n{body}\n{script}</body>\n</html>\n"
    )


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


class Texts:
    """Strings, each once; `place` gives where a string stands."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str) -> int:
        return self._places.setdefault(text, len(self._places))

    def all(self) -> list[str]:
        return list(self._places)


def payload(
    run: Run,
    requirements: Mapping[str, Requirement] | None = None,
    history: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Compact a run.

    Parameters
    ----------
    requirements : mapping of str to Requirement, optional
        What is known of requirements, by id; those on the run's operators are listed, checked or not.
    history : mapping, optional
        What `history.series.of_run` gives: the run's cases in earlier runs.
    """
    texts, checked = Texts(), Texts()
    for requirement in _of_operators(run, requirements or {}):
        checked.place(requirement.id)
    measures = Texts()
    with gc_paused():
        columns = [_case(record, texts, checked, measures) for record in run.records]
    names = list(columns[0]) if columns else []
    return {
        "run": _run(run),
        "environment": run.environment,
        "outcomes": [{"name": o.name, "good": o.good, "help": o.help} for o in OUTCOMES.values()],
        "cases": {name: [column[name] for column in columns] for name in names},
        "measures": measures.all(),
        "requirements": [_requirement(name, requirements or {}) for name in checked.all()],
        "causes": _causes(run),
        "texts": texts.all(),
        "times": _times(run),
        "history": history,
    }


def _run(run: Run) -> dict[str, Any]:
    facts = ("missing", "problems", "caution", "executed")
    return {
        **event(run.header),
        **{name: getattr(run, name) for name in facts},
        "summary": summary_line(run),
        "exit_code": exit_code(run),
    }


def _causes(run: Run) -> list[dict[str, Any]]:
    places = {record.id: place for place, record in enumerate(run.records)}
    return [
        {
            "outcome": list(OUTCOMES).index(cause.outcome),
            "operator": legible(cause.operator),
            "what": legible(cause.what),
            "cases": [places[record.id] for record in cause.records],
        }
        for cause in run.causes
    ]


def _times(run: Run) -> dict[str, Any]:
    headers, rows = performance.table(run)
    return {
        "headers": headers,
        "rows": [list(map(legible, row)) for row in rows],
        "notes": list(map(legible, performance.notes(run))),
    }


def _of_operators(run: Run, requirements: Mapping[str, Requirement]) -> Iterable[Requirement]:
    operators = {record.operator for record in run.records}
    return (entry for entry in requirements.values() if entry.operator in operators)


def _requirement(name: str, known: Mapping[str, Requirement]) -> dict[str, str]:
    if name not in known:
        return {"id": name, "section": "", "text": "", "status": "", "explanation": ""}
    fields = ("id", "section", "text", "status", "explanation")
    return {field: getattr(known[name], field) for field in fields}


def _case(record: Record, texts: Texts, checked: Texts, measures: Texts) -> dict[str, Any]:
    return {
        "id": legible(record.id),
        "operator": texts.place(record.operator),
        "outcome": list(OUTCOMES).index(record.outcome),
        "reason": texts.place(legible(record.reason)),
        "changed": texts.place(legible("; ".join(record.changed))),
        "issue": texts.place(record.issue),
        "artefact": texts.place(record.artefact),
        "left_out": texts.place(record.left_out and f"left out: {record.left_out}"),
        "log": texts.place(legible(record.log)),
        "origin": texts.place(record.origin),
        "seed": record.seed,
        "sizes": record.sizes,
        "repro": texts.place(record.repro.replace(record.id, "\0")),
        "requirements": [checked.place(name) for name in record.requirements],
        "seconds": {name: _digits(value) for name, value in record.seconds.items()},
        "notes": {name: _digits(value) for name, value in record.notes.items()},
        "outputs": [_output(verdict, record.is_good, texts, measures) for verdict in record.outputs],
    }


def _output(verdict: OutputVerdict, is_good: bool, texts: Texts, measures: Texts) -> dict[str, Any]:
    for name in (*verdict.measures, *verdict.thresholds):
        measures.place(name)
    shown = WORST_OF_GOOD if is_good else len(verdict.worst)
    fields = {
        "name": verdict.name,
        "outcome": verdict.outcome,
        "elements": verdict.elements,
        "matched": verdict.matched,
        "mismatched": verdict.mismatched,
        "resolution": "" if verdict.resolution is None else short(verdict.resolution),
        "measures": [
            _digits(verdict.measures[name]) if name in verdict.measures else None for name in measures.all()
        ],
        "thresholds": [
            [
                measures.place(name),
                _digits(limit.value),
                [texts.place(part) for part in limit.origin.split("; ")],
            ]
            for name, limit in verdict.thresholds.items()
        ],
        "worst": _elements(verdict.worst[:shown]),
        "mismatches": _elements(verdict.mismatches),
        "distribution": verdict.distribution and vars(verdict.distribution),
        "gtest": opinion(verdict.gtest) if verdict.gtest and verdict.is_disputed else "",
    }
    return {name: value for name, value in fields.items() if value}


def _elements(elements: Sequence[Element]) -> list[Any]:
    return [
        [list(element.index), exact(element.actual), exact(element.expected), _digits(element.error)]
        for element in elements
    ]


def _digits(value: float) -> float | str:
    return float(f"{value:.4g}") if math.isfinite(value) else str(value)
