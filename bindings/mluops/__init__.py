"""A binding to Cambricon's libmluops and to libcnrt below it.

`load` gives a `Library`, whose attributes are the C functions; `Handle`, `Queue`, `Notifier`,
`TensorDescriptor`, `DeviceArray` and `Device` manage what these make, and `operators` has whole operators
for NumPy and device arrays.

Importing loads no library, and imports NumPy only when something is used that needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mluops import constants, errors, types
from mluops.context import Context
from mluops.device import Device
from mluops.errors import CnrtError, Error, LoadError, MissingSymbol, MluOpError
from mluops.handle import Handle
from mluops.library import Library
from mluops.loading import load
from mluops.queue import Notifier, Queue

if TYPE_CHECKING:
    from mluops import dtypes, operators
    from mluops.array import DeviceArray
    from mluops.descriptor import TensorDescriptor

__all__ = [
    "CnrtError",
    "Context",
    "Device",
    "DeviceArray",
    "Error",
    "Handle",
    "Library",
    "LoadError",
    "MissingSymbol",
    "MluOpError",
    "Notifier",
    "Queue",
    "TensorDescriptor",
    "constants",
    "dtypes",
    "errors",
    "load",
    "operators",
    "types",
]

_NEED_NUMPY = {"DeviceArray": "mluops.array", "TensorDescriptor": "mluops.descriptor"}
_NEED_NUMPY_MODULES = ("dtypes", "operators")


def __getattr__(name: str) -> Any:
    if name in _NEED_NUMPY:
        return getattr(import_module(_NEED_NUMPY[name]), name)
    if name in _NEED_NUMPY_MODULES:
        return import_module(f"mluops.{name}")
    raise AttributeError(f"module 'mluops' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
