"""Plain scalars, read as JSON reads them, with YAML's `.nan` and `.inf` beside."""

from __future__ import annotations

import math
import re
from functools import lru_cache, partial
from typing import Union

__all__ = ["Scalar", "number_hint", "resolve"]

Scalar = Union[None, bool, int, float, str]

NAMED: dict[str, Scalar] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
    ".nan": math.nan,
    ".inf": math.inf,
    "-.inf": -math.inf,
}

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
LOOKS_LIKE_NUMBER = re.compile(
    r"[-+]?(?:0[xXoObB][0-9a-fA-F_]+|(?:\.[0-9]+|[0-9][0-9_]*\.?[0-9_]*)(?:[eE][-+]?[0-9]+)?)"
)
LONGEST_NUMBER = 60
NOT_JSON = re.compile(r"[-+]?\.?(nan|inf(?:inity)?)", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)
def resolve(text: str) -> tuple[Scalar, str | None]:
    """The value of a plain scalar, and what is wrong with it.

    Text that other YAML readers would take for a number while JSON does not (`010`, `0x10`, `+5`, `.5`) is an
    error: it must be written as JSON has it, or quoted. `yes`, `no`, `on`, `off` and `nan` are text.
    """
    if text in NAMED:
        return NAMED[text], None
    if not LOOKS_LIKE_NUMBER.fullmatch(text):
        return text, None
    if len(text) > LONGEST_NUMBER or not NUMBER.fullmatch(text):
        meant = _meant(text[:LONGEST_NUMBER])
        return (
            meant,
            f"{text[:LONGEST_NUMBER]} is no number in JSON; write {meant}, or quote it if it is text",
        )
    if INTEGER.fullmatch(text):
        return int(text), None
    value = float(text)
    if math.isinf(value):
        return value, f"{text!r} is beyond double precision; write .inf if it is meant"
    return value, None


def _meant(text: str) -> Scalar:
    for read in (partial(int, base=0), int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def number_hint(value: Scalar) -> str:
    """How text that was probably meant as a number must be written: "; write .nan", or nothing."""
    match = NOT_JSON.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return ""
    sign = "-" if str(value).startswith("-") else ""
    return "; write .nan" if match.group(1).lower() == "nan" else f"; write {sign}.inf"
