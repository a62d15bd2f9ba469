"""The library's log: lines on file descriptor 2, where a native library writes them."""

from __future__ import annotations

import os
from enum import IntEnum


class Level(IntEnum):
    """Levels of MLUOP_MIN_LOG_LEVEL."""

    INFO = 0
    WARNING = 1
    ERROR = 2
    FATAL = 3


class Log:
    """A log whose level and switch come from MLUOP_MIN_LOG_LEVEL and MLUOP_LOG_PRINT, as the library's do."""

    def __init__(self) -> None:
        self.level = _level(os.environ.get("MLUOP_MIN_LOG_LEVEL", "0"))
        self.enabled = os.environ.get("MLUOP_LOG_PRINT", "ON").upper() in ("1", "ON", "YES", "TRUE")

    def info(self, function: str, message: str) -> None:
        """Write what a user may want to know."""
        self._write(Level.INFO, function, message)

    def error(self, function: str, message: str) -> None:
        """Write why a call failed."""
        self._write(Level.ERROR, function, message)

    def _write(self, level: Level, function: str, message: str) -> None:
        if self.enabled and level >= self.level:
            os.write(2, f"[mluops emulator] [{level.name}] [{function}] {message}\n".encode())


def _level(text: str) -> Level:
    if text.isdigit() and int(text) in list(Level):
        return Level(int(text))
    return Level.__members__.get(text.upper(), Level.INFO)
