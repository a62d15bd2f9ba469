"""Planted faults stand in the name of a run's device, so that no run with some passes for one without."""

from __future__ import annotations

from typing import Iterable

PLANTED = " with planted faults "


def with_faults(device: str, faults: Iterable[str]) -> str:
    """The name of a device with faults: "MLU370 with planted faults (a/b, c/d)"."""
    return f"{device}{PLANTED}({', '.join(sorted(faults))})"


def planted_faults(device: str) -> str:
    """The faults in a device's name, as "a/b, c/d"; empty without any."""
    return device.partition(PLANTED)[2].strip("()")
