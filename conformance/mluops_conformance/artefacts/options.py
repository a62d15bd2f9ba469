"""Which cases leave their data in the run's folder, and how much of it in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

from mluops_conformance.support import formatting
from mluops_conformance.support.argument_types import size

WHEN = ("never", "failed", "always")


@dataclass(frozen=True)
class SaveOptions:
    """When data is kept, and how many bytes of it in all."""

    when: str = WHEN[0]
    limit: int = 1 << 30

    @classmethod
    def read(cls, value_of: Callable[[str], Any]) -> SaveOptions:
        """Collect the options from anything that gives a value by flag name."""
        return cls(value_of("save"), value_of("save-limit"))

    def arguments(self, prefix: str) -> tuple[str, ...]:
        """As command-line words."""
        return (f"{prefix}save", self.when, f"{prefix}save-limit", str(self.limit))


def add_save_options(add: Callable[..., Any], prefix: str = "--") -> None:
    """Declare the flags with argparse's `add_argument` or pytest's `addoption`."""
    add(
        f"{prefix}save",
        choices=WHEN,
        default=SaveOptions.when,
        help="keep inputs, outputs and expectation in DIR/artefacts: of cases that need a look, or of all",
    )
    add(
        f"{prefix}save-limit",
        type=size,
        metavar="SIZE",
        default=SaveOptions.limit,
        help=f"of all that is kept, as 500M or 2G (default: {formatting.size(SaveOptions.limit)})",
    )
