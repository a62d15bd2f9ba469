"""Which cases a command line means."""

from __future__ import annotations

from typing import List, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
from mluops_conformance.language.query import parse_queries
from mluops_conformance.options import RunOptions, case_paths


def select(options: RunOptions, queries: Sequence[str]) -> List[Case]:
    """Load the case files that `options` names and keep what the queries select."""
