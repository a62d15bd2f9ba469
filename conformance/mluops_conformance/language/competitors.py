"""`competitors.yaml`: what an operator's document says of other devices, case by case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Iterable, Iterator, Mapping, Sequence

from mluops_conformance.language.documents import Findings, files_named, read_documents
from mluops_conformance.language.fields import read_fields, read_listing
from mluops_conformance.language.kinds import mapping
from mluops_conformance.language.model import Case, CaseFileError, Origin, Problem
from mluops_conformance.language.nodes import Node, origin_of
from mluops_conformance.language.query import Query, complaints
from mluops_conformance.performance.times import Competitor

__all__ = ["Figure", "competitor_files", "competitors_of", "figures", "problems_with", "read_competitors"]

PER_CENT = 0.01


@dataclass(frozen=True)
class Figure:
    """The figure of another device in a document, for the cases that one of the queries selects."""

    cases: tuple[Query, ...]
    competitor: Competitor
    origin: Origin


def competitors_of(case: Case, known: Iterable[Figure]) -> tuple[Competitor, ...]:
    """Return the figures of other devices for a case."""
    return tuple(figure.competitor for figure in known if any(query.holds(case) for query in figure.cases))


def competitor_files(paths: Iterable[Path]) -> list[Path]:
    """The files of figures in folders and their subfolders."""
    return files_named("competitors.yaml", paths)


@lru_cache(maxsize=4)
def figures(paths: tuple[Path, ...]) -> tuple[Figure, ...]:
    """The figures that lie beside cases.

    Raises
    ------
    CaseFileError
        If anything is wrong in any of the files.
    """
    found, problems = read_competitors(competitor_files(paths))
    if problems:
        raise CaseFileError(problems)
    return tuple(found)


def read_competitors(files: Iterable[Path]) -> tuple[list[Figure], list[Problem]]:
    """The figures of several files, those that are right, and everything that is wrong."""
    return read_documents(files, _figures)


def problems_with(known: Iterable[Figure], cases: Sequence[Case]) -> Iterator[Problem]:
    """Figures with a query that selects none of all cases."""
    for figure in known:
        for error in complaints(figure.cases, cases):
            yield Problem(figure.origin, f"is about no case: {error}")


def _figures(root: Node, found: Findings) -> Iterator[Figure]:
    head, places = read_listing("competitors", "figures", root, found)
    for place in places:
        before = found.reports
        about = found.read(mapping, "a figure", place)
        fields = {} if about is None else read_fields("figure", about, place, found)
        if found.reports == before and {"device", "source"} <= head.keys():
            yield Figure(fields["cases"], _competitor(head, fields), origin_of(place.mark, found.file))


def _competitor(head: Mapping[str, str], fields: Mapping[str, float]) -> Competitor:
    parts = {
        name: PER_CENT * fields[name] for name in ("compute_efficiency", "io_efficiency") if name in fields
    }
    return Competitor(head["device"], fields["seconds"], head["source"], **parts)
