"""Results of references, kept on disk: a later run on the same inputs reads them.

An entry is a .npz file. Its name is a digest of all that its content depends on: the source of the references
and of the operators that call them, the version of NumPy, which of an operator's functions was evaluated, the
scalars, and every byte of the inputs. So an entry never goes out of date, and needs no lock: it is written
under another name first, and processes that write the same one write the same content. One that cannot be
read, or whose checksums do not hold, counts as missing.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple
from uuid import uuid4

import mluops_reference
import numpy as np

from mluops_conformance import operators
from mluops_conformance.operators.base import Arrays, Expectation, Reference, Scalar
from mluops_conformance.support.files import NO_ARRAYS, regular_file

Evaluate = Callable[[str, Reference], Expectation]
"""Evaluates a function of an operator on given inputs; the name tells it from all others."""

ENTRY, UNFINISHED = ".npz", ".new"
FIGURES = "figures"
"""The member of an entry that holds what is no array, as JSON."""

SWEEPS = 16
"""A process looks through the folder whenever it has written one part in so many of the limit."""

ABANDONED_SECONDS = 3600.0
"""Unfinished entries older than this are abandoned."""


def evaluating(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Evaluate:
    """Evaluate functions on these inputs, and keep nothing."""
    return lambda name, function: function(inputs, scalars)


class Cache:
    """A folder of results.

    Parameters
    ----------
    folder : Path
        Made where it does not exist.
    limit : int
        Bytes that it may hold. Each process that writes to it may exceed them by a sixteenth for a while.

    Raises
    ------
    OSError
        The folder cannot be made.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._limit = limit
        self._sweep()

    def evaluating(self, inputs: Arrays, scalars: Mapping[str, Scalar]) -> Evaluate:
        """Evaluate functions on these inputs, each unless its result is kept already."""
        digest = _digest(inputs, scalars)

        def evaluate(name: str, function: Reference) -> Expectation:
            own = digest.copy()
            own.update(name.encode())
            entry = self._folder / f"{own.hexdigest()}{ENTRY}"
            found = _read(entry)
            if found is None:
                found = function(inputs, scalars)
                with suppress(OSError):  # a full disk costs the entry and nothing else
                    self._keep(entry, found)
            return found

        return evaluate

    def _keep(self, entry: Path, found: Expectation) -> None:
        unfinished = entry.with_suffix(f".{uuid4().hex}{UNFINISHED}")
        try:
            _write(unfinished, found)
            self._unswept += unfinished.stat().st_size
            os.replace(unfinished, entry)
        except OSError:
            _remove(unfinished)
            raise
        if self._unswept > self._limit // SWEEPS:
            self._sweep()

    def _sweep(self) -> None:
        """Remove what was not used for longest, as far as the limit demands it, and what nobody finishes."""
        self._unswept = total = 0
        now = time.time()
        for file in sorted(_files(self._folder), reverse=True):
            total += file.size
            abandoned = file.path.endswith(UNFINISHED) and now - file.used > ABANDONED_SECONDS
            if abandoned or total > self._limit:
                _remove(Path(file.path))


class _File(NamedTuple):
    used: float
    size: int
    path: str


def _files(folder: Path) -> Iterator[_File]:
    for entry in os.scandir(folder):
        if entry.name.endswith((ENTRY, UNFINISHED)):
            with suppress(FileNotFoundError):  # another process removes as well
                status = entry.stat()
                yield _File(status.st_mtime, status.st_size, entry.path)


def _remove(path: Path) -> None:
    with suppress(FileNotFoundError):
        path.unlink()


def _write(path: Path, found: Expectation) -> None:
    figures = {
        "outputs": list(found.outputs),
        "valid": found.valid,
        "notes": found.notes,
        "uncertain": found.uncertain,
    }
    members: dict[str, Any] = {_member(name): array for name, array in found.outputs.items()}
    members[FIGURES] = np.array(json.dumps(figures))
    with path.open("wb") as file:
        np.savez(file, **members)


def _read(path: Path) -> Expectation | None:
    """The content of an entry; None where there is none that can be trusted. It counts as used."""
    try:
        with regular_file(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            figures = json.loads(stored[FIGURES].item())
            outputs = {name: stored[_member(name)] for name in figures["outputs"]}
        os.utime(path)
        return Expectation(
            outputs, figures["valid"], figures["notes"], tuple(map(tuple, figures["uncertain"]))
        )
    except (OSError, *NO_ARRAYS):
        return None


def _member(output: str) -> str:
    return f"output {output}"


def _digest(inputs: Arrays, scalars: Mapping[str, Scalar]) -> hashlib.blake2b:
    digest = hashlib.blake2b(_sources(), digest_size=20)
    digest.update(json.dumps(sorted(scalars.items())).encode())
    for name, array in sorted(inputs.items()):
        digest.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
    return digest


@lru_cache(maxsize=1)
def _sources() -> bytes:
    """A digest of the code that results come from."""
    digest = hashlib.sha256(np.__version__.encode())
    for package in (mluops_reference, operators):
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            digest.update(f"\n{path.name}\n".encode())
            digest.update(path.read_bytes())
    return digest.digest()
