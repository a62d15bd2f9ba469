"""Reports: pure functions of a stored run, one module a format, each with `render(run) -> str`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mluops_conformance.results.reader import Run

FORMATS = ("text", "junit", "json", "markdown", "csv")


def render(run: Run, format: str, colour: bool = False) -> str:
    """Render a run in one of `FORMATS`; of them, text can be in colour."""
    if format not in FORMATS:
        raise ValueError(f"no report format is called {format!r}; there are {', '.join(FORMATS)}")
    module = import_module(f"{__name__}.{format}")
    report: str = module.render(run, colour) if format == "text" else module.render(run)
    return report
