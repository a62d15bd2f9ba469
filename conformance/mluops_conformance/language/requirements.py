"""`requirements.yaml`: the statements of an operator's document, and what becomes of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Iterable, Iterator, Mapping

from mluops_conformance.language.documents import Findings, files_named, read_documents
from mluops_conformance.language.fields import read_fields, read_listing
from mluops_conformance.language.kinds import mapping
from mluops_conformance.language.model import Case, CaseFileError, Origin, Problem, suggestion
from mluops_conformance.language.nodes import Node, origin_of
from mluops_conformance.operators import case_folders

__all__ = [
    "CONTRADICTED",
    "NOT_TESTABLE",
    "TESTED",
    "Requirement",
    "complaint",
    "contradictions",
    "own_requirements",
    "problems_with",
    "read_requirements",
    "requirement_files",
]

TESTED, NOT_TESTABLE, CONTRADICTED = "tested", "not-testable", "contradicted"

EXPLANATIONS = {NOT_TESTABLE: "reason", CONTRADICTED: "library"}
"""The field that a status asks for; no other status may have it."""


@dataclass(frozen=True)
class Requirement:
    """A statement of a document.

    Parameters
    ----------
    id : str
        "<operator>/<section>/<slug>".
    operator, document, section, text : str
    status : str
        `TESTED`, `NOT_TESTABLE` or `CONTRADICTED`.
    origin : Origin
    reason : str
        Why it is not testable.
    library : str
        What the library does instead.
    """

    id: str
    operator: str
    document: str
    section: str
    text: str
    status: str
    origin: Origin
    reason: str = ""
    library: str = ""

    @property
    def explanation(self) -> str:
        """The reason for which cases need not check it; empty if it is tested."""
        return self.reason or self.library


def own_requirements() -> Mapping[str, Requirement]:
    """The statements on the operators that are found, by id."""
    return _requirements_in(case_folders())


@lru_cache(maxsize=None)
def _requirements_in(folders: tuple[Path, ...]) -> Mapping[str, Requirement]:
    requirements, problems = read_requirements(requirement_files(folders))
    if problems:
        raise CaseFileError(problems)
    return requirements


def requirement_files(paths: Iterable[Path]) -> list[Path]:
    """The files of requirements in folders and their subfolders."""
    return files_named("requirements.yaml", paths)


def read_requirements(files: Iterable[Path]) -> tuple[dict[str, Requirement], list[Problem]]:
    """The statements of several files by id, those that are right, and everything that is wrong."""
    known: dict[str, Requirement] = {}
    _, problems = read_documents(files, partial(_requirements, known))
    return known, problems


def complaint(name: str, known: Mapping[str, Requirement]) -> str:
    """Return the reason for which a case cannot check a requirement of that id; empty if it can."""
    if name not in known:
        return f"checks '{name}', which no requirements file has{_meant(name, known)}"
    if known[name].status == NOT_TESTABLE:
        return f"checks '{name}', which is {NOT_TESTABLE}, says {known[name].origin}"
    return ""


def _meant(name: str, known: Iterable[str]) -> str:
    """The statement of the same operator that was meant, or that it has none."""
    operator = name.partition("/")[0]
    stated = [other for other in known if other.startswith(f"{operator}/")]
    return suggestion(name, stated) if stated else f" (no requirements.yaml is of '{operator}')"


def problems_with(cases: Iterable[Case], wanted: Mapping[str, Requirement]) -> Iterator[Problem]:
    """The requirements that must have a case, being `TESTED`, and have none."""
    checked = {name for case in cases for name in case.checks}
    for name, requirement in wanted.items():
        if requirement.status == TESTED and name not in checked:
            yield Problem(requirement.origin, f"no case checks '{name}'")


def contradictions(cases: Iterable[Case], known: Mapping[str, Requirement]) -> dict[str, dict[str, str]]:
    """Return the contradictions of document and library that the cases check, by requirement id."""
    checked = {name for case in cases for name in case.checks}
    return {
        name: {"document": requirement.text, "library": requirement.library}
        for name, requirement in known.items()
        if name in checked and requirement.status == CONTRADICTED
    }


def _requirements(known: dict[str, Requirement], root: Node, found: Findings) -> Iterator[Requirement]:
    """The statements of a file whose ids are not among the known ones, which they become."""
    head, places = read_listing("requirements", "requirements", root, found)
    for place in places:
        requirement = _requirement(place, head, found)
        if requirement is not None:
            first = known.setdefault(requirement.id, requirement)
            if first is requirement:
                yield requirement
            else:
                found.at(place, f"id {requirement.id} is taken, by {first.origin}")


def _requirement(place: Node, head: Mapping[str, str], found: Findings) -> Requirement | None:
    before = found.reports
    entries = found.read(mapping, "a requirement", place)
    if entries is None:
        return None
    fields = read_fields("requirement", entries, place, found)
    if found.reports > before or "operator" not in head:
        return None
    _check_id(fields["id"], f"{head['operator']}/{fields['section']}/", entries["id"], found)
    _check_explanation(fields["status"], entries, found)
    if found.reports > before:
        return None
    document, origin = head.get("document", ""), origin_of(place.mark, found.file)
    return Requirement(operator=head["operator"], document=document, origin=origin, **fields)


def _check_id(name: str, beginning: str, node: Node, found: Findings) -> None:
    if not name.startswith(beginning) or name == beginning:
        found.at(node, f"id '{name}' needs '{beginning}' before its own word")


def _check_explanation(status: str, entries: dict[str, Node], found: Findings) -> None:
    for explained, field in EXPLANATIONS.items():
        if status == explained and field not in entries:
            found.at(entries["status"], f"status {status} needs '{field}'")
        elif status != explained and field in entries:
            found.at_key(entries[field], f"{field} goes with the status {explained}")
