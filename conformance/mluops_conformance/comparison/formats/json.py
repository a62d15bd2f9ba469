"""For programs: everything, as one document, schema version 1."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from mluops_conformance.comparison.compare import Comparison
from mluops_conformance.comparison.tables import verdict
from mluops_conformance.results.reader import Run

SCHEMA_VERSION = 1


def render(comparison: Comparison) -> str:
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
        "base": _run(comparison.base),
        "new": _run(comparison.new),
        **{name: [_entry(entry) for entry in getattr(comparison, name)] for name in LISTS},
    }
    return json.dumps(document, indent=2, allow_nan=False)


LISTS = ("changes", "drifts", "timings", "loosened", "differences")


def _run(run: Run) -> dict[str, Any]:
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
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
