"""What a run is evidence about, by the backend that its cases ran on."""

from __future__ import annotations

from typing import Any, Mapping

NOT_HARDWARE = {
    "emulator": ("emulated", "not evidence about hardware"),
    "cpu": ("on a CPU", "evidence about their code, not about hardware"),
}
"""By backend: how its device is marked, and what a run on it is worth. A device stands for itself."""


def marked(device: str, backend: str) -> str:
    """Return a device's name for tables: "MLU370 (emulated)", "MLU590-H8 (on a CPU)"."""
    return f"{device} ({NOT_HARDWARE[backend][0]})" if backend in NOT_HARDWARE else device


def compiled(source: str) -> str:
    """Return what kernels on a CPU are: "kernels compiled for the CPU from mlu-ops v1.11.1"."""
    return f"kernels compiled for the CPU from mlu-ops {source or 'of an unknown commit'}"


def caution(backend: str, device: str, environment: Mapping[str, Any]) -> str:
    """Return a line on what the run is evidence about; empty for a run on a device.

    Parameters
    ----------
    backend, device : str
    environment : mapping
        As in environment.json: it names the sources of kernels that are compiled for the CPU.
    """
    if backend == "emulator":
        return f"emulated on {device}: not evidence about hardware"
    if backend == "cpu":
        source = environment.get("library", {}).get("source") or ""
        return f"{compiled(source)}, as {device}: {NOT_HARDWARE[backend][1]}"
    return ""
