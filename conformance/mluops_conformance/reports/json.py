"""The run as one JSON document, schema version 1: the events of results.jsonl, gathered and counted.

A cause is {"outcome", "operator", "what", "cases": [ids, that of the smallest case first]}.
"""

from __future__ import annotations

import json
from typing import Any

from mluops_conformance.reports.text import summary_line
from mluops_conformance.results.outcomes import Cause, exit_code
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import SCHEMA_VERSION, event


def render(run: Run) -> str:
    """The run; `cases` are finished events as in `results.record`, in the order in which they began."""
    document = {
        "schema": SCHEMA_VERSION,
        "summary": summary_line(run),
        "exit_code": exit_code(run),
        "counts": run.counts,
        "executed": run.executed,
        "missing": run.missing,
        "emulated": run.emulated,
        "caution": run.caution,
        "run": event(run.header),
        "environment": run.environment,
        "problems": run.problems,
        "causes": [_cause(cause) for cause in run.causes],
        "cases": [event(record) for record in run.records],
    }
    return json.dumps(document, indent=2, allow_nan=False)


def _cause(cause: Cause) -> dict[str, Any]:
    facts = {"outcome": cause.outcome, "operator": cause.operator, "what": cause.what}
    return {**facts, "cases": [record.id for record in cause.records]}
