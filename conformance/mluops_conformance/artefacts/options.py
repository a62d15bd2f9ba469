"""Which cases leave their data in the run's folder, and how much of it in all."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from typing import Any, Callable

from mluops_conformance import wording

WHEN = ("never", "failed", "always")
MOST = 2.0**62
"""Bytes: more is as good as no limit."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


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
        help=f"of all that is kept, as 500M or 2G (default: {wording.size(SaveOptions.limit)})",
    )


def size(text: str) -> int:
    """A number of bytes, with K, M, G or T for powers of 1024.

    Raises
    ------
    ArgumentTypeError
        The text is no size.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)B?", text.upper())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write one as 500M or 2G")
    return int(min(float(match[1]) * UNITS[match[2]], MOST))
