"""What is wrong with a case file, and where."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Iterable, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.model import Origin

__all__ = ["CaseFileError", "Problem", "suggestion"]

SHOWN = 12
"""Known names that an error lists where none is close."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong; `str()` gives "file:line:column: text"."""

    origin: Origin
    text: str

    def __str__(self) -> str:
        return f"{self.origin}: {self.text}"


class CaseFileError(UserError):
    """Case files that cannot be used; the text holds all problems, one a line."""

    prefixed = False

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems: tuple[Problem, ...] = tuple(problems)


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of an error on an unknown `word`: the name that was meant, or the names that exist."""
    names = sorted(known)
    by_folded = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), by_folded, n=1)
    if close:
        return f" (did you mean '{by_folded[close[0]]}'?)"
    if not names:
        return " (there are none)"
    more = ", ..." if len(names) > SHOWN else ""
    return f" (there are: {', '.join(names[:SHOWN])}{more})"
