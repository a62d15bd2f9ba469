"""Whole operators: workspace, outputs, call and synchronisation in one Python call.

Each takes a `Handle` and its operands by the C parameters' names. Operands are `DeviceArray`s, or what NumPy
takes for an array; results are ndarrays if no operand is on the device, `DeviceArray`s otherwise. The library
judges shapes, data types and values: what it refuses raises the `MluOpError` of its status. Where the shape
of a result does not follow from the operands, as for one with too few dimensions or a negative size, it is an
ArgumentValueError before any call.

All take further keywords:

out
    Where the result goes, of its shape and dtype: a `DeviceArray`, or an ndarray.
workspace
    A `Workspace`, or a `DeviceArray` that is large enough, for operators that need one.
synchronize
    False returns at once: operands and results are `DeviceArray`s, and what the device needs is kept until
    the handle's queue is synchronised.

Every module here whose name has no underscore in front is an operator, with a function of the same name.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Callable


def _discovered() -> dict[str, Callable[..., Any]]:
    names = sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))
    return {name: getattr(import_module(f"{__name__}.{name}"), name) for name in names}


__all__ = [*_discovered()]
globals().update(_discovered())
