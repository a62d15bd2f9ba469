"""Cases of ours -> a folder of gtest case files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterable

from mluops_conformance.language.model import Case, misfit, sized
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.limits import Device

from mluops_tools.gtest.exporting import export_case
from mluops_tools.gtest.files import free_file, write_text
from mluops_tools.gtest.unrepresentable import UnrepresentableError

__all__ = ["Export", "export_into"]


@dataclass
class Export:
    """The result of each case by its id: the written file, or the reason for which there is none."""

    written: dict[str, Path] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def export_into(cases: Iterable[Case], folder: Path, device: Device, seed: int = 0) -> Export:
    """Write `folder`/<operator>/<name>.prototxt for each case that gtest can have.

    Parameters
    ----------
    device : Device
        The one that sizes follow from.

    Raises
    ------
    UserError
        A file of another case is in the way.
    """
    result = Export()
    for case in cases:
        name = case.id.partition("/")[2]
        file = free_file(folder / case.operator, name, ".prototxt", result.written.values())
        try:
            exported = export_case(_sized(case, device), file.stem, seed)
        except UnrepresentableError as error:
            result.refused[case.id] = str(error)
            continue
        write_text(file, exported.text)
        for raw, array in exported.files.items():
            array.tofile(file.parent / raw)
        result.written[case.id] = file
    return result


def _sized(case: Case, device: Device) -> Case:
    operator = the_operator(case.operator)
    complaint = misfit(case, operator, device)
    if complaint:
        raise UnrepresentableError(complaint)
    return sized(case, operator, device)
