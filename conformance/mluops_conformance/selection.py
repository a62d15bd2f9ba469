"""Which cases a command line means."""

from __future__ import annotations

from typing import Sequence

from mluops_conformance.language.model import Case
from mluops_conformance.options import RunOptions


def select(options: RunOptions, queries: Sequence[str]) -> list[Case]:
    """Load the case files that `options` names and keep what the queries select."""
