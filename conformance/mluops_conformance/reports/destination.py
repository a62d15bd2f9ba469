"""Write a report to a file or to standard output, in colour if that is a terminal."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Callable, Mapping, TextIO

from mluops_conformance.errors import UserError
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.support.files import obeys_sequences

_RESET = "\x1b[0m"
_BOLD_RED, _BOLD_GREEN, _BOLD_YELLOW = "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m"
_COLOURS = {"passed": _BOLD_GREEN, "mistrusted": _BOLD_YELLOW, "xpassed": _BOLD_YELLOW}


def add_output_option(parser: argparse.ArgumentParser) -> None:
    """Declare `-o FILE`."""
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE (default: standard output)")


def deliver(render: Callable[[bool], str], output: str | None) -> None:
    """Write a report.

    Parameters
    ----------
    render : callable
        Gives the report; its argument says whether colour is wanted.
    output : str, optional
        The file; standard output without one.

    Raises
    ------
    UserError
        The file cannot be written.
    """
    if output is None:
        print(render(is_wanted(sys.stdout)))
        return
    try:
        Path(output).write_text(render(False), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UserError(f"{output}: {error.strerror}") from None


def is_wanted(stream: TextIO, environ: Mapping[str, str] | None = None) -> bool:
    """Return whether `stream` is a terminal that paints, and NO_COLOR (https://no-color.org) is not set."""
    values = os.environ if environ is None else environ
    return obeys_sequences(stream, values) and not values.get("NO_COLOR")


def painted(text: str, outcome: str) -> str:
    """`text` in the colour of an outcome; what was not run, and what was expected to fail, has none."""
    colour = _COLOURS.get(outcome, "" if OUTCOMES[outcome].good else _BOLD_RED)
    return f"{colour}{text}{_RESET}" if colour else text
