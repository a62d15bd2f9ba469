"""The worker processes of xdist: what each of them is told, and how it ended."""

from __future__ import annotations

import itertools
import pickle
from contextlib import suppress
from dataclasses import dataclass
from subprocess import TimeoutExpired
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import pytest

from mluops_conformance import exit_codes

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.language.model import Case

TOLD = "mluop"
REAP_SECONDS = 5.0
MOST_STILLBORN = 3
"""Workers that may end before they are ready until the run is given up."""


@dataclass(frozen=True)
class Assignment:
    """The orders of the controlling process to a worker.

    Parameters
    ----------
    worker : str
        The worker's name.
    ids : sequence of str
        The cases of the run in order, of which xdist sends each to one worker.
    cases : bytes
        These cases, pickled. Empty where the worker reads them from its own files: on another machine, and
        where pytest itself was asked for the run.
    backend : str
        The back end that the controlling process has: a worker that finds no device must not emulate one.
    card : int
        The device to use.
    remote : bool
        The worker runs on another machine, which does not have the folder for the results.
    native_ids : bool
        pytest itself was asked for the run, and finds the cases.
    """

    worker: str
    ids: Sequence[str]
    cases: bytes
    backend: str
    card: int
    remote: bool
    native_ids: bool

    @classmethod
    def of(cls, workerinput: Mapping[str, Any]) -> Assignment:
        """Return what `Workers` gave to this worker."""
        return cls(worker=workerinput["workerid"], **workerinput[TOLD])


class Workers:
    """Give each worker its assignment, and remember how it ended.

    Parameters
    ----------
    backend : Backend
        Of the controlling process.
    cases : sequence of Case
        The cases of the run in order.
    native_ids : bool
        pytest itself was asked for the run.
    """

    def __init__(self, backend: Backend, cases: Sequence[Case], native_ids: bool) -> None:
        self._backend = backend
        self._ids = [case.id for case in cases]
        self._cases = b"" if native_ids else pickle.dumps(tuple(cases))
        self._native_ids = native_ids
        self._devices = backend.each_device()  # while they answer: one that fails may not later
        self._cards: dict[str, int] = {}
        self._backends: dict[str, Backend] = {}
        self._exits: dict[str, int | None] = {}
        self._ready: set[str] = set()
        self._stillborn = 0

    def backend_of(self, name: str) -> Backend | None:
        """Return the back end of a worker on this machine, with the device that it was given."""
        return self._backends.get(name)

    def exit_status(self, name: str) -> int | None:
        """Return the exit status of a worker that is gone; None where it is not known."""
        return self._exits.get(name)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a new worker what to run, and on the lowest card that no other has."""
        name, remote = node.gateway.id, not node.gateway.spec.popen
        card = next(card for card in itertools.count() if card not in self._cards.values())
        self._cards[name] = card
        if not remote:
            self._backends[name] = self._devices[card % len(self._devices)]
        node.workerinput[TOLD] = {
            "ids": self._ids,
            "cases": b"" if remote else self._cases,
            "backend": self._backend.name,
            "card": card,
            "remote": remote,
            "native_ids": self._native_ids,
        }

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any) -> None:
        self._ready.add(node.gateway.id)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: Any) -> None:
        name = node.gateway.id
        self._cards.pop(name, None)
        process = getattr(node.gateway._io, "popen", None)  # none behind ssh
        if error and process is not None:
            with suppress(TimeoutExpired):
                process.wait(REAP_SECONDS)
            self._exits[name] = process.returncode
        if error and name not in self._ready:
            self._count_stillborn(node, error)

    def _count_stillborn(self, node: Any, error: Any) -> None:
        self._stillborn += 1
        if self._stillborn >= MOST_STILLBORN:
            text = f"workers end before they are ready ({node.gateway.spec}): {str(error).strip()}"
            pytest.exit(text, exit_codes.INTERNAL_ERROR)
