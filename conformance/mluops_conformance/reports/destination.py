"""Where a report goes: to a file, or to standard output, in colour where that is a terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable

from mluops_conformance.errors import UserError
from mluops_conformance.reports import colour


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
        print(render(colour.is_wanted(sys.stdout)))
        return
    try:
        Path(output).write_text(render(False), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UserError(f"{output}: {error.strerror}") from None
