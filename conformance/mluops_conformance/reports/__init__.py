"""Render a stored run: one module a format, each with a pure function `render(run) -> str`.

`commands`, `comparison`, `engine`, `history` and the module `cli` may import it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mluops_conformance.results.reader import Run

FORMATS = ("text", "junit", "json", "markdown", "html", "csv")


def render(run: Run, format: str, **options: Any) -> str:
    """Render a run in one of `FORMATS`; `options` are those of its `render` (`colour` of text)."""
    if format not in FORMATS:
        raise ValueError(f"unknown report format {format!r}; there are {', '.join(FORMATS)}")
    report: str = import_module(f"{__name__}.{format}").render(run, **options)
    return report
