"""Numbers on the command line, for argparse's `type`."""

from __future__ import annotations

import argparse
import math
import re
from typing import Callable

__all__ = ["DIGITS", "real", "whole"]

DIGITS = re.compile("[0-9]{1,9}")


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
