"""YAML files, read into nodes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Callable, Iterable, TypeVar

from mluops_conformance.language.findings import Findings
from mluops_conformance.language.nodes import START, Node, compose, mark_behind
from mluops_conformance.language.problems import Problem
from mluops_conformance.support.reading import LARGEST, regular_file

__all__ = ["files_named", "findings_of", "read_document", "read_documents"]

T = TypeVar("T")


def files_named(name: str, paths: Iterable[Path]) -> list[Path]:
    """The files of that name in folders and their subfolders."""
    return sorted(file for path in paths if path.is_dir() for file in path.rglob(name))


def findings_of(path: Path) -> Findings:
    """Findings under the path as seen from the current folder, or the whole path where it lies outside."""
    relative = os.path.relpath(path)
    return Findings(str(path) if relative.startswith(os.pardir) else relative)


def read_document(file: Path) -> tuple[Node | None, Findings]:
    """The root of a YAML file, an empty mapping where it is empty, and what is wrong with the file.

    There is no root where the file cannot be read, is not UTF-8 or not YAML.
    """
    found = findings_of(file)
    text = _text(file, found)
    if text is None:
        return None, found
    root, problems = compose(text, found.file)
    found.extend(problems)
    return root, found


def read_documents(
    files: Iterable[Path], entries_of: Callable[[Node, Findings], Iterable[T]]
) -> tuple[list[T], list[Problem]]:
    """The entries of several files, those that are right, and everything that is wrong.

    Parameters
    ----------
    files : iterable of Path
    entries_of : callable
        Gives the right entries below a root, and notes what is wrong with the others.
    """
    entries: list[T] = []
    problems: list[Problem] = []
    for file in files:
        root, found = read_document(file)
        if root is not None:
            entries += entries_of(root, found)
        problems += found.problems
    return entries, problems


def _text(file: Path, found: Findings) -> str | None:
    try:
        data = regular_file(file, LARGEST).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        found.at(Node(None, START), f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        mark = mark_behind(data[: error.start].decode("utf-8-sig"))
        found.at(Node(None, mark), f"the byte 0x{data[error.start]:02x} is not UTF-8")
    return None
