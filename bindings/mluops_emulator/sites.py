"""The place in the user's program at which something happened, found without formatting a traceback."""

from __future__ import annotations

import os
import sys
import weakref
from functools import lru_cache
from typing import NamedTuple

import mluops.constants

_INTERNAL: tuple[str, ...] = (
    os.path.dirname(os.path.abspath(__file__)) + os.sep,
    os.path.dirname(os.path.abspath(mluops.constants.__file__)) + os.sep,
    weakref.__file__,  # a finalizer runs on behalf of the line that closed the object
)


class Site(NamedTuple):
    """A line of the program outside the binding and the emulator."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} ({self.function})"


def caller_site() -> Site:
    """The innermost frame that belongs neither to `mluops` nor to `mluops_emulator`."""
    frame = sys._getframe(1)
    while _is_internal(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return _site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


@lru_cache(maxsize=1024)
def _site(file: str, line: int, function: str) -> Site:
    """One object for a line: the history of thousands of buffers names few."""
    return Site(file, line, function)


@lru_cache(maxsize=None)
def _is_internal(file: str) -> bool:
    return file.startswith(_INTERNAL)
