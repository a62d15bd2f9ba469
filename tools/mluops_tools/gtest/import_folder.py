"""gtest case files and folders -> a folder of case files of ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable, Iterator

import numpy as np
from mluops_conformance.errors import UserError
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import read
from mluops_conformance.support.files import LARGEST, regular_file
from mluops_conformance.support.formatting import counted

from mluops_tools.gtest.files import free_file, write_text
from mluops_tools.gtest.importing import Imported, OtherOperatorError, import_case, operator_of
from mluops_tools.gtest.pb import message_of
from mluops_tools.gtest.textformat import TextFormatError, parse
from mluops_tools.gtest.unrepresentable import UnrepresentableError

__all__ = ["Import", "import_into"]

SUFFIXES = (".prototxt", ".pb")
NOT_A_CASE = "invalid"
"""In a folder, gtest passes over every path with this in it."""


@dataclass
class Import:
    """The result of each gtest case.

    Attributes
    ----------
    written : dict of Path to Path
        The case file by the gtest file.
    remarks : dict of Path to str
        What of an imported case has no effect here.
    refused : dict of Path to str
        Why a case was not imported.
    others : dict of Path to str
        Cases of operators that are not tested here.
    """

    written: dict[Path, Path] = field(default_factory=dict)
    remarks: dict[Path, str] = field(default_factory=dict)
    refused: dict[Path, str] = field(default_factory=dict)
    others: dict[Path, str] = field(default_factory=dict)

    def successes(self) -> Iterator[str]:
        """A line for each case that was imported."""
        for path, file in self.written.items():
            remark = f" ({self.remarks[path]})" if path in self.remarks else ""
            yield f"{path} -> {file}{remark}"

    def refusals(self) -> Iterator[str]:
        """A line for each case that was not."""
        for path, reason in {**self.refused, **self.others}.items():
            yield f"{path}: not imported: {reason}"

    def count(self) -> str:
        """Return a line that counts the imported and the refused cases."""
        counts = f"{counted(len(self.written), 'case')} imported, {len(self.refused)} not"
        return f"{counts}, {len(self.others)} of other operators"


def import_into(paths: Iterable[Path], folder: Path, proto: Path | None = None) -> Import:
    """Import gtest cases into `folder`/<operator>/<name>.yaml, with their data beside them.

    Parameters
    ----------
    paths : iterable of Path
        Case files, and folders of them.
    folder : Path
        Where to write.
    proto : Path, optional
        The schema (mlu_op_test.proto) that .pb files need.

    Raises
    ------
    UserError
        A path does not exist or holds no case, or a file is in the way.
    """
    result = Import()
    for path in _case_files(paths):
        try:
            _import_one(path, folder, proto, result)
        except OtherOperatorError as error:
            result.others[path] = str(error)
        except (UnrepresentableError, TextFormatError) as error:
            result.refused[path] = str(error)
    return result


def _case_files(paths: Iterable[Path]) -> list[Path]:
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise UserError(f"no such gtest case or folder: {path}")
        files = sorted(_files_below(path)) if path.is_dir() else [path]
        if not files:
            raise UserError(f"{path} holds no gtest case ({', '.join(SUFFIXES)})")
        found.update({file.resolve(): file for file in files})
    return list(found.values())


def _files_below(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.suffix in SUFFIXES and NOT_A_CASE not in str(path.relative_to(folder)):
            yield path


def _import_one(path: Path, folder: Path, proto: Path | None, result: Import) -> None:
    message = message_of(path, proto) if path.suffix == ".pb" else parse(_text(path))
    operator = operator_of(message)
    file = free_file(folder / operator.name, path.stem, ".yaml", result.written.values())
    imported = import_case(message, path, file.stem)
    _write(imported, file)
    result.written[path] = file
    if imported.case.note:
        result.remarks[path] = imported.case.note


def _text(path: Path) -> str:
    try:
        return regular_file(path, LARGEST).read_text(encoding="utf-8")
    except OSError as error:
        raise UnrepresentableError(f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UnrepresentableError("it is no text") from None


def _write(imported: Imported, file: Path) -> None:
    write_text(file, to_yaml(imported.case))
    for name, array in imported.files.items():
        np.save(file.parent / name, array)
    problems = read([file])[1]
    if problems:
        file.unlink()
        raise UnrepresentableError("; ".join(problem.text for problem in problems))
