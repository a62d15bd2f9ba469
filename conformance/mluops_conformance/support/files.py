"""Read files that anyone may have written, and write to streams and folders without losing the verdict of a
command.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import stat
import struct
import sys
import tokenize
import zipfile
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Iterable, Iterator, Mapping, TextIO

from mluops_conformance.errors import OutputError, UserError

LARGEST = 1 << 28
"""Bytes of a document that is read at once; beyond it stands a mistake."""
OPERATORS_VARIABLE = "MLUOPS_OPERATORS"
"""Environment variable with folders of operators, which worker processes inherit."""
NO_ARRAYS = (
    *(KeyError, ValueError, TypeError, AttributeError, EOFError, NotImplementedError, RecursionError),
    *(MemoryError, SyntaxError, tokenize.TokenError, struct.error, zipfile.BadZipFile, zlib.error),
)
"""The errors of NumPy, beside OSError, for a file of arrays that is damaged or holds something else."""


def regular_file(path: str | Path, largest: int | None = None) -> Path:
    """The path, if reading it comes to an end: a pipe waits for its writer, and a device may have none.

    Parameters
    ----------
    largest : int, optional
        How many bytes it may have.

    Raises
    ------
    OSError
        It is no regular file, larger, or cannot be reached.
    """
    try:
        found = os.stat(path)
    except ValueError as error:  # a NUL, or a character that no file name has
        raise OSError(errno.EINVAL, str(error)) from None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "no regular file")
    if largest is not None and found.st_size > largest:
        raise OSError(errno.EFBIG, f"larger than {largest >> 20} MiB")
    return Path(path)


def file_below(folder: Path, name: str) -> Path | None:
    """A file that someone else named, seen from a folder; None where the name leads out of it.

    A link in the folder may lead anywhere: whoever put it there wants that.
    """
    path = Path(os.path.abspath(folder / name))
    return path if Path(os.path.abspath(folder)) in path.parents else None


def cases_root() -> Path:
    """The folder of built-in cases."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent.parent / "cases"
    if (package.parent.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return package / "cases"


def use_operators(folders: Iterable[str]) -> None:
    """Add folders of operators, for this process and for those that it starts.

    Raises
    ------
    UserError
        One of them is no folder.
    """
    known = named_operator_folders()
    for folder in folders:
        if not Path(folder).is_dir():
            raise UserError(f"--operators {folder}: no such folder")
        known += [] if os.path.realpath(folder) in known else [os.path.realpath(folder)]
    if known:
        os.environ[OPERATORS_VARIABLE] = os.pathsep.join(known)


def named_operator_folders() -> list[str]:
    """Return the folders of operators that the environment names."""
    named = os.environ.get(OPERATORS_VARIABLE)
    return [os.path.realpath(text) for text in named.split(os.pathsep) if text] if named else []


@contextmanager
def gc_paused() -> Iterator[None]:
    """For what makes no cycles, and so many objects that looking for cycles would double its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Let a CI server's SIGTERM end a command as Ctrl-C does: with valid files and a report."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def obeys_sequences(stream: TextIO, environ: Mapping[str, str]) -> bool:
    """Return whether a stream is a terminal that moves its cursor and paints when told to."""
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


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all: half a report is worse than none."""
    new = path.with_suffix(".new")
    try:
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
