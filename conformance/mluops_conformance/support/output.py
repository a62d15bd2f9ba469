"""Output that must not cost a command its verdict."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Mapping, TextIO

from mluops_conformance.errors import UserError


def obeys_sequences(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Whether a stream is a terminal that moves its cursor and paints when told to."""
    return stream.isatty() and environ.get("TERM") != "dumb"


def say(text: str, stream: TextIO | None = None) -> None:
    """Print a line to standard output, or to another stream; see `write`."""
    write(f"{text}\n", sys.stdout if stream is None else stream)


def write(text: str, stream: TextIO) -> None:
    """Write to a stream at once; one that cannot be written to any more is left alone from then on.

    A reader that has left, as `head` does, or a full disk behind a log changes nothing else.
    """
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Send what is still to be written to a stream, by Python or by native code, nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    with suppress(OSError):
        stream.flush()


def open_standard_streams() -> None:
    """Open those of the three standard streams that are closed, to nowhere.

    Else the next file would get the number of one, and native code, or a child, would write to it.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


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
