"""Keep the data of cases in the folder of a run, up to a limit."""

from __future__ import annotations

import fcntl
import hashlib
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterator

from mluops_conformance.errors import UserError
from mluops_conformance.results.record import Record
from mluops_conformance.support import formatting
from mluops_conformance.support.flags import Flags, flag, size

if TYPE_CHECKING:
    from mluops_conformance.artefacts.file import Artefact


WHEN = ("never", "failed", "always")

FOLDER = "artefacts"
UNSAFE = re.compile(r"[^A-Za-z0-9=,._+@-]")
NAME_LENGTH = 120


@dataclass(frozen=True)
class SaveOptions(Flags):
    """Say when data is kept, and how many bytes of it in all."""

    when: str = flag(
        WHEN[0],
        "keep inputs, outputs and expectations in DIR/artefacts, of bad cases or of all",
        name="save",
        choices=WHEN,
    )
    limit: int = flag(
        1 << 30,
        f"limit of all kept data, for example 500M or 2G (default: {formatting.size(1 << 30)})",
        name="save-limit",
        type=size,
        metavar="SIZE",
    )


class Keeper:
    """Decides which data is kept, and writes it.

    Several processes may keep the data of one run; together they stay below the limit.

    Parameters
    ----------
    directory : Path, optional
        The folder of the run; None where it is on another machine.
    options : SaveOptions
    """

    def __init__(self, directory: Path | None, options: SaveOptions) -> None:
        self._directory = directory
        self._options = options

    def keep(self, record: Record, artefact: Callable[[Record], Artefact]) -> Record:
        """The record with the place of its data, or with the reason why it was left out.

        Parameters
        ----------
        artefact : callable
            Gives the data; only called where it is wanted.
        """
        when = self._options.when
        if when == "never" or (when == "failed" and record.is_good):
            return record
        if self._directory is None:
            return replace(record, left_out="it ran on a machine that does not have the run's folder")
        data = artefact(record)
        if not data.inputs:
            return record
        try:
            return self._kept(self._directory / FOLDER, record, data)
        except (OSError, UserError) as error:
            return replace(record, left_out=str(error))

    def _kept(self, folder: Path, record: Record, data: Artefact) -> Record:
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            used = sum(file.stat().st_size for file in folder.glob("*.npz"))
            if used + data.nbytes > self._options.limit:
                more, limit = formatting.size(data.nbytes), formatting.size(self._options.limit)
                return replace(
                    record, left_out=f"{more} more would exceed the limit of {limit} (--save-limit)"
                )
            path = folder / file_name(record.id)
            data.save(path)
        return replace(record, artefact=f"{FOLDER}/{path.name}")


def file_name(case_id: str) -> str:
    """A file name for a case, by its id; where that is long or odd, by a part of it and a digest."""
    joined = case_id.replace("/", "-", 1).replace(":", "@", 1)  # no operator has a hyphen, no id an "@"
    plain = UNSAFE.sub("_", joined).lstrip(".-")[:NAME_LENGTH]
    if plain == joined:
        return f"{plain}.npz"
    return f"{plain}-{hashlib.sha256(case_id.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.npz"


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time look at the folder's size and add to it."""
    with open(folder / ".lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
