"""Plan a run: select cases, leave out what is finished, take one shard, and order what is left.

A split is the same wherever it is computed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, Mapping, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.query import parse_queries
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import shape_of
from mluops_conformance.results.basis import Basis

if TYPE_CHECKING:
    from mluops_emulator.faults import Fault

    from mluops_conformance.engine.options import Options
    from mluops_conformance.language.model import Case

BASE_COST = 20_000
"""Elements of a big case that take as long as any tiny one."""

SHARD = re.compile("([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True)
class Plan:
    """The cases of a run.

    Parameters
    ----------
    cases : tuple of Case
        Those to execute, in order.
    basis : Basis
        Digests of what the run judges by, with the other parts of a split run; empty in a worker.
    """

    cases: tuple[Case, ...] = ()
    basis: Basis = field(default_factory=Basis)


def plan(options: Options, cases: Sequence[Case]) -> Plan:
    """Plan a run: the most costly cases come first, so that parallel workers end together.

    Parameters
    ----------
    cases : sequence of Case
        All cases that the run may choose from.

    Raises
    ------
    UserError
        A query is wrong or selects nothing, no case shows a planted fault, a shard is not i/N, times are
        given without one, a folder holds no run, or the run to resume was judged by something else.
    """
    from mluops_conformance.execution.basis import basis_of

    narrowing = options.plan
    if narrowing.times and not narrowing.shard:
        raise UserError("--times balances the parts of a split run: give --shard i/N too")
    chosen = parse_queries(narrowing.query).select(cases)
    if options.run.fault:
        _refuse_idle(options.run.fault, chosen)
    basis = basis_of(chosen, options.run)
    if narrowing.shard:
        chosen = shard(chosen, *parse_shard(narrowing.shard), _seconds(narrowing.times))
    done = _finished(options, basis) if narrowing.resume else frozenset()
    left = (case for case in chosen if case.id not in done)
    return Plan(tuple(sorted(left, key=lambda case: -elements(case))), basis)


def parse_shard(text: str) -> tuple[int, int]:
    """Read `i/N`, counted from 1.

    Raises
    ------
    UserError
        The text is not of that form.
    """
    match = SHARD.fullmatch(text)
    index, count = map(int, match.groups()) if match else (0, 0)
    if not 1 <= index <= count:
        raise UserError(f"--shard {text}: write i/N, counted from 1, as 2/4")
    return index, count


def shard(
    cases: Sequence[Case], index: int, count: int, seconds: Mapping[str, float] | None = None
) -> list[Case]:
    """Return the cases of one of `count` shards, in their order.

    Parameters
    ----------
    index, count : int
        The number of the shard, from 1, and how many there are.
    seconds : mapping of case id to float, optional
        Recorded times; a case without one counts as the median.
    """
    costs = _costs(cases, seconds or {})
    loads = [0.0] * count
    shard_of = {}
    for case in sorted(cases, key=lambda case: (-costs[case.id], case.id)):
        lightest = min(range(count), key=loads.__getitem__)
        loads[lightest] += costs[case.id]
        shard_of[case.id] = lightest
    return [case for case in cases if shard_of[case.id] == index - 1]


def elements(case: Case) -> int:
    """Count the elements of all tensors of a case: its cost grows with them."""
    if case.refused or case.call != "operator":
        return 0
    return sum(map(_elements, case.calls))


def _elements(call: Case) -> int:
    total = 0
    for tensor in the_operator(call.operator).tensors:
        size = 1
        for extent in shape_of(tensor, call.dims):
            size *= extent
        total += size
    return total


def concerns(fault: Fault, case: Case) -> bool:
    """Return whether a case calls the function that a fault breaks."""
    if fault.group == "workspace":
        return bool(the_operator(case.operator).workspace_functions)
    return fault.group in ("any", *(call.operator for call in case.calls))


def idle(faults: Iterable[Fault], cases: Sequence[Case]) -> list[Fault]:
    """Return the faults that no case can show."""
    return [fault for fault in faults if not any(concerns(fault, case) for case in cases)]


def _costs(cases: Sequence[Case], seconds: Mapping[str, float]) -> dict[str, float]:
    if not seconds:
        return {case.id: float(BASE_COST + elements(case)) for case in cases}
    ordered = sorted(seconds.values())
    median = ordered[len(ordered) // 2]
    return {case.id: seconds.get(case.id, median) for case in cases}


def _refuse_idle(names: Sequence[str], cases: Sequence[Case]) -> None:
    """Refuse a run that calls nothing broken: it would look as if the suite missed the faults."""
    from mluops_emulator.faults import FAULTS

    faults = [FAULTS[name] for name in names if name in FAULTS]  # the backend refuses unknown names
    if faults and idle(faults, cases) == faults:
        raise UserError(f"--fault: none of the selected cases calls what {', '.join(names)} breaks")


def _seconds(folder: str) -> dict[str, float]:
    if not folder:
        return {}
    from mluops_conformance.results.reader import load_run

    return {record.id: record.total_seconds for record in load_run(Path(folder)).records}


def _finished(options: Options, basis: Basis) -> frozenset[str]:
    """Return the cases with an end of their own; one whose process went down with the run is repeated.

    Raises
    ------
    UserError
        The run began with other cases, known issues or thresholds, or with another version of this program.
    """
    from mluops_conformance.results.basis import demand_continued
    from mluops_conformance.results.reader import load_run
    from mluops_conformance.results.record import INTERRUPTED

    run = load_run(Path(options.out))
    changed = demand_continued(options.out, run.header.basis, basis, options.plan.rerun_changed)
    return frozenset(
        record.id
        for record in run.records
        if record.id not in run.unfinished and record.reason != INTERRUPTED and record.id not in changed
    )
