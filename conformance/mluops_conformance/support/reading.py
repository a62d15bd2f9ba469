"""Find and read files: the built-in cases, files that anyone may have written, and many objects at once."""

from __future__ import annotations

import errno
import gc
import os
import stat
import struct
import tokenize
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

LARGEST = 1 << 28
"""Bytes of a document that is read at once; beyond it stands a mistake."""
NO_ARRAYS = (
    *(KeyError, ValueError, TypeError, AttributeError, EOFError, NotImplementedError, RecursionError),
    *(MemoryError, SyntaxError, tokenize.TokenError, struct.error, zipfile.BadZipFile, zlib.error),
)
"""What NumPy raises, beside OSError, for a file of arrays that is damaged or holds something else."""


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
