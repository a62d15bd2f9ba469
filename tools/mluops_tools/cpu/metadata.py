"""The description of a built library: one JSON file beside libmluops.so."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Mapping

from mluops.loading import CPU_BUILD
from mluops_conformance.errors import UserError

FORMAT = 2


@dataclass(frozen=True)
class LeftOut:
    """A folder of kernels that is not in the library.

    Parameters
    ----------
    folder : str
        Below kernels/.
    functions : tuple of str
        The public functions that answer NOT_SUPPORTED for it.
    reason : str
        One line: an intrinsic or function that is not there, or the compiler's first error.
    place : str
        Where it is used, file:line; empty where that has none.
    missing : str
        The intrinsic's or function's name; empty for another error.
    digest : str
        Of the sources that were tried.
    """

    folder: str
    functions: tuple[str, ...]
    reason: str
    place: str = ""
    missing: str = ""
    digest: str = ""


@dataclass(frozen=True)
class Metadata:
    """The sources and the results of a build.

    Parameters
    ----------
    source, release, commit, arch : str
    sanitize : tuple of str
    folders : mapping of str to tuple of str
        The folders of kernels that are built, and their public functions.
    left_out : tuple of LeftOut
    """

    source: str
    release: str
    commit: str
    arch: str
    sanitize: tuple[str, ...] = ()
    folders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()

    @property
    def functions(self) -> tuple[str, ...]:
        """The public functions that are built."""
        return tuple(function for functions in self.folders.values() for function in functions)

    def write(self, folder: Path) -> None:
        """Store it in a folder."""
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1)
        (folder / CPU_BUILD).write_text(text + "\n", encoding="utf-8")


def read_metadata(folder: Path) -> Metadata | None:
    """Return what a folder says; None where it says nothing.

    Raises
    ------
    UserError
        The file is damaged, or another version's.
    """
    path = folder / CPU_BUILD
    if not path.is_file():
        return None
    try:
        stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if stored.pop("format") != FORMAT:
            raise UserError(f"{path}: of another version of this program; remove {folder} and build again")
        left_out = tuple(
            LeftOut(**{**entry, "functions": tuple(entry["functions"])}) for entry in stored.pop("left_out")
        )
        folders = {name: tuple(functions) for name, functions in stored.pop("folders").items()}
        sanitize = tuple(stored.pop("sanitize"))
        return Metadata(**stored, sanitize=sanitize, folders=folders, left_out=left_out)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(f"{path}: damaged; remove it and build again") from None
