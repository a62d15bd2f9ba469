"""Words that messages and reports have in common."""

from __future__ import annotations

from typing import Sequence

from mluops_conformance.judging.values import short

__all__ = ["counted", "per_cent", "seconds", "size"]

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))
SIZES = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))


def counted(number: int, noun: str) -> str:
    """A number of things, as "1 case" or "3 cases"; for nouns that take a plain s."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def seconds(value: float) -> str:
    """A duration with four digits in a unit of its size: "12.34 us"."""
    return _scaled(value, UNITS)


def size(nbytes: int) -> str:
    """Bytes with four digits in a unit of their size: "1.5 MiB"."""
    return _scaled(nbytes, SIZES)


def per_cent(part: float) -> str:
    """A part with three digits: "4.27 %"."""
    return f"{100 * part:.3g} %"


def _scaled(value: float, units: Sequence[tuple[float, str]]) -> str:
    factor, unit = next((entry for entry in units if abs(value) >= entry[0]), units[-1])
    return f"{short(value / factor)} {unit}"
