"""The C functions that the binding knows, as data: `MLUOP` and `CNRT`, by name."""

from __future__ import annotations

from mluops.signatures import cnrt, mluop
from mluops.signatures.function import Function

__all__ = ["CNRT", "MLUOP", "Function"]

MLUOP: dict[str, Function] = {function.name: function for function in mluop.FUNCTIONS}
CNRT: dict[str, Function] = {function.name: function for function in cnrt.FUNCTIONS}
