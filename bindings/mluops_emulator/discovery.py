"""Entry points are found by where they lie: a module of a package adds its `ENTRY_POINTS`, if it has any."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Any, Callable


@lru_cache(maxsize=None)
def discover(package: str) -> dict[str, Callable[..., Any]]:
    """The `ENTRY_POINTS` of all modules of a package, by C function name."""
    path = importlib.import_module(package).__path__
    names = [f"{package}.{module.name}" for module in pkgutil.iter_modules(path)]
    found: dict[str, Callable[..., Any]] = {}
    for name in names:
        found.update(getattr(importlib.import_module(name), "ENTRY_POINTS", {}))
    return found


def by_name(*functions: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """A table of functions that are named as in C."""
    return {function.__name__: function for function in functions}
