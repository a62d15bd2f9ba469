"""Compare two runs: collect everything that differs, their surroundings too, and decide the exit code."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Container, Iterator, Mapping, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.comparison.changes import (
    GONE,
    NEWLY_FAILING,
    Change,
    Drift,
    Limits,
    Loosened,
    Pair,
    by_id,
    changes,
    drifts,
    loosened,
)
from mluops_conformance.comparison.times import Samples, Timing, changed, common_factors, samples_of, timings
from mluops_conformance.errors import UserError
from mluops_conformance.results.basis import RULES, edited_cases
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.results.reader import Run

SERIES = re.compile(r"MLU\d+")


@dataclass(frozen=True)
class Comparison:
    """The differences between two runs.

    Parameters
    ----------
    compared : int
        Cases that both runs executed.
    timed : int
        Times that both runs have often enough.
    common_factors : dict of str to float
        By which factor all times of a kind changed.
    """

    base: Run
    new: Run
    limits: Limits
    compared: int
    timed: int
    changes: tuple[Change, ...] = ()
    drifts: tuple[Drift, ...] = ()
    timings: tuple[Timing, ...] = ()
    loosened: tuple[Loosened, ...] = ()
    differences: tuple[Difference, ...] = ()
    common_factors: dict[str, float] = field(default_factory=dict)

    def of_kind(self, kind: str) -> tuple[Change, ...]:
        """The changed cases of one of `changes.KINDS`."""
        return tuple(change for change in self.changes if change.kind == kind)

    @property
    def regressions(self) -> dict[str, int]:
        """The number of things of each kind that got worse; they decide the exit code."""
        return {
            NEWLY_FAILING: len(self.of_kind(NEWLY_FAILING)),
            GONE: len(self.of_kind(GONE)),
            "less accurate": sum(drift.is_worse for drift in self.drifts),
            "slower": sum(timing.is_worse for timing in self.timings),
        }

    @property
    def exit_code(self) -> int:
        """1 where something got worse, 5 where nothing could be compared, 0 otherwise."""
        if not self.compared:
            return exit_codes.NOTHING_EXECUTED
        return exit_codes.FAILED if any(self.regressions.values()) else exit_codes.PASSED


def compare(
    base: Run,
    new: Run,
    limits: Limits | None = None,
    more_base: Sequence[Run] = (),
    more_new: Sequence[Run] = (),
) -> Comparison:
    """Compare two runs.

    Parameters
    ----------
    more_base, more_new : sequence of Run
        Further runs of the same builds; they add to the times, and to nothing else.
    """
    chosen = Limits() if limits is None else limits
    edited = frozenset(edited_cases(base.header.basis, new.header.basis))
    both = _pairs(base, new)
    pairs = [(old, record) for old, record in both if record.id not in edited]
    compared = timings(_samples((base, *more_base), edited), _samples((new, *more_new), edited), chosen)
    return Comparison(
        base=base,
        new=new,
        limits=chosen,
        compared=len(pairs),
        timed=len(compared),
        changes=tuple(changes(base, new, chosen.only_common)),
        drifts=tuple(drifts(pairs, chosen)),
        timings=tuple(timing for timing in compared if changed(timing, chosen)),
        loosened=tuple(loosened(both)),
        differences=tuple(differences(base, new)),
        common_factors=common_factors(compared),
    )


def _pairs(base: Run, new: Run) -> list[Pair]:
    """The cases that both runs executed."""
    before = by_id(base)
    pairs = ((before[record.id], record) for record in new.records if record.id in before)
    return [pair for pair in pairs if all(OUTCOMES[record.outcome].executed for record in pair)]


def _samples(runs: Sequence[Run], edited: Container[str]) -> Samples:
    return samples_of([record for record in run.records if record.id not in edited] for run in runs)


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
