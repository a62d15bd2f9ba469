"""Which cases a command line means."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Sequence

from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
from mluops_conformance.language.query import parse_queries
from mluops_conformance.options import RunOptions, case_paths


def select(options: RunOptions, queries: Sequence[str]) -> list[Case]:
    """Load the case files that `options` names and keep what the queries select.

    Raises
    ------
    UserError
        A file is wrong, a query names what does not exist, or nothing is selected.
    """
    wanted = parse_queries(queries)
    return wanted.select(load_cases(case_paths(options.cases)))


@lru_cache(maxsize=8)
def load_cases(paths: tuple[Path, ...]) -> tuple[Case, ...]:
    """The cases of files and folders, read once in a process: a run does not follow edits."""
    return tuple(load(paths))
