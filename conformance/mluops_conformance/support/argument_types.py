"""Numbers on the command line, for argparse's `type`."""

from __future__ import annotations

import argparse
import math
import re
from typing import Callable

__all__ = ["DIGITS", "real", "size", "whole"]

DIGITS = re.compile("[0-9]{1,9}")
MOST = 2.0**62
"""Bytes: more is as good as no limit."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def whole(least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least`, of nine digits at most."""

    def read(text: str) -> int:
        if not DIGITS.fullmatch(text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text[:20]!r}: write a whole number from {least}")
        return int(text)

    return read


def real(text: str) -> float:
    """A number that is neither negative nor infinite.

    Raises
    ------
    ArgumentTypeError
        The text is no such number.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: write a number that is not negative")
    return value


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
