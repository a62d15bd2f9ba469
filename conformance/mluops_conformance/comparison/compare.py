"""The comparison of two runs, and what it decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Container, Sequence

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
from mluops_conformance.comparison.surroundings import Difference, differences
from mluops_conformance.comparison.times import Samples, Timing, changed, common_factors, samples_of, timings
from mluops_conformance.results.basis import edited_cases
from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.results.reader import Run


@dataclass(frozen=True)
class Comparison:
    """What differs between two runs.

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
        """How many things got worse, by what they are; those that decide the exit code."""
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
