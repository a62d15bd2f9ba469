"""Faults that can be planted into the emulator, so that a suite can be shown to find them.

A module of this package adds its `FAULTS` by lying here: those of one operator, or those of any.
"""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from typing import Iterable

from mluops_emulator.faults.fault import Fault, Planted

__all__ = ["FAULTS", "Fault", "Planted", "UnknownFault", "faults_named"]

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]

FAULTS: dict[str, Fault] = {
    fault.name: fault for module in _MODULES for fault in getattr(module, "FAULTS", ())
}
"""All faults by name."""


class UnknownFault(ValueError):
    """No fault has the name."""


def faults_named(names: Iterable[str]) -> tuple[Fault, ...]:
    """The faults of these names, in the order of `FAULTS`.

    Raises
    ------
    UnknownFault
        Naming the ones most like it.
    """
    wanted = set(names)
    for name in sorted(wanted - set(FAULTS)):
        near = get_close_matches(name, FAULTS, cutoff=0.5)
        hint = (
            f"did you mean {' or '.join(near)}?" if near else "`mluops-conformance selftest --list` has all"
        )
        raise UnknownFault(f"no fault {name!r}; {hint}")
    return tuple(fault for name, fault in FAULTS.items() if name in wanted)
