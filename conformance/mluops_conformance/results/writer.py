"""Write stored runs: append events, lock the folder, and merge the parts of a split run.

A killed process leaves whole lines in results.jsonl, and no lock behind.
"""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Mapping, Sequence

from mluops_conformance.errors import OutputError, UserError
from mluops_conformance.results import environment
from mluops_conformance.results.basis import refuse_other_bases
from mluops_conformance.results.reader import ENVIRONMENT, RESULTS, Run
from mluops_conformance.results.record import Event, Stopped, to_line
from mluops_conformance.support.output import make_folder

MOST_CUT = 2
"""Whole lines that the end of a run may replace."""
LONGEST_CUT = 1 << 20
"""Bytes of such lines."""

LOCK = "lock"
"""A file of the folder; it names the process that locks it, or that did so last."""

WITHOUT_LOCKS = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP})
"""Errors of file systems that have no locks: they are used as they are."""

_claimed: dict[Path, int] = {}
"""Descriptors of the locked files, which close with the process."""


class ResultsWriter:
    """An append-only file of events; each goes to the kernel in one write, so nothing waits in a buffer.

    Processes may append to the same file at the same time. A line that an earlier process left unfinished is
    closed, and stays for the reader to name.

    Parameters
    ----------
    path : path-like
        The file; created where it does not exist.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            os.write(self._descriptor, b"\n")

    def write(self, entry: Event) -> None:
        """Append one event.

        Raises
        ------
        OutputError
            The line could not be written whole, as on a full disk.
        """
        line = to_line(entry)
        while line:
            try:
                line = line[os.write(self._descriptor, line) :]
            except OSError as error:
                raise OutputError(f"{self._path} cannot be written: {error.strerror}") from None

    def stop(self, reason: str) -> None:
        """Append the end of a run that ends before its last case, where need be in place of the last lines.

        On a full disk, a line that was cut off and at most `MOST_CUT` whole ones make room for it.
        """
        line = to_line(Stopped(reason))
        for _ in range(MOST_CUT + 1):
            self._cut_to(self._end_of_lines())
            with suppress(OSError):
                if os.write(self._descriptor, line) == len(line):
                    return
            self._cut_to(self._end_of_lines())
            self._cut_to(self._end_of_lines(before=1))

    def _end_of_lines(self, before: int = 0) -> int:
        """Find the end of the last whole line, or of the last but `before`."""
        size = os.fstat(self._descriptor).st_size
        begin = max(size - LONGEST_CUT, 0)
        pieces = os.pread(self._descriptor, size - begin, begin).split(b"\n")
        return size - sum(len(piece) + 1 for piece in pieces[len(pieces) - 1 - before :]) + 1

    def _cut_to(self, size: int) -> None:
        with suppress(OSError):
            os.ftruncate(self._descriptor, max(size, 0))

    def close(self) -> None:
        """Close the file; again is harmless."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> ResultsWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def claim(directory: Path, resume: bool = False) -> None:
    """Keep every other process from writing to a run's folder, until this process ends.

    A folder that this process has claimed already stays claimed.

    Parameters
    ----------
    directory : Path
        It is made where it does not exist.
    resume : bool
        The folder may hold a run, which is to be continued.

    Raises
    ------
    UserError
        Another process writes to the folder, or it holds a run that is not to be continued.
    OutputError
        The lock cannot be written, as on a full disk.
    """
    make_folder(directory)
    place = directory.resolve()
    if place not in _claimed:
        _claimed[place] = _locked(directory)
    if not resume:
        refuse_stored(directory)


def refuse_stored(directory: Path) -> None:
    """Refuse a folder that holds a run.

    Raises
    ------
    UserError
    """
    if (directory / RESULTS).exists():
        raise UserError(
            f"{directory} already holds a run; choose another --out, remove it, or --resume {directory}"
        )


