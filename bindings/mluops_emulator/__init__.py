"""A stand-in for libmluops.so and libcnrt.so that runs anywhere, and is stricter than a device.

Nothing that it answers is evidence about hardware.

Importing makes nothing ready: figures of the devices that it can answer as are to be had without its kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator
    from mluops_emulator.violations import Kind, Violation

__all__ = ["Emulator", "Kind", "Violation"]

_MODULES = {"Emulator": "emulator", "Kind": "violations", "Violation": "violations"}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"mluops_emulator.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'mluops_emulator' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
