"""Define the operators under test: a module that exports `OPERATOR` is found by its file.

`artefacts`, `commands`, `coverage`, `engine`, `execution`, `language` and `selftest` may import it.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from pathlib import Path
from typing import Mapping

from mluops_conformance.operators.base import Operator

__all__ = ["operator_names", "operators", "the_operator"]

_HELPERS = frozenset({"__init__", "base", "limits"})


@lru_cache(maxsize=None)
def operator_names() -> tuple[str, ...]:
    """Names of all operators, alphabetically, without importing any."""
    return tuple(
        sorted(
            path.stem
            for path in Path(__file__).parent.glob("*.py")
            if path.stem not in _HELPERS and not path.stem.startswith("_")
        )
    )


@lru_cache(maxsize=None)
def the_operator(name: str) -> Operator:
    """The definition of one operator."""
    module = importlib.import_module(f"{__name__}.{name}")
    operator: Operator = module.OPERATOR
    return operator


def operators() -> Mapping[str, Operator]:
    """All definitions by name."""
    return {name: the_operator(name) for name in operator_names()}
