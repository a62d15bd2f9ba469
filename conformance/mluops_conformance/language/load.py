"""Case files -> cases, with every error of every file at once."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Iterable, Mapping

from mluops_conformance.language.casefile import cases_of
from mluops_conformance.language.documents import findings_of, read_document
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.language.nodes import START, Node
from mluops_conformance.language.problems import CaseFileError, Problem
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators import operators as all_operators
from mluops_conformance.operators.base import Operator
from mluops_conformance.support.reading import gc_paused

__all__ = ["is_case_file", "load", "read"]

NOT_CASES = frozenset({"requirements", "suites", "thresholds", "known_issues", "competitors"})
"""Files of these names lie among case files and have a language of their own."""

MARKS = frozenset({"operator", "cases"})
"""Keys that a case file has."""
MARKED = re.compile(rb"^(operator|cases)[ \t]*:", re.MULTILINE)


def is_case_file(path: Path) -> bool:
    """Whether a file holds cases, by its name."""
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
