"""The C functions that the binding knows, as data: `MLUOP`, `CNRT` and `CNDRV`, by name."""

from __future__ import annotations

from mluops.signatures import cndrv, cnrt, mluop
from mluops.signatures.function import Function

__all__ = ["CNDRV", "CNRT", "MLUOP", "Function"]

MLUOP: dict[str, Function] = {function.name: function for function in mluop.FUNCTIONS}
CNRT: dict[str, Function] = {function.name: function for function in cnrt.FUNCTIONS}
CNDRV: dict[str, Function] = {function.name: function for function in cndrv.FUNCTIONS}