def is_claimed(directory: Path) -> bool:
    """Return whether another process writes to a run's folder now."""
    try:
        descriptor = os.open(directory / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in WITHOUT_LOCKS and directory.resolve() not in _claimed
    finally:
        os.close(descriptor)
    return False


def _locked(directory: Path) -> int:
    path = directory / LOCK
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None
    try:
        _lock(descriptor, directory)
        _sign(descriptor, path)
    except UserError:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int, directory: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in WITHOUT_LOCKS:
            return
        owner = os.pread(descriptor, 1000, 0).decode("utf-8", "replace").strip()
        raise UserError(
            f"{directory}: another run writes to this folder ({owner or 'it has just begun'}); "
            "choose another --out, or wait until that run has ended"
        ) from None


def _sign(descriptor: int, path: Path) -> None:
    """Write which process locks the file."""
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {platform.node()}\n".encode(), 0)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}") from None


def merge(parts: Sequence[Run], directory: Path) -> None:
    """Write one run that holds the records of all parts, in their order; the environment is the first part's.

    Raises
    ------
    UserError
        The parts ran on different backends, devices or builds of the library or with different seeds, have a
        case in common, are not complete, or the folder holds a run.
    """
    _check(parts)
    claim(directory)
    first = parts[0].header
    contradictions = {key: value for part in parts for key, value in part.header.contradictions.items()}
    planned = sum(len(part.records) + part.missing for part in parts)
    with ResultsWriter(directory / RESULTS) as writer:
        writer.write(replace(first, run=directory.name, planned=planned, contradictions=contradictions))
        for part in parts:
            for record in part.records:
                writer.write(record)
    environment.write(directory / ENVIRONMENT, parts[0].environment)


def _check(parts: Sequence[Run]) -> None:
    for part in parts:
        if is_claimed(part.directory):
            raise UserError(f"{part.directory}: a run still writes to this folder; wait until it has ended")
    refuse_others({part.directory: f"{part.header.backend} {part.header.device}" for part in parts})
    refuse_others({part.directory: part.build[:8] for part in parts if part.build}, " as libmluops")
    _check_shards(parts)
    refuse_other_bases({str(part.directory): part.header.basis for part in parts})
    seen: dict[str, Path] = {}
    for part in parts:
        for record in part.records:
            if record.id in seen:
                raise UserError(f"{record.id} stands in {seen[record.id]} and in {part.directory}")
            seen[record.id] = part.directory


def _check_shards(parts: Sequence[Run]) -> None:
    """Refuse parts of one split run if a part is missing, or if their seeds differ."""
    shards = {part.directory: _option(part, "--shard") for part in parts}
    refuse_others({place: text.partition("/")[2] for place, text in shards.items() if text}, " parts in all")
    refuse_others({part.directory: _option(part, "--seed") or "0" for part in parts}, " as --seed")
    whole = [str(place) for place, text in shards.items() if not text]
    if 0 < len(whole) < len(shards):
        raise UserError(f"not parts of a split run: started without --shard: {', '.join(whole)}")
    have = {text.partition("/")[0] for text in shards.values()}
    count = next(iter(shards.values())).partition("/")[2] or "0"
    missing = [f"{index}/{count}" for index in range(1, int(count) + 1) if str(index) not in have]
    if missing:
        raise UserError(f"these parts are missing: {', '.join(missing)}")


def refuse_others(said: Mapping[Path, str], what: str = "") -> None:
    """Refuse folders that do not all say the same.

    Raises
    ------
    UserError
        It names each folder with what it says.
    """
    if len({*said.values()}) > 1:
        shown = ", ".join(f"{place} ({text}{what})" for place, text in said.items())
        raise UserError(f"these are not parts of one run: {shown}")


def _option(run: Run, flag: str) -> str:
    """The value of an option of the command that began the run; empty without it."""
    words = [word for given in run.header.command for word in given.split("=", 1)]
    return words[words.index(flag) + 1] if flag in words[:-1] else ""
