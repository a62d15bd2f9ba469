"""Case files -> cases, with every error of every file at once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional, Tuple

from mluops_conformance.language.casefile import read_text
from mluops_conformance.language.findings import Findings
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.language.nodes import Node
from mluops_conformance.language.problems import CaseFileError, Problem
from mluops_conformance.operators import operators as all_operators
from mluops_conformance.operators.base import Operator

__all__ = ["is_case_file", "load", "read"]

NOT_CASES = frozenset({"requirements", "suites", "thresholds", "known_issues"})
"""Files of these names lie among case files and have a language of their own."""


def is_case_file(path: Path) -> bool:
    """Whether a file holds cases, by its name."""
    return path.suffix in (".yaml", ".yml") and path.stem not in NOT_CASES


def load(paths: Iterable[Path], operators: Optional[Mapping[str, Operator]] = None) -> List[Case]:
    """The cases of files and folders; see `read`.

    Raises
    ------
    CaseFileError
        If anything is wrong in any of the files.
    """
    cases, problems = read(paths, operators)
    if problems:
        raise CaseFileError(problems)
    return cases


def read(
    paths: Iterable[Path], operators: Optional[Mapping[str, Operator]] = None
) -> Tuple[List[Case], List[Problem]]:
    """Read case files, and those in folders and their subfolders.

    Parameters
    ----------
    paths : iterable of path
    operators : mapping of str to Operator, optional
        The operators that there are; those of the project by default.

    Returns
    -------
    cases : list of Case
        In the order of the files and of their entries, without those that have a problem.
    problems : list of Problem
        Everything that is wrong, in the same order. Ids are unique over all files.
    """
    known = all_operators() if operators is None else operators
    cases: List[Case] = []
    problems: List[Problem] = []
    seen: Dict[str, Origin] = {}
    for path in paths:
        found = Findings(_shown(path))
        files = _case_files(path, found)
        problems += found.problems
        for file in files:
            found = Findings(_shown(file))
            text = _text_of(file, found)
            cases += [] if text is None else read_text(text, known, seen, found)
            problems += found.problems
    return cases, problems


def _case_files(path: Path, found: Findings) -> List[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*") if is_case_file(file))
    if not files:
        found.at(Node(None, 1, 1), "no case file (*.yaml) lies in this folder")
    return files


def _text_of(file: Path, found: Findings) -> Optional[str]:
    """What a file holds; None, and the reason noted, where it cannot be read as text."""
    try:
        data = file.read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        found.at(Node(None, 1, 1), f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = Node(None, before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))
        found.at(place, f"the byte 0x{data[error.start]:02x} is not UTF-8")
    return None


def _shown(path: Path) -> str:
    """A path as seen from the current folder, whole where it lies outside."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith(os.pardir) else relative
