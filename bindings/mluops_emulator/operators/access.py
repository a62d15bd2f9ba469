"""Bounds of data-dependent accesses: a device reads or writes whatever lies there, the emulator says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops_emulator.violations import Kind, Misuse

if TYPE_CHECKING:
    from mluops_emulator.operators.arrays import Ints


def require_within(index: Ints, limit: int, what: str, where: str) -> None:
    """Raise unless every index lies in [0, limit).

    Parameters
    ----------
    what, where : str
        What the index is, and what its limit is, for the message.

    Raises
    ------
    Misuse
        Naming the first index that does not.
    """
    outside = (index < 0) | (index >= limit)
    if outside.any():
        first = index[outside].flat[0]
        raise Misuse(Kind.OUT_OF_BOUNDS, f"{what} is {first}, outside the {limit} {where}.")
