"""Artefacts: NumPy .npz files that hold a case, its inputs, what came out of it and what should have.

| entry | what |
| --- | --- |
| `case` | the case file that stands for the case alone, as text |
| `replay` | the same with the inputs below read from files `NAME.npy` beside it |
| `record` | the finished event of `results.record`, as JSON text; empty where the case was not executed |
| `seed` | the user's seed |
| `inputs/NAME` | an input, in its storage dtype; `STEP.NAME` is that of a step, as everywhere below |
| `outputs/NAME` | an output, in its storage dtype; others that equal calls gave are `NAME@2`, `NAME@3`, … |
| `expected/NAME/INTERPRETATION` | a right answer in double precision, or the valid part of one |

Nothing is pickled, so `numpy.load` reads a file of unknown origin without danger.
"""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Mapping

import numpy as np

from mluops_conformance.errors import UserError
from mluops_conformance.support.files import NO_ARRAYS, regular_file

REPEATED = "@"
"""Stands between an output's name and which of several distinct outputs it is."""


@dataclass(frozen=True)
class Artefact:
    """The data of a case.

    Parameters
    ----------
    case, replay : str
        Case files: as it was, and with its inputs read from files.
    seed : int
        The user's seed.
    inputs : dict of str to ndarray
    record : mapping
        The finished event; empty where the case was not executed.
    outputs : dict of str to ndarray
        Empty where there are none.
    expected : dict of str to dict of str to ndarray
        Right answers by output and interpretation, the plain one first.
    """

    case: str
    replay: str
    seed: int
    inputs: Mapping[str, np.ndarray[Any, Any]]
    record: Mapping[str, Any] = field(default_factory=dict)
    outputs: Mapping[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    expected: Mapping[str, Mapping[str, np.ndarray[Any, Any]]] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """About how large the file is."""
        return sum(array.nbytes for array in self._entries().values())

    def save(self, path: str | Path) -> None:
        """Write the file; whatever stands there before is replaced at once, or not at all.

        Raises
        ------
        UserError
            It cannot be written.
        """
        target = Path(path)
        if target.is_dir():
            raise UserError(f"{path}: a folder is there; name a file")
        partial = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            with open(partial, "wb") as file:
                np.savez(file, **self._entries())
            os.replace(partial, target)
        except OSError as error:
            with suppress(OSError):
                partial.unlink()
            raise UserError(f"{path}: {error.strerror}") from None

    def _entries(self) -> dict[str, Any]:
        return {
            "case": np.array(self.case),
            "replay": np.array(self.replay),
            "record": np.array(json.dumps(self.record)),
            "seed": np.array(self.seed),
            **{f"inputs/{name}": array for name, array in self.inputs.items()},
            **{f"outputs/{name}": array for name, array in self.outputs.items()},
            **{
                f"expected/{name}/{interpretation}": array
                for name, answers in self.expected.items()
                for interpretation, array in answers.items()
            },
        }


def load(path: str | Path) -> Artefact:
    """Read a file.

    Raises
    ------
    UserError
        It cannot be read, or is no artefact.
    """
    try:
        _check_archive(regular_file(path))
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as entries:
            expected: dict[str, dict[str, np.ndarray[Any, Any]]] = {}
            for name, array in _within(entries, "expected/"):
                output, _, interpretation = name.partition("/")
                expected.setdefault(output, {})[interpretation] = array
            return Artefact(
                case=str(entries["case"]),
                replay=str(entries["replay"]),
                seed=int(entries["seed"]),
                inputs=dict(_within(entries, "inputs/")),
                record=json.loads(str(entries["record"])),
                outputs=dict(_within(entries, "outputs/")),
                expected=expected,
            )
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    except NO_ARRAYS as error:
        raise UserError(f"{path} is not an artefact of a case: {error or type(error).__name__}") from None


def _check_archive(path: Path) -> None:
    """Only what NumPy's `savez` writes: a packed entry could be of any size when it is read."""
    if not zipfile.is_zipfile(path):
        raise ValueError("it is not an .npz file, or is truncated")
    with zipfile.ZipFile(path) as archive:
        packed = [entry.filename for entry in archive.infolist() if entry.compress_type]
    if packed:
        raise ValueError(f"{packed[0]} is packed")


def _within(entries: Any, folder: str) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    return ((name[len(folder) :], entries[name]) for name in entries.files if name.startswith(folder))
