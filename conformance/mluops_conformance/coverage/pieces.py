"""Name the pieces that an operator lacks, and the marks that a skeleton left to be filled in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Iterable, Iterator, Mapping, Sequence

import mluops_reference

from mluops_conformance.language.model import Case, Origin, Problem
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators import case_folders, source_of, the_operator
from mluops_conformance.operators.discovery import HERE, line_of_operator
from mluops_conformance.support.files import cases_root

__all__ = ["MARK", "pieces_missing"]

MARK = "FILL IN"
"""Stands in files of a skeleton on each line that a person must complete."""

IN_TREE = {
    "bindings/mluops/operators/{name}.py": "wrapper",
    "bindings/mluops_emulator/operators/{name}.py": "emulated kernel",
    "bindings/mluops_emulator/faults/{name}.py": "planted faults",
    "docs/operators/{name}.md": "page (python -m mluops_conformance.coverage.page docs/operators)",
}
"""Files of an operator of the project by path, and what each holds."""
MAY_HOLD_MARKS = (
    *(path for path in IN_TREE if path.endswith(".py")),
    "reference/mluops_reference/{name}.py",
    "reference/tests/test_{name}.py",
)


def pieces_missing(
    names: Iterable[str], cases: Sequence[Case], stated: Mapping[str, Requirement]
) -> Iterator[Problem]:
    """Yield what is missing of each operator, at its definition, and the marks in its files.

    Parameters
    ----------
    names : iterable of str
        The operators to look at.
    cases : sequence of Case
        All cases.
    stated : mapping of str to Requirement
        All requirements by id.
    """
    for name in names:
        file = source_of(name).file
        place = Origin(_shown(file), line_of_operator(file))
        own = [case for case in cases if case.operator == name]
        for piece in (*_missing_anywhere(name, own, stated), *_missing_in_tree(name, file)):
            yield Problem(place, f"operator '{name}' has no {piece}")
        yield from _marks(name, file)


def _missing_anywhere(name: str, cases: Sequence[Case], stated: Mapping[str, Requirement]) -> Iterator[str]:
    if not any(requirement.operator == name for requirement in stated.values()):
        yield f"requirements: write cases/{name}/requirements.yaml"
    dtypes = the_operator(name).dtypes
    dtype = "float32" if "float32" in dtypes else dtypes[0]
    if not any(_computes(case) and case.dtype == dtype for case in cases):
        yield f"{dtype} case whose outputs are checked: write one with the tag network"


def _computes(case: Case) -> bool:
    return case.mode == "check" and case.compare and case.call == "operator"


def _missing_in_tree(name: str, file: Path) -> Iterator[str]:
    """Yield the pieces that only operators of the project must have."""
    if file.parent != HERE:
        return
    if not hasattr(mluops_reference, name):
        yield f"reference: mluops_reference publishes no {name}"
    root = cases_root().parent
    if not (root / "pyproject.toml").is_file():  # an installation has neither tests nor pages
        return
    word = re.compile(rf"\b{name}\b")
    tests = (root / "reference/tests").glob("test_*.py")
    if not any(word.search(test.read_text(encoding="utf-8")) for test in tests):
        yield f"known answers: write reference/tests/test_{name}.py"
    for path, piece in IN_TREE.items():
        if not (root / path.format(name=name)).is_file():
            yield f"{piece}: {path.format(name=name)}"


def _marks(name: str, file: Path) -> Iterator[Problem]:
    for other in _files_of(name, file):
        for number, line in enumerate(other.read_text(encoding="utf-8").splitlines(), 1):
            if MARK in line:
                column = line.index(MARK)
                what = line[column:].partition('"')[0].rstrip()
                yield Problem(Origin(_shown(other), number, column + 1), what)


def _files_of(name: str, file: Path) -> Iterator[Path]:
    yield file
    for folder in case_folders():
        yield from sorted((folder / name).glob("*.yaml"))
    if file.parent == HERE:
        paths = (cases_root().parent / path.format(name=name) for path in MAY_HOLD_MARKS)
        yield from filter(Path.is_file, paths)


def _shown(file: Path) -> str:
    """Return a path as seen from the current folder, where it lies below."""
    try:
        return str(file.relative_to(Path.cwd().resolve()))
    except ValueError:
        return str(file)
