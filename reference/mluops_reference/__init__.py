"""The operators in NumPy and double precision: what a device is measured against, not an emulation of one.

Functions carry the names and the parameter names of the C interface. Where arithmetic rounds there is a
`_baseline`, which evaluates the same formula in the storage type of its inputs and stands for a correct
device of that precision; copies and indices need none.

The package publishes what its modules list in `__all__`. `__init__.pyi` says the same to type checkers;
`python -m mluops_tools.stubs` writes it.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def _published() -> dict[str, Any]:
    """Return the public objects of all modules, by name."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return {name: getattr(module, name) for module in modules for name in getattr(module, "__all__", ())}


globals().update(_published())
