"""`suites.yaml`: names for queries, as `smoke: [tag=smoke, "tag=network N<100"]`; one of them must hold."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from mluops_conformance.language.documents import read_document
from mluops_conformance.language.kinds import mapping, queries
from mluops_conformance.language.problems import CaseFileError
from mluops_conformance.language.query import Query
from mluops_conformance.support.reading import cases_root

__all__ = ["own_suites", "read_suites"]


@lru_cache(maxsize=1)
def own_suites() -> dict[str, tuple[Query, ...]]:
    """The suites of the built-in cases."""
    return read_suites(cases_root() / "suites.yaml")


def read_suites(file: Path) -> dict[str, tuple[Query, ...]]:
    """The queries of each suite of a file.

    Raises
    ------
    CaseFileError
        If anything is wrong in it. A suite may not name another.
    """
    root, found = read_document(file)
    nodes = None if root is None else found.read(mapping, "a file of suites", root)
    suites = {name: found.read(queries, name, node) for name, node in (nodes or {}).items()}
    if found.reports:
        raise CaseFileError(found.problems)
    return {name: alternatives for name, alternatives in suites.items() if alternatives is not None}
