"""The lock on a run's folder: one process writes to it, and a killed one leaves no lock behind."""

from __future__ import annotations

import errno
import fcntl
import os
import platform
from pathlib import Path

from mluops_conformance.errors import OutputError, UserError
from mluops_conformance.results.reader import RESULTS
from mluops_conformance.support.output import make_folder

LOCK = "lock"
"""A file of the folder; it names the process that locks it, or that did so last."""

WITHOUT_LOCKS = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP})
"""Errors of file systems that have no locks: they are used as they are."""

_claimed: dict[Path, int] = {}
"""Descriptors of the locked files, which close with the process."""


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
