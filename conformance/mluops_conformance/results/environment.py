"""The environment of a run: libraries, device, host, Python, and the variables that change any of them."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
from functools import partial
from pathlib import Path
from typing import Any, Callable, Mapping

import mluops
import numpy as np

from mluops_conformance.results.outcomes import CPU_PREFIX
from mluops_conformance.support.files import write_whole

VARIABLES = (
    "MLUOPS_LIBRARY",
    "MLUOPS_CNRT_LIBRARY",
    "MLUOPS_BACKEND",
    "NEUWARE_HOME",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "MLU_VISIBLE_DEVICES",
    "CNRT_DEFAULT_DEVICE",
    "CAMBRICON_TF32_OVERRIDE",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
)
"""Variables that are recorded where they are set, beside all that begin with a prefix of `PREFIXES`."""

PREFIXES = ("MLUOP_", "CN_", CPU_PREFIX)
"""The variables that libmluops, the driver and a library for the CPU read."""


def describe(library: mluops.Library, environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Describe what `library` and this process run on, in JSON values.

    What a library does not answer is None.

    Parameters
    ----------
    library : Library
        From `mluops.load`.
    environ : mapping, optional
        The environment variables; those of the process by default.
    """
    return {**describe_library(library), **describe_process(environ)}


def describe_library(library: mluops.Library) -> dict[str, Any]:
    """Describe `library`, its CNRT, the driver and the current device; what is not answered is None."""
    return {
        "library": {
            "backend": library.backend,
            "path": library.path,
            "source": library.source,
            "found_via": library.found_via,
            "version": _dotted(_asked(lambda: library.version)),
            "sha256": _digest(library.path),
        },
        "cnrt": {"path": library.cnrt_path, "version": _dotted(_asked(lambda: library.cnrt_version))},
        "driver": {"version": _dotted(_asked(lambda: _driver_version(library)))},
        "device": describe_device(library),
    }


def describe_process(environ: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Describe host and Python, with those of the variables `environ` (the process's own) that matter."""
    return {
        "host": {
            "name": platform.node(),
            "system": platform.platform(),
            "machine": platform.machine(),
            "cpus": os.cpu_count(),
        },
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": _blas(),
        "variables": _variables(os.environ if environ is None else environ),
    }


def write(path: str | Path, environment: Mapping[str, Any]) -> None:
    """Store a description as JSON.

    Raises
    ------
    OutputError
        There is no room for it.
    """
    write_whole(Path(path), json.dumps(environment, indent=2) + "\n")


def describe_device(library: mluops.Library, ordinal: int | None = None) -> dict[str, Any]:
    """Describe a device, the current one by default; what it does not answer is None."""
    device = _asked(lambda: mluops.Device(library, ordinal))
    names = ("ordinal", "name", "isa_version", "clusters", "cores_per_cluster", "nram_bytes")
    return {name: _asked(partial(getattr, device, name)) if device else None for name in names}


def _driver_version(library: mluops.Library) -> Any:
    parts = [ctypes.c_int() for _ in range(3)]
    library.cnrtDriverGetVersion.checked(*map(ctypes.byref, parts))
    return [part.value for part in parts]


def _asked(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except mluops.Error:
        return None


def _dotted(version: Any) -> str | None:
    return None if version is None else ".".join(map(str, version))


def _digest(path: str) -> str | None:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def _blas() -> str | None:
    """The BLAS that NumPy was built with, by name and version as far as it tells."""
    config: Any = np.__config__
    dependencies = getattr(config, "CONFIG", {}).get("Build Dependencies", {})
    if "blas" in dependencies:
        return " ".join(filter(None, (dependencies["blas"].get(key) for key in ("name", "version"))))
    libraries = getattr(config, "blas_opt_info", {}).get("libraries")
    return ", ".join(sorted(set(libraries))) if libraries else None


def _variables(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in sorted(environ.items())
        if name in VARIABLES or name.startswith(PREFIXES)
    }
