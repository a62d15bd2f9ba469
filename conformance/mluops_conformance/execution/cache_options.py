"""Where results of references are kept from one run to the next, and how much of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

from mluops_conformance.errors import UserError
from mluops_conformance.support import formatting
from mluops_conformance.support.argument_types import size

if TYPE_CHECKING:
    from mluops_conformance.execution.cache import Cache


@dataclass(frozen=True)
class CacheOptions:
    """The cache's folder, none if empty, and how many bytes it may hold."""

    folder: str = ""
    limit: int = 10 << 30

    @classmethod
    def read(cls, value_of: Callable[[str], Any]) -> CacheOptions:
        """Collect the options from anything that gives a value by flag name."""
        return cls(value_of("cache"), value_of("cache-limit"))

    def open(self) -> Cache:
        """The cache that they describe.

        Raises
        ------
        UserError
            The folder cannot be made.
        """
        from mluops_conformance.execution.cache import Cache

        try:
            return Cache(Path(self.folder), self.limit)
        except OSError as error:
            raise UserError(f"--cache {self.folder}: the folder cannot be used: {error.strerror}") from None

    def arguments(self, prefix: str) -> tuple[str, ...]:
        """As command-line words."""
        return (f"{prefix}cache={self.folder}", f"{prefix}cache-limit={self.limit}") if self.folder else ()


def add_cache_options(add: Callable[..., Any], prefix: str = "--") -> None:
    """Declare the flags with argparse's `add_argument` or pytest's `addoption`."""
    add(
        f"{prefix}cache",
        default=CacheOptions.folder,
        metavar="FOLDER",
        help="keep what references give in FOLDER, and take from there what they gave on the same inputs; "
        "runs may share it, and it may be removed at any time",
    )
    add(
        f"{prefix}cache-limit",
        type=size,
        metavar="SIZE",
        default=CacheOptions.limit,
        help="of that folder, as 500M or 2G; what was not used for longest goes first "
        f"(default: {formatting.size(CacheOptions.limit)})",
    )
