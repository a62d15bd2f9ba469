"""What else differs between two runs, and whether they may be compared at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Iterator, Mapping

from mluops_conformance.errors import UserError
from mluops_conformance.results.basis import RULES
from mluops_conformance.results.reader import Run

SERIES = re.compile(r"MLU\d+")


@dataclass(frozen=True)
class Difference:
    """A fact of the runs' environments that is not the same; "-" where one has none."""

    name: str
    before: str
    after: str


def differences(base: Run, new: Run) -> list[Difference]:
    """The facts that differ, as dotted names ("library.version"), and the seeds, which decide the data."""
    before, after = dict(_facts(base)), dict(_facts(new))
    return [
        Difference(name, before.get(name, "-"), after.get(name, "-"))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def refuse_mixture(base: Run, new: Run) -> None:
    """Refuse to compare what a change of the library cannot explain.

    Raises
    ------
    UserError
        One run is emulated and the other is not, or they are of different device series.
    """
    for what, before, after in (
        ("backend", base.header.backend, new.header.backend),
        ("device series", series(base.header.device), series(new.header.device)),
    ):
        if before != after:
            raise UserError(
                f"the runs have different {what}: {before} in {base.directory}, {after} in {new.directory}; "
                "--mixed compares them anyway"
            )


def series(device: str) -> str:
    """The series of a device's name ("MLU370-X8" is of MLU370); the name where it has no such beginning."""
    match = SERIES.match(device)
    return match.group() if match else device


def _facts(run: Run) -> Iterator[tuple[str, str]]:
    yield "backend", run.header.backend
    yield "device", run.header.device
    yield "seed", ", ".join(sorted({str(record.seed) for record in run.records})) or "-"
    basis = run.header.basis
    yield from ((words, getattr(basis, name)) for name, words in RULES.items() if getattr(basis, name))
    yield from _flat(run.environment, "")


def _flat(values: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif value is not None:
            yield f"{prefix}{name}", str(value)
