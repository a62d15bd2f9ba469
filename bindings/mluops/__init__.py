"""A binding to Cambricon's libmluops and to libcnrt below it.

`load` gives a `Library`, whose attributes are the C functions; `Handle`, `Queue`, `Notifier`,
`TensorDescriptor`, `DeviceArray`, `Workspace` and `Device` manage what these make, or borrow it from a
framework. `operators` has whole operators for NumPy and device arrays; `call` calls any other by its name.

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
    from mluops.calls import call
    from mluops.descriptor import TensorDescriptor
    from mluops.host import pinned
    from mluops.selection import Selection
    from mluops.workspace import Workspace

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
    "Selection",
    "TensorDescriptor",
    "Workspace",
    "call",
    "constants",
    "dtypes",
    "errors",
    "load",
    "operators",
    "pinned",
    "types",
]

_NEED_NUMPY = {
    "DeviceArray": "mluops.array",
    "Selection": "mluops.selection",
    "TensorDescriptor": "mluops.descriptor",
    "Workspace": "mluops.workspace",
    "call": "mluops.calls",
    "pinned": "mluops.host",
}
_NEED_NUMPY_MODULES = ("dtypes", "operators")


def __getattr__(name: str) -> Any:
    if name in _NEED_NUMPY:
        return getattr(import_module(_NEED_NUMPY[name]), name)
    if name in _NEED_NUMPY_MODULES:
        return import_module(f"mluops.{name}")
    raise AttributeError(f"module 'mluops' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
