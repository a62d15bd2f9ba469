"""Define the operators under test: a module that exports `OPERATOR` is found by its file, here or outside.

`artefacts`, `commands`, `coverage`, `engine`, `execution`, `language` and `selftest` may import it.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Mapping

from mluops_conformance.errors import OperatorError
from mluops_conformance.operators import discovery
from mluops_conformance.operators.base import Operator
from mluops_conformance.operators.discovery import HERE, Source
from mluops_conformance.support.files import OPERATORS_VARIABLE, cases_root

__all__ = ["case_folders", "operator_names", "operators", "source_of", "the_operator"]


def operator_names() -> tuple[str, ...]:
    """Names of all operators, alphabetically, without importing any."""
    return tuple(sorted(_sources(tuple(discovery.outside_folders().items()))))


def source_of(name: str) -> Source:
    """Return the module that defines an operator."""
    return _known(os.environ.get(OPERATORS_VARIABLE, ""), discovery.installed())[name]


def the_operator(name: str) -> Operator:
    """The definition of one operator."""
    return _defined(os.environ.get(OPERATORS_VARIABLE, ""), discovery.installed(), name)


def operators() -> Mapping[str, Operator]:
    """All definitions by name."""
    return {name: the_operator(name) for name in operator_names()}


def case_folders() -> tuple[Path, ...]:
    """Return the folder of built-in cases, and that of each folder of operators outside of this package."""
    outside = (folder / "cases" for folder in discovery.outside_folders())
    return (cases_root(), *filter(Path.is_dir, outside))


_loaded = lru_cache(maxsize=None)(discovery.load)


@lru_cache(maxsize=256)
def _defined(named: str, installed: tuple[tuple[Path, str], ...], name: str) -> Operator:
    """Return a definition for a value of the variable; it is asked for many times a case."""
    return _loaded(_known(named, installed)[name])


@lru_cache(maxsize=8)
def _known(named: str, installed: tuple[tuple[Path, str], ...]) -> Mapping[str, Source]:
    """Return all sources for a value of the variable."""
    return _sources(tuple(discovery.outside_folders().items()))


@lru_cache(maxsize=None)
def _sources(outside: tuple[tuple[Path, str], ...]) -> Mapping[str, Source]:
    sources: dict[str, Source] = {}
    for folder, package in ((HERE, __name__), *outside):
        for name, source in discovery.sources_in(folder, package):
            first = sources.setdefault(name, source)
            if first is not source:
                place = f"{source.file}:{discovery.line_of_operator(source.file)}"
                raise OperatorError(f"{place}: operator '{name}' exists already, in {first.file}")
    return sources
