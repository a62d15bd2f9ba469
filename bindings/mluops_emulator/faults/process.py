"""Kernels that take their process with them, or keep it."""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any, Callable

EXIT_STATUS = 7
SLOW_SECONDS = 20.0
MUTEX_BYTES = 64  # more than a pthread_mutex_t has anywhere


def segfault(*_: Any, **__: Any) -> None:
    """Read from NULL."""
    ctypes.string_at(0)


def abort(*_: Any, **__: Any) -> None:
    """End as a failed assertion of C does."""
    os.abort()


def leave(*_: Any, **__: Any) -> None:
    """Exit at once."""
    os._exit(EXIT_STATUS)


def deadlock(*_: Any, **__: Any) -> None:
    """Wait for ever in native code, which no signal handler of Python interrupts."""
    libc, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(MUTEX_BYTES)
    while True:
        libc.pthread_mutex_lock(mutex)


def slow(right: Callable[..., Any]) -> Any:
    """Take far longer than needed."""

    def altered(*arrays: Any, **scalars: Any) -> None:
        time.sleep(SLOW_SECONDS)
        right(*arrays, **scalars)

    return altered
