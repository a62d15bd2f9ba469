"""Find the cases that a command line means."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
from mluops_conformance.language.query import parse_queries
from mluops_conformance.support.reading import cases_root

__all__ = ["case_paths", "load_cases", "select"]


def select(given: Sequence[str], queries: Sequence[str]) -> list[Case]:
    """Load case files, those that are built in by default, and keep what the queries select.

    Raises
    ------
    UserError
        A file is wrong, a query names what does not exist, or nothing is selected.
    """
    wanted = parse_queries(queries)
    return wanted.select(load_cases(case_paths(given)))


def case_paths(given: Sequence[str]) -> tuple[Path, ...]:
    """Return the case files and folders named on a command line, or the folder of built-in cases.

    Raises
    ------
    UserError
        One of them does not exist.
    """
    paths = tuple(Path(text) for text in given) or (cases_root(),)
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise UserError(f"no such case file or folder: {', '.join(missing)}")
    return paths


@lru_cache(maxsize=8)
def load_cases(paths: tuple[Path, ...], among: tuple[Path, ...] = ()) -> tuple[Case, ...]:
    """Return the cases of files and folders, read once in a process: a run does not follow edits.

    Parameters
    ----------
    among : tuple of path, optional
        Further files, of which those that have no cases are left out.
    """
    return tuple(load(paths, among=among))
