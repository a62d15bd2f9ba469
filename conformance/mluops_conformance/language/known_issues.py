"""`known_issues.yaml`: cases that are known not to pass, why, where and until when.

The first entry that concerns a case is the one that it stands under.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Iterable, Iterator, Sequence

from mluops_conformance.language.documents import Findings, read_documents, unknown
from mluops_conformance.language.expressions import satisfies
from mluops_conformance.language.fields import read_fields
from mluops_conformance.language.kinds import items, mapping
from mluops_conformance.language.model import Case, CaseFileError, Origin, Problem
from mluops_conformance.language.nodes import Node, origin_of
from mluops_conformance.language.query import Query, complaints
from mluops_conformance.operators import operators
from mluops_conformance.support.files import cases_root

__all__ = ["KnownIssue", "issue_of", "known_issues", "own_file", "problems_with", "read_known_issues"]


OF_OUTPUTS = frozenset({"values", "repetition", "memory"})
"""Faults that a call which computes nothing cannot have by a wrong kernel."""


@dataclass(frozen=True)
class KnownIssue:
    """An entry; its fields are those of `fields`, and `str()` is how reports name it."""

    cases: tuple[Query, ...]
    reason: str
    links: tuple[str, ...]
    expires: date
    origin: Origin
    fails: str = "always"
    explains: frozenset[str] = frozenset({"values"})
    backend: str = ""
    library: str = ""
    series: frozenset[str] = frozenset()
    cause: str = ""

    def __str__(self) -> str:
        return f"{self.reason} ({', '.join(self.links)}; until {self.expires})"

    def concerns(
        self,
        case: Case,
        backend: str,
        devices: Sequence[str],
        version: Sequence[int],
        causes: Sequence[str] = (),
    ) -> bool:
        """Return True if the entry covers a case on this backend, device and library, expired or not.

        An entry with a cause concerns a case only where this cause explains all its wrong values. One that
        explains outputs alone concerns no case that must be refused.
        """
        return (
            not (case.refused and self.explains <= OF_OUTPUTS)
            and (not self.cause or set(causes) == {self.cause})
            and self.backend in ("", backend, "device" if backend == "cpu" else "")  # a CPU runs its code
            and (not self.series or any(name.startswith(tuple(self.series)) for name in devices))
            and any(query.holds(case) for query in self.cases)
            and satisfies(version, self.library)
        )


def issue_of(
    case: Case,
    issues: Iterable[KnownIssue],
    *,
    backend: str,
    devices: Sequence[str],
    version: Sequence[int],
    causes: Sequence[str] = (),
) -> KnownIssue | None:
    """The issue that a case stands under, if any.

    Parameters
    ----------
    case : Case
    issues : iterable of KnownIssue
    backend : str
        "device", "cpu" or "emulator".
    devices : sequence of str
        The names of the device: the card's, and the one that mlu-ops takes it for.
    version : sequence of int
        libmluops'.
    causes : sequence of str
        What explains the wrong values of its record.
    """
    here = (backend, devices, version, causes)
    return next((issue for issue in issues if issue.concerns(case, *here)), None)


def own_file() -> Path:
    """The known issues of the built-in cases."""
    return cases_root() / "known_issues.yaml"


@lru_cache(maxsize=4)
def known_issues(files: tuple[str, ...] = ()) -> tuple[KnownIssue, ...]:
    """The known issues of further files, and those of the built-in cases behind them.

    Raises
    ------
    CaseFileError
        If anything is wrong in any of the files.
    """
    issues, problems = read_known_issues([*map(Path, files), own_file()])
    if problems:
        raise CaseFileError(problems)
    return tuple(issues)


def read_known_issues(files: Iterable[Path]) -> tuple[list[KnownIssue], list[Problem]]:
    """The entries of several files, those that are right, and everything that is wrong."""
    return read_documents(files, _issues)


def problems_with(issues: Iterable[KnownIssue], cases: Sequence[Case], today: date) -> Iterator[Problem]:
    """Entries that are of no use any more: expired, or with a query that selects none of all cases."""
    for issue in issues:
        if issue.expires < today:
            yield Problem(issue.origin, f"expired on {issue.expires}; look at it again, or remove it")
        for error in complaints(issue.cases, cases):
            yield Problem(issue.origin, f"concerns nothing: {error}")


def known_causes() -> frozenset[str]:
    """Names of the weaknesses that any operator can tell."""
    return frozenset(name for operator in operators().values() for name in operator.causes)


def _issues(root: Node, found: Findings) -> Iterator[KnownIssue]:
    if root.value == {}:
        return
    for place in found.read(items, "a file of known issues", root, "entries") or ():
        before = found.reports
        entries = found.read(mapping, "a known issue", place)
        if entries is None:
            continue
        fields = read_fields("known issue", entries, place, found)
        cause = fields.get("cause", "")
        if cause and cause not in known_causes():
            found.note(unknown(entries["cause"], "cause", cause, known_causes()))
        if found.reports == before:
            yield KnownIssue(origin=origin_of(place.mark, found.file), **fields)
