"""The line that repeats a case."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mluops_conformance.options import RunOptions


def repro_line(case_id: str, options: RunOptions, backend: str) -> str:
    """A shell command that runs this one case on the same backend, with the same data and thresholds."""
    return f"mluops-conformance run {shlex.quote(case_id)}{_following(options, backend)}"


@lru_cache(maxsize=8)
def _following(options: RunOptions, backend: str) -> str:
    return "".join(f" {shlex.quote(word)}" for word in replace(options, backend=backend).arguments())
