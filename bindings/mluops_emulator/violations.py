"""Misuse that a device would let pass, or punish with a hang: its kinds, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mluops_emulator.sites import Site


class Kind(Enum):
    """The kind of an error in the use of the library."""

    USE_AFTER_FREE = "use after free"
    DOUBLE_FREE = "double free"
    FOREIGN_POINTER = "foreign pointer"
    NULL_POINTER = "NULL pointer given to a kernel"
    HOST_POINTER = "host pointer used as device memory"
    DEVICE_POINTER = "device pointer used as host memory"
    UNMAPPED_HOST_MEMORY = "host pointer to no memory of this process"
    OUT_OF_BOUNDS = "access beyond an allocation"
    WRITE_TO_CONSTANT = "kernel writes constant memory"
    WRONG_DIRECTION = "wrong copy direction"
    NOT_SYNCHRONISED = "used before synchronisation"
    RELEASED_WHILE_QUEUED = "released while queued work needs it"
    DESTROYED_OBJECT = "destroyed object"
    FOREIGN_OBJECT = "not an object of this library"
    LEAK = "leak"
    INTERNAL = "internal error of the emulator"


class Misuse(Exception):
    """Raised where a misuse is noticed; the entry point records a `Violation`, does nothing else and fails.

    Parameters
    ----------
    kind : Kind
        What was done wrong.
    text : str
        The thing, its history (where allocated, freed, destroyed) and the remedy.
    """

    def __init__(self, kind: Kind, text: str) -> None:
        super().__init__(f"{kind.value}: {text}")
        self.kind = kind
        self.text = text


@dataclass(frozen=True)
class Violation:
    """A recorded misuse.

    Parameters
    ----------
    kind : Kind
        What was done wrong.
    function : str
        The C function that noticed it, or whose kernel did.
    text : str
        The thing, its history and the remedy.
    site : Site
        The caller's line: of the call, or of the call that queued the kernel.
    """

    kind: Kind
    function: str
    text: str
    site: Site

    def __str__(self) -> str:
        return f"{self.function}: {self.kind.value}: {self.text} [called at {self.site}]"


class Refused(Exception):
    """Raised for a call that the library refuses without anything being misused: bad parameters, no memory.

    Parameters
    ----------
    text : str
        The log line.
    status : int, optional
        The answer; by default the family's code for a bad parameter.
    """

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status
