"""What a run is going to execute: the selection, less what is finished, or one shard of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

from mluops_conformance.errors import UserError

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case
    from mluops_conformance.options import RunOptions
    from mluops_conformance.results.basis import Basis


@dataclass(frozen=True)
class PlanOptions:
    """What narrows a selection.

    Parameters
    ----------
    queries : tuple of str
        As on the command line.
    shard : str
        "i/N", or empty.
    times : str
        Folder of a run whose times balance the shards, or empty.
    finished_in : str
        Folder of an interrupted run whose finished cases are left out, or empty.
    rerun_changed : bool
        Execute finished cases again that are no longer what they were.
    """

    queries: tuple[str, ...] = ()
    shard: str = ""
    times: str = ""
    finished_in: str = ""
    rerun_changed: bool = False

    def arguments(self, prefix: str) -> tuple[str, ...]:
        """As command-line words for the engine; `finished_in` is its folder for the results."""
        words = [f"{prefix}query={query}" for query in self.queries]
        words += [f"{prefix}shard={self.shard}"] if self.shard else []
        words += [f"{prefix}times={self.times}"] if self.times else []
        words += [f"{prefix}resume"] if self.finished_in else []
        words += [f"{prefix}rerun-changed"] if self.rerun_changed else []
        return tuple(words)


def plan(options: RunOptions, narrowing: PlanOptions) -> list[Case]:
    """The cases to execute, the most costly first, so that parallel workers end together.

    Raises
    ------
    UserError
        As `select` does, and for a shard that is none, times without one, or a folder without a run.
    """
    from mluops_conformance.execution.basis import basis_of
    from mluops_conformance.selection import select
    from mluops_conformance.sharding import elements, parse_shard, shard

    if narrowing.times and not narrowing.shard:
        raise UserError("--times balances the parts of a split run: give --shard i/N too")
    cases: Sequence[Case] = select(options, narrowing.queries)
    if options.fault:
        _refuse_idle(options.fault, cases)
    basis = basis_of(cases, options) if narrowing.finished_in else None
    if narrowing.shard:
        cases = shard(cases, *parse_shard(narrowing.shard), _seconds(narrowing.times))
    done = _finished(narrowing, basis) if basis else frozenset()
    return sorted((case for case in cases if case.id not in done), key=lambda case: -elements(case))


def _refuse_idle(names: Sequence[str], cases: Sequence[Case]) -> None:
    """A run that calls nothing that is broken would look as if the suite missed the faults."""
    from mluops_emulator.faults import FAULTS

    from mluops_conformance.selftest.trial import idle

    faults = [FAULTS[name] for name in names if name in FAULTS]  # what there is not, the backend names
    if faults and idle(faults, cases) == faults:
        raise UserError(f"--fault: none of the selected cases calls what {', '.join(names)} breaks")


def _seconds(folder: str) -> dict[str, float]:
    if not folder:
        return {}
    from mluops_conformance.results.reader import load_run

    return {record.id: record.total_seconds for record in load_run(Path(folder)).records}


def _finished(narrowing: PlanOptions, basis: Basis) -> frozenset[str]:
    """Cases with an end of their own; one whose process went down with the run is to be repeated.

    Raises
    ------
    UserError
        The run began with other cases, known issues or thresholds, or with another version of this program.
    """
    from mluops_conformance.results.basis import demand_continued
    from mluops_conformance.results.reader import load_run
    from mluops_conformance.results.record import INTERRUPTED

    run = load_run(Path(narrowing.finished_in))
    changed = demand_continued(narrowing.finished_in, run.header.basis, basis, narrowing.rerun_changed)
    return frozenset(
        record.id
        for record in run.records
        if record.id not in run.unfinished and record.reason != INTERRUPTED and record.id not in changed
    )
