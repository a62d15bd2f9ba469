"""The objects behind opaque pointers: handles, descriptors, queues and notifiers, with their history."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from mluops.constants import mluOpAtomicsMode_t, mluOpQuantizeRoundMode_t

from mluops_emulator.descriptors import FRESH, Descriptor
from mluops_emulator.device import DeviceModel, JobType
from mluops_emulator.queues import Notifier, Queue
from mluops_emulator.sites import Site, caller_site
from mluops_emulator.violations import Kind, Misuse, Refused

REMEMBERED = 1 << 12
"""Destroyed objects that can still be told from foreign pointers."""

SPACING = 64


@dataclass
class Handle:
    """A library handle: the device as its context limits it, the address of its queue, and its modes."""

    device: DeviceModel
    job: JobType
    queue: int | None = None
    round_mode: int = mluOpQuantizeRoundMode_t.MLUOP_ROUND_HALF_TO_EVEN
    atomics_mode: int = mluOpAtomicsMode_t.MLUOP_ATOMICS_NOT_ALLOWED


@dataclass
class TensorDescriptor:
    """A tensor descriptor object; its content is a value, so that a queued call keeps what it was given."""

    value: Descriptor = FRESH


@dataclass
class TensorSet:
    """A tensor set descriptor: its dimensions, and its members' addresses in row-major order."""

    dims: tuple[int, ...]
    members: tuple[int, ...]


KINDS: dict[type, str] = {
    Handle: "handle",
    TensorDescriptor: "tensor descriptor",
    TensorSet: "tensor set descriptor",
    Queue: "queue",
    Notifier: "notifier",
}

T = TypeVar("T")


@dataclass
class Record:
    """An object with its history."""

    value: object
    address: int
    number: int
    created: Site
    destroyed: Site | None = None

    def __str__(self) -> str:
        text = f"the {KINDS[type(self.value)]} {self.address:#x}, created at {self.created}"
        return text if self.destroyed is None else f"{text}, destroyed at {self.destroyed}"


class Objects:
    """Everything that opaque pointers stand for.

    Parameters
    ----------
    start, end : int
        The range of addresses to give out; none comes back before the range is used up.
    """

    def __init__(self, start: int, end: int) -> None:
        self._addresses = (start + SPACING * (n % ((end - start) // SPACING)) for n in count())
        self._live: dict[int, Record] = {}
        self._destroyed: deque[Record] = deque(maxlen=REMEMBERED)

    def create(self, value: object, number: int) -> int:
        """Give an object its address."""
        address = next(a for a in self._addresses if a not in self._live)
        self._live[address] = Record(value, address, number, caller_site())
        return address

    def get(self, address: int | None, kind: type[T], what: str) -> T:
        """The live object of a kind behind an address.

        Parameters
        ----------
        address : int or None
            The pointer given; None for NULL.
        kind : type
            One of `KINDS`.
        what : str
            Name of the argument.

        Raises
        ------
        Refused
            For NULL.
        Misuse
            For a destroyed object, one of another kind, or none of this library.
        """
        record = self._live.get(address) if address else None
        if record is None or not isinstance(record.value, kind):
            raise self._explain(address, KINDS[kind], what)
        return record.value

    def destroy(self, address: int | None, kind: type[T], what: str) -> T:
        """Forget an object, but for its history."""
        value = self.get(address, kind, what)
        assert address is not None
        record = self._live.pop(address)
        record.destroyed = caller_site()
        self._destroyed.append(record)
        return value

    def live(self, kind: type = object) -> list[Record]:
        """Return the objects that have not been destroyed, oldest first."""
        return [record for record in list(self._live.values()) if isinstance(record.value, kind)]

    def record(self, address: int) -> Record:
        """The history of a live object."""
        return self._live[address]

    def _explain(self, address: int | None, kind: str, what: str) -> Exception:
        if not address:
            return Refused(f"`{what}` is NULL.")
        found = self._live.get(address)
        if found is not None:
            return Misuse(Kind.FOREIGN_OBJECT, f"`{what}` should be a {kind} and is {found}.")
        gone = next((record for record in reversed(self._destroyed) if record.address == address), None)
        if gone is not None:
            return Misuse(Kind.DESTROYED_OBJECT, f"`{what}` is {gone}.")
        return Misuse(Kind.FOREIGN_OBJECT, f"`{what}` = {address:#x} is no {kind} of this library.")
