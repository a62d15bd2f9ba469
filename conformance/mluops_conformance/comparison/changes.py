"""What became of each case: its outcome in one run against that in another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Iterable, Iterator, Mapping

from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record

Records = Mapping[str, Record]

ABSENT = "absent"
"""Stands for the outcome of a case that the run has no record of."""

NEWLY_FAILING, GONE, NEWLY_PASSING, CHANGED, NEW = "newly failing", "gone", "newly passing", "changed", "new"

KINDS: dict[str, str] = {
    NEWLY_FAILING: "cases that need a look, and did not before, or were not executed",
    GONE: "cases that were executed, and are no longer",
    NEWLY_PASSING: "cases that needed a look, and no longer do",
    CHANGED: "cases with another outcome, neither better nor worse",
    NEW: "cases that were not executed before, and need no look",
}
"""How a case can change, in the order in which reports list them."""


@dataclass(frozen=True)
class Change:
    """A case whose outcome changed.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    before, after : str
        Its outcomes; `ABSENT` without a record.
    reason : str
        Of the new outcome.
    repro : str
        The command that repeats the case, in the newer run that has it.
    """

    id: str
    kind: str
    before: str
    after: str
    reason: str = ""
    repro: str = ""


def changes(base: Run, new: Run, only_common: bool = False) -> list[Change]:
    """The cases whose outcome is another, by kind in the order of `KINDS`, then by id.

    Parameters
    ----------
    only_common : bool
        Leave out the cases that only one of the runs executed.
    """
    before, after = by_id(base), by_id(new)
    names = dict.fromkeys([*before, *after])
    if only_common:
        names = {name: None for name in names if _executed(before.get(name)) and _executed(after.get(name))}
    order = list(KINDS)
    return sorted(_changes(before, after, names), key=lambda change: (order.index(change.kind), change.id))


def by_id(run: Run) -> dict[str, Record]:
    """The records of a run by the ids of their cases."""
    return {record.id: record for record in run.records}


def _changes(before: Records, after: Records, names: Iterable[str]) -> Iterator[Change]:
    for name in names:
        kind = _kind(before.get(name), after.get(name))
        if kind:
            record = after.get(name) or before[name]
            reason = record.reason if name in after else "no record of it"
            yield Change(name, kind, _outcome(before, name), _outcome(after, name), reason, record.repro)


def _kind(old: Record | None, new: Record | None) -> str:
    """The kind of a change; empty where there is none, as for a case that neither run executed."""
    if not _executed(new):
        return GONE if _executed(old) else ""
    assert new is not None
    if not _executed(old):
        return NEW if new.is_good else NEWLY_FAILING
    assert old is not None
    if old.is_good != new.is_good:
        return NEWLY_PASSING if new.is_good else NEWLY_FAILING
    return "" if old.outcome == new.outcome else CHANGED


def _executed(record: Record | None) -> bool:
    return record is not None and OUTCOMES[record.outcome].executed


def _outcome(records: Records, name: str) -> str:
    return records[name].outcome if name in records else ABSENT
