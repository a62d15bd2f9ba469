"""Where the project's own case files are: in a checkout first, in the installed wheel otherwise."""

from __future__ import annotations

from pathlib import Path


def cases_root() -> Path:
    """The folder of built-in cases."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent.parent / "cases"
    if (package.parent.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package / "cases"
