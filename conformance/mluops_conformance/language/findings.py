"""Problems of one case file, as they are found."""

from __future__ import annotations

from typing import Any, Callable, Iterable, TypeVar

from mluops_conformance.language.nodes import Node, Value, origin_of
from mluops_conformance.language.problems import Problem, suggestion
from mluops_conformance.language.scalars import number_hint

__all__ = ["Findings", "UnfitError", "unknown", "wanted"]

T = TypeVar("T")


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
    return UnfitError((node, f"{name} wants {what}, got {shown}{hint}"))


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
        """What the reader makes of a value; None, and its complaints noted, where it is unfit."""
        try:
            return reader(name, node, *more)
        except UnfitError as unfit:
            self.note(unfit)
            return None
