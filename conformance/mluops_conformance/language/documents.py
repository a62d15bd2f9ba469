"""Read a YAML document, and collect what is wrong with it."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any, Callable, Iterable, TypeVar

from mluops_conformance.language.model import Problem, suggestion
from mluops_conformance.language.nodes import START, Node, Value, compose, mark_behind, number_hint, origin_of
from mluops_conformance.support.files import LARGEST, regular_file

__all__ = [
    "Findings",
    "UnfitError",
    "files_named",
    "findings_of",
    "read_document",
    "read_documents",
    "unknown",
    "wanted",
]


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


class UnfitError(Exception):
    """A value that is not what its field holds: each place in it, and what is wrong there."""

    def __init__(self, *places: tuple[Node, str]) -> None:
        super().__init__(places)
        self.places = places


def wanted(node: Node, name: str, what: str) -> UnfitError:
    """The value of `name` is of the wrong kind."""
    shown, hint = _shown(node.value), ""
    if what.endswith("number") and isinstance(node.value, str):
        hint = number_hint(node.value)
    elif what == "text" and isinstance(node.value, (bool, int, float)):
        hint = "; quote it"
    return UnfitError((node, f"{name} needs {what}, got {shown}{hint}"))


def unknown(node: Node, what: str, word: str, known: Iterable[str]) -> UnfitError:
    """A word names nothing."""
    return UnfitError((node, f"unknown {what} '{word}'{suggestion(word, known)}"))


def _shown(value: Value) -> str:
    if isinstance(value, (dict, list)):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None:
        return "nothing"
    return repr(value).lower() if isinstance(value, bool) else repr(value)


class Findings:
    """The problems of one file, each once though many cases may share its place.

    Attributes
    ----------
    reports : int
        How many problems were reported, repetitions included: it grows whenever a case has one.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.reports = 0
        self._found: dict[Problem, None] = {}

    @cached_property
    def folder(self) -> Path:
        """The folder of the file."""
        return Path(self.file).parent

    @property
    def problems(self) -> list[Problem]:
        """All problems, in the order of their places."""
        return sorted(self._found, key=lambda problem: (problem.origin.line, problem.origin.column))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Take over what others found."""
        for problem in problems:
            self.reports += 1
            self._found[problem] = None

    def at(self, node: Node, text: str) -> None:
        """Something is wrong with a value."""
        self.extend([Problem(origin_of(node.mark, self.file), text)])

    def at_key(self, node: Node, text: str) -> None:
        """Something is wrong with the key that a value stands under."""
        self.extend([Problem(origin_of(node.key, self.file), text)])

    def note(self, unfit: UnfitError) -> None:
        """A value is unfit."""
        for place, text in unfit.places:
            self.at(place, text)

    def unknown_key(self, node: Node, what: str, word: str, known: Iterable[str]) -> None:
        """The key that a value stands under names nothing."""
        self.at_key(node, f"unknown {what} '{word}'{suggestion(word, known)}")

    def read(self, reader: Callable[..., T], name: str, node: Node, *more: Any) -> T | None:
        """Return the value as the reader gives it; note its complaints and return None if it is unfit."""
        try:
            return reader(name, node, *more)
        except UnfitError as unfit:
            self.note(unfit)
            return None
