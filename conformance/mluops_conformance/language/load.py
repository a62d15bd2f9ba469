"""Load case files, select cases by query, and read the suites that queries name."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Collection, Iterable, Mapping, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.casefile import cases_of
from mluops_conformance.language.documents import findings_of, read_document
from mluops_conformance.language.kinds import mapping, queries
from mluops_conformance.language.model import Case, CaseFileError, Origin, Problem
from mluops_conformance.language.nodes import START, Node
from mluops_conformance.language.query import Query, QueryError, parse_queries
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators import case_folders
from mluops_conformance.operators import operators as all_operators
from mluops_conformance.operators.base import Operator
from mluops_conformance.support.files import cases_root, gc_paused

__all__ = [
    "case_paths",
    "is_case_file",
    "load",
    "load_cases",
    "load_for",
    "narrowed",
    "own_suites",
    "read",
    "read_suites",
    "select",
]


NOT_CASES = frozenset({"requirements", "suites", "thresholds", "known_issues", "competitors"})
"""Files of these names lie among case files and have a language of their own."""

MARKS = frozenset({"operator", "cases"})
"""Keys that a case file has."""
MARKED = re.compile(rb"^(operator|cases)[ \t]*:", re.MULTILINE)


def is_case_file(path: Path) -> bool:
    """Return whether a file holds cases, by its name."""
    return path.suffix in (".yaml", ".yml") and path.stem not in NOT_CASES


def load(
    paths: Iterable[Path],
    operators: Mapping[str, Operator] | None = None,
    among: Iterable[Path] = (),
) -> list[Case]:
    """The cases of files and folders; see `read`.

    Raises
    ------
    CaseFileError
        If anything is wrong in any of the files.
    """
    cases, problems = read(paths, operators, among=among)
    if problems:
        raise CaseFileError(problems)
    return cases


def read(
    paths: Iterable[Path],
    operators: Mapping[str, Operator] | None = None,
    stated: Mapping[str, Requirement] | None = None,
    among: Iterable[Path] = (),
) -> tuple[list[Case], list[Problem]]:
    """Read case files, and those in folders and their subfolders.

    Parameters
    ----------
    paths : iterable of path
    operators : mapping of str to Operator, optional
        The operators that there are; those of the project by default.
    stated : mapping of str to Requirement, optional
        The requirements that cases may check, by id; any by default.
    among : iterable of path, optional
        Further files, of which those that have no cases are left out, as the YAML files of other programs.

    Returns
    -------
    cases : list of Case
        In the order of the files and of their entries, without those that have a problem.
    problems : list of Problem
        Everything that is wrong, in the same order. Ids are unique over all files.
    """
    known = all_operators() if operators is None else operators
    cases: list[Case] = []
    problems: list[Problem] = []
    seen: dict[str, Origin] = {}
    files = {os.path.realpath(file): file for path in paths for file in _case_files(path, problems)}
    others = {os.path.realpath(file): file for file in among}
    with gc_paused():
        for name, file in {**others, **files}.items():
            root, found = read_document(file)
            if name not in files and not _has_cases(root, file):
                continue
            cases += [] if root is None else cases_of(root, known, seen, found, stated)
            problems += found.problems
    return cases, problems


def _case_files(path: Path, problems: list[Problem]) -> list[Path]:
    if not path.is_dir():
        return [path]
    inside = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)  # follows no link
    files = sorted(filter(is_case_file, inside))
    if not files:
        found = findings_of(path)
        found.at(Node(None, START), "no case file (*.yaml) lies in this folder")
        problems += found.problems
    return files


def _has_cases(root: Node | None, file: Path) -> bool:
    """Return whether a file is one of cases, as its keys say, or its text where it is not YAML of ours."""
    if root is not None:
        return isinstance(root.value, dict) and not MARKS.isdisjoint(root.value)
    try:
        return MARKED.search(file.read_bytes()) is not None
    except OSError:
        return False


def select(given: Sequence[str], queries: Sequence[str]) -> list[Case]:
    """Load case files, those that are built in by default, and keep what the queries select.

    Raises
    ------
    UserError
        A file is wrong, a query names what does not exist, or nothing is selected.
    """
    return parse_queries(queries).select(load_for(case_paths(given), queries))


def load_for(paths: tuple[Path, ...], queries: Sequence[str]) -> tuple[Case, ...]:
    """Return the cases of files and folders; of the project's own, at least those that queries select.

    The project's cases of other operators are not read, unless the queries name something that is missing;
    an error then lists what exists.
    """
    wanted = parse_queries(queries)
    narrow = narrowed(paths, wanted.operators())
    if narrow != paths:
        cases = load_cases(narrow)
        with suppress(QueryError):
            wanted.select(cases)
            return cases
    return load_cases(paths)


def narrowed(paths: tuple[Path, ...], operators: Collection[str] | None) -> tuple[Path, ...]:
    """Return paths with the folders of some operators, if any, in place of the project's folder of cases."""
    if operators is None:
        return paths
    root = cases_root()
    own = tuple(root / name for name in sorted(operators) if (root / name).is_dir())
    return tuple(part for path in paths for part in (own if path == root else (path,)))


def case_paths(given: Sequence[str]) -> tuple[Path, ...]:
    """Return the case files and folders named on a command line, or all that are found without one.

    Raises
    ------
    UserError
        One of them does not exist.
    """
    paths = tuple(Path(text) for text in given) or case_folders()
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise UserError(f"no such case file or folder: {', '.join(missing)}")
    return paths


@lru_cache(maxsize=32)
def load_cases(paths: tuple[Path, ...], among: tuple[Path, ...] = ()) -> tuple[Case, ...]:
    """Return the cases of files and folders, read once in a process: a run does not follow edits.

    Parameters
    ----------
    among : tuple of path, optional
        Further files, of which those that have no cases are left out.
    """
    return tuple(load(paths, among=among))


@lru_cache(maxsize=1)
def own_suites() -> dict[str, tuple[Query, ...]]:
    """The suites of the built-in cases."""
    return read_suites(cases_root() / "suites.yaml")


def read_suites(file: Path) -> dict[str, tuple[Query, ...]]:
    """The queries of each suite of a file.

    Raises
    ------
    CaseFileError
        If anything is wrong in it. A suite may not name another.
    """
    root, found = read_document(file)
    nodes = None if root is None else found.read(mapping, "a file of suites", root)
    suites = {name: found.read(queries, name, node) for name, node in (nodes or {}).items()}
    if found.reports:
        raise CaseFileError(found.problems)
    return {name: alternatives for name, alternatives in suites.items() if alternatives is not None}
