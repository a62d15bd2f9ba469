"""The live resources: everything that a program must release before it ends."""

from __future__ import annotations

from itertools import count
from typing import Iterator, NamedTuple

from mluops_emulator.host import Host
from mluops_emulator.log import Log
from mluops_emulator.memory import Memory
from mluops_emulator.objects import Objects
from mluops_emulator.sites import Site
from mluops_emulator.violations import Kind, Violation

SHOWN = 10
"""Leaks that are written to the log one by one."""


class Resource(NamedTuple):
    """Something alive: its number in the order of creation, its description, and the line that made it."""

    number: int
    text: str
    site: Site


class Inventory:
    """All resources of an emulator, numbered in the order of their creation."""

    def __init__(self, memory: Memory, host: Host, objects: Objects) -> None:
        self._memory, self._host, self._objects = memory, host, objects
        self._numbers = count(1)
        self.newest = 0

    def number(self) -> int:
        """The number of the next resource."""
        self.newest = next(self._numbers)
        return self.newest

    def alive(self, since: int = 0) -> list[Resource]:
        """Return the live resources that were made after number `since`, oldest first."""
        return sorted(resource for resource in self._all() if resource.number > since)

    def _all(self) -> Iterator[Resource]:
        for allocation in self._memory.live():
            yield Resource(allocation.number, str(allocation), allocation.allocated)
        for buffer in self._host.live():
            yield Resource(buffer.number, str(buffer), buffer.allocated)
        for record in self._objects.live():
            yield Resource(record.number, str(record), record.created)


def report_leaks(inventory: Inventory, log: Log, violations: list[Violation]) -> None:
    """Record what is still alive at the end, and write it to the log."""
    leaks = [
        Violation(Kind.LEAK, "close", f"{resource.text}, was never released", resource.site)
        for resource in inventory.alive()
    ]
    violations.extend(leaks)
    for leak in leaks[:SHOWN]:
        log.error("leak", leak.text)
    if len(leaks) > SHOWN:
        log.error("leak", f"{len(leaks) - SHOWN} further buffers and objects were never released")
