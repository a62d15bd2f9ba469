"""One page that holds the whole run: failures first, filters, requirements, accuracy, history.

The run stands in it as compressed JSON, which scripts in the page lay out: so it stays small and quick with
50 000 cases, and loads nothing. Where scripts do not run, as in Jenkins' workspace, it shows the text report.
"""

from __future__ import annotations

import base64
import gzip
import json
from html import escape
from string import Template
from typing import Any, Mapping

from mluops_conformance.language.requirements import Requirement
from mluops_conformance.reports import text
from mluops_conformance.reports.page import ASSETS, page
from mluops_conformance.reports.payload import payload
from mluops_conformance.results.reader import Run
from mluops_conformance.support.formatting import legible

SCRIPTS = ("dom.js", "run.js", "plots.js", "list.js", "detail.js", "pages.js", "main.js")
WITHOUT_SCRIPTS = 50
"""Cases that the text report in the page has in full: so many that nobody waits for it."""


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
