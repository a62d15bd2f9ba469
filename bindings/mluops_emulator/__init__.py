"""A stand-in for libmluops.so and libcnrt.so that runs anywhere, and is stricter than a device.

Nothing that it answers is evidence about hardware.
"""

from __future__ import annotations

from mluops_emulator.emulator import Emulator
from mluops_emulator.violations import Kind, Violation

__all__ = ["Emulator", "Kind", "Violation"]
