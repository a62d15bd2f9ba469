"""A planted fault, and the context that keeps it in place."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Callable, ClassVar, Iterable

Alteration = Callable[[Any], Any]
"""Given what is right, what stands there instead."""


@dataclass(frozen=True)
class Fault:
    """A fault that an emulator can be made with.

    Parameters
    ----------
    name : str
        "<operator>/<fault>"; "any/<fault>" for one that concerns calls of every operator, "workspace/<fault>"
        of those with a workspace.
    owner : module or class
        Where the name lies that the fault replaces.
    attribute : str
        That name.
    alter : callable
        Given the right value of the name, makes the wrong one; called once for an emulator.
    description : str
        What goes wrong, in one line.
    fatal : bool
        Whether the process of the call ends, or waits for longer than anybody does.
    """

    name: str
    owner: Any
    attribute: str
    alter: Alteration
    description: str
    fatal: bool = False

    @property
    def group(self) -> str:
        """The operator whose calls go wrong, "any" or "workspace"."""
        return self.name.partition("/")[0]

    @property
    def place(self) -> str:
        """The dotted name of the replaced attribute inside of the emulator."""
        owner = self.owner
        path = owner.__name__ if isinstance(owner, ModuleType) else f"{owner.__module__}.{owner.__name__}"
        return f"{path}.{self.attribute}".partition(".")[2]


def faults_of(group: str, *rows: tuple[Any, ...]) -> tuple[Fault, ...]:
    """Faults from a table of their fields; names are given without the group."""
    return tuple(Fault(f"{group}/{name}", *fields) for name, *fields in rows)


class Planted:
    """The faults of one emulator, in place while one of its entry points runs and at no other time.

    What they replace belongs to all emulators of the process. So entry points take turns, and one that is
    entered from within another's, by the finalizer of a buffer, say, finds what its own emulator has.

    Parameters
    ----------
    faults : iterable of Fault
        Of several that replace the same name, each alters what those before it made.
    """

    _turn: ClassVar[threading.RLock] = threading.RLock()
    _entered: ClassVar[list[Planted]] = []

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._kept: dict[tuple[Any, str], Any] = {}  # what is not in place at present: the wrong or the right
        altered: dict[tuple[Any, str], Any] = {}
        with self:  # without faults yet, so that what is there is right
            for fault in faults:
                place = fault.owner, fault.attribute
                altered[place] = fault.alter(altered.get(place, vars(fault.owner)[fault.attribute]))
        self._kept = altered

    def __enter__(self) -> None:
        self._turn.acquire()
        entered = self._entered
        if entered and entered[-1]._kept:
            entered[-1]._exchange()
        if self._kept:
            self._exchange()
        entered.append(self)

    def __exit__(self, *_: object) -> None:
        entered = self._entered
        entered.pop()
        if self._kept:
            self._exchange()
        if entered and entered[-1]._kept:
            entered[-1]._exchange()
        self._turn.release()

    def _exchange(self) -> None:
        for (owner, attribute), kept in self._kept.items():
            self._kept[owner, attribute] = vars(owner)[attribute]
            setattr(owner, attribute, kept)
