"""Colour, where a person reads along."""

from __future__ import annotations

import os
from typing import Mapping, TextIO

from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.support.output import obeys_sequences

_RESET = "\x1b[0m"
_BOLD_RED, _BOLD_GREEN, _BOLD_YELLOW = "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m"
_COLOURS = {"passed": _BOLD_GREEN, "mistrusted": _BOLD_YELLOW, "xpassed": _BOLD_YELLOW}


def is_wanted(stream: TextIO, environ: Mapping[str, str] | None = None) -> bool:
    """Whether `stream` is a terminal that paints, and NO_COLOR (https://no-color.org) does not forbid it."""
    values = os.environ if environ is None else environ
    return obeys_sequences(stream, values) and not values.get("NO_COLOR")


def painted(text: str, outcome: str) -> str:
    """`text` in the colour of an outcome; what was not run, and what was expected to fail, has none."""
    colour = _COLOURS.get(outcome, "" if OUTCOMES[outcome].good else _BOLD_RED)
    return f"{colour}{text}{_RESET}" if colour else text
