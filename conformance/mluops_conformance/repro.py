"""The line that repeats a case."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mluops_conformance.options import RunOptions


def repro_line(case_id: str, options: RunOptions, backend: str) -> str:
    """A shell command that runs this one case on the same backend, with the same data and thresholds."""
    return shlex.join(["mluops-conformance", "run", case_id, *replace(options, backend=backend).arguments()])
