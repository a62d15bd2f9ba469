"""Comparisons for people and programs: one module a format, each with `render(comparison) -> str`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mluops_conformance.comparison.compare import Comparison

FORMATS = ("text", "markdown", "html", "json")


def render(comparison: Comparison, format: str, colour: bool = False) -> str:
    """Render a comparison in one of `FORMATS`; of them, text can be in colour."""
    module = import_module(f"{__name__}.{format}")
    document: str = module.render(comparison, colour) if format == "text" else module.render(comparison)
    return document
