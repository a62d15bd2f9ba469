"""Output that must not cost a command its verdict."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Mapping, TextIO

from mluops_conformance.errors import UserError


def obeys_sequences(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal that moves its cursor and paints when told to."""
    return stream.isatty() and environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Print to standard output; a reader that has left, as `head` does, changes nothing else."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def make_folder(directory: Path) -> None:
    """Make a folder for results.

    Raises
    ------
    UserError
        It cannot be made.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--out {directory}: the folder cannot be made: {error.strerror}") from None
