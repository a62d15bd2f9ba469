"""Kernels and host checks: one module a family of operators, found by lying here.

A module exports `ENTRY_POINTS: Dict[str, Callable[[Call], mluOpStatus_t]]`, by C function name.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Callable, Dict

from mluops.constants import mluOpStatus_t
from mluops_emulator.call import Call

Operator = Callable[[Call], mluOpStatus_t]


@lru_cache(maxsize=None)
def entry_points() -> Dict[str, Operator]:
    """Every operator function that this package's modules implement, by its C name."""
    found: Dict[str, Operator] = {}
    for module in pkgutil.iter_modules(__path__):
        found.update(importlib.import_module(f"{__name__}.{module.name}").ENTRY_POINTS)
    return found
