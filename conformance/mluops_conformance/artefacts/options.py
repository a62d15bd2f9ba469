"""Which cases leave their data in the run's folder, and how much of it in all."""

from __future__ import annotations

from dataclasses import dataclass

from mluops_conformance.support import formatting
from mluops_conformance.support.flags import Flags, flag, size

WHEN = ("never", "failed", "always")


@dataclass(frozen=True)
class SaveOptions(Flags):
    """Say when data is kept, and how many bytes of it in all."""

    when: str = flag(
        WHEN[0],
        "keep inputs, outputs and expectation in DIR/artefacts: of cases that need a look, or of all",
        name="save",
        choices=WHEN,
    )
    limit: int = flag(
        1 << 30,
        f"of all that is kept, as 500M or 2G (default: {formatting.size(1 << 30)})",
        name="save-limit",
        type=size,
        metavar="SIZE",
    )
