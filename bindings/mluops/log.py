"""The log of native code: what it writes to standard output and error, sent to a file for a while."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import Lock
from typing import Any, Callable, Iterator

__all__ = ["STDERR", "STDOUT", "Logged", "buffer_lines", "legible", "redirected"]

STDOUT, STDERR = 1, 2
IOLBF = 1  # glibc, musl
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def legible(raw: bytes) -> str:
    """Return lines of a log as text, without the colours that a terminal would show."""
    return COLOUR.sub("", raw.decode("utf-8", "replace")).strip()


@contextmanager
def redirected(descriptor: int, *streams: int) -> Iterator[None]:
    """Send those of the streams that are open to a file; what is buffered before goes where it belongs."""
    copies = {stream: os.dup(stream) for stream in filter(is_open, streams)}
    _flush()
    for stream in copies:
        os.dup2(descriptor, stream)
    try:
        yield
    finally:
        _flush()
        for stream, copy in copies.items():
            os.dup2(copy, stream)
            os.close(copy)


def is_open(stream: int) -> bool:
    """Return whether the process has a stream."""
    try:
        os.fstat(stream)
    except OSError:
        return False
    return True


class Logged:
    """Calls native code and returns what it writes to a stream meanwhile, which is passed on afterwards.

    Where a thread is in such a call already, another thread's call goes unobserved and has no log.

    Parameters
    ----------
    stream : int
        `STDOUT` or `STDERR`.
    """

    _busy = Lock()

    def __init__(self, stream: int) -> None:
        self._stream = stream

    def call(self, function: Callable[..., Any], *args: Any) -> tuple[Any, str]:
        """Return what the function returns, and its log."""
        if not self._busy.acquire(blocking=False):
            return function(*args), ""
        try:
            return self._observed(function, *args)
        finally:
            self._busy.release()

    def _observed(self, function: Callable[..., Any], *args: Any) -> tuple[Any, str]:
        with os.fdopen(os.memfd_create("log"), "r+b", buffering=0) as file:
            try:
                with redirected(file.fileno(), self._stream):
                    result = function(*args)
            finally:
                file.seek(0)
                raw = file.read()
                with suppress(OSError):  # the stream is closed, or nobody reads it
                    os.write(self._stream, raw)
        return result, legible(raw)


def _flush() -> None:
    """Write what Python and C hold back of their output."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # none, broken or closed
            stream.flush()
    flush, stdout = _c_output()
    flush(stdout)


def buffer_lines() -> None:
    """Let C write each line of its standard output at once, also to a file: a crash loses none."""
    _, stdout = _c_output()
    ctypes.CDLL(None).setvbuf(stdout, None, IOLBF, ctypes.c_size_t(0))


@lru_cache(maxsize=None)
def _c_output() -> tuple[Any, ctypes.c_void_p]:
    """C's fflush, and its standard output."""
    c = ctypes.CDLL(None)
    return c.fflush, ctypes.c_void_p.in_dll(c, "stdout")
