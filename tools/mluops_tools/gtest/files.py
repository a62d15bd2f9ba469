"""Case files that an import or export writes: named after what they are made of, and never over another's."""

from __future__ import annotations

import re
from itertools import chain, count
from pathlib import Path
from typing import Container

from mluops_conformance.errors import UserError

__all__ = ["free_file", "write_text"]

NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.+-]+")

LONGEST = 200
"""Characters; file systems allow 255, and suffixes follow."""


def free_file(folder: Path, name: str, suffix: str, used: Container[Path]) -> Path:
    """A file called after `name`, made fit for an id; with a number where that one is used already."""
    fit = NOT_IN_NAMES.sub("-", name).lstrip("_.+-")[:LONGEST] or "case"
    candidates = (folder / f"{fit}{number}{suffix}" for number in chain([""], map("-{}".format, count(2))))
    return next(file for file in candidates if file not in used)


def write_text(file: Path, text: str) -> None:
    """Write a case file; one that is there already must begin with the same line, which names its origin.

    Raises
    ------
    UserError
        It is of another case.
    """
    if file.exists() and _first_line(file.read_text(encoding="utf-8")) != _first_line(text):
        raise UserError(f"{file} exists and holds another case: remove it, or choose another folder (-o)")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _first_line(text: str) -> str:
    return text.partition("\n")[0]
