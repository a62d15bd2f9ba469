"""What became of each case: its outcome in one run against that in another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Container, Iterable, Iterator, Mapping

from mluops_conformance.results.basis import edited_cases
from mluops_conformance.results.outcomes import OUTCOMES, cause_of
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record

Records = Mapping[str, Record]

ABSENT = "absent"
"""Stands for the outcome of a case that the run has no record of."""

NEWLY_FAILING, GONE, NEWLY_PASSING, CHANGED, NEW = "newly failing", "gone", "newly passing", "changed", "new"
EDITED = "edited"

KINDS: dict[str, str] = {
    NEWLY_FAILING: "cases that go wrong, also under a known issue, and did not before, or were not executed",
    GONE: "cases that were executed, and are no longer",
    NEWLY_PASSING: "cases that went wrong, and no longer do, or only under a known issue",
    CHANGED: "cases with another outcome, neither better nor worse",
    NEW: "cases that were not executed before, and need no look",
    EDITED: "cases that were edited: the results say nothing about the library",
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
    cause : str
        What is wrong with a case that needs a look, as in reports.
    size : int
        How large the case is.
    repro : str
        The command that repeats the case, in the newer run that has it.
    """

    id: str
    kind: str
    before: str
    after: str
    reason: str = ""
    repro: str = ""
    cause: str = ""
    size: int = 0


def changes(base: Run, new: Run, only_common: bool = False) -> list[Change]:
    """The cases whose outcome is another, and those that were edited, by kind in the order of `KINDS`.

    Within a kind, cases of one cause stand together, the smallest first; the rarest cause comes first.

    Parameters
    ----------
    only_common : bool
        Leave out the cases that only one of the runs executed.
    """
    before, after = by_id(base), by_id(new)
    names = dict.fromkeys([*before, *after])
    if only_common:
        names = {name: None for name in names if _executed(before.get(name)) and _executed(after.get(name))}
    edited = frozenset(edited_cases(base.header.basis, new.header.basis))
    found = list(_changes(before, after, names, edited))
    order, frequency = list(KINDS), Counter((change.kind, change.cause) for change in found)
    return sorted(
        found,
        key=lambda change: (
            order.index(change.kind),
            frequency[change.kind, change.cause],
            change.cause,
            change.size,
            change.id,
        ),
    )


def by_id(run: Run) -> dict[str, Record]:
    """The records of a run by the ids of their cases."""
    return {record.id: record for record in run.records}


def _changes(
    before: Records, after: Records, names: Iterable[str], edited: Container[str]
) -> Iterator[Change]:
    for name in names:
        kind = EDITED if name in edited else _kind(before.get(name), after.get(name))
        if kind:
            yield _change(name, kind, before.get(name), after.get(name))


def _change(name: str, kind: str, old: Record | None, new: Record | None) -> Change:
    record = new or old
    assert record is not None
    return Change(
        name,
        kind,
        old.outcome if old else ABSENT,
        new.outcome if new else ABSENT,
        new.reason if new else "no record of it",
        record.repro,
        cause_of(new) if new else "",
        record.size,
    )


def _kind(old: Record | None, new: Record | None) -> str:
    """The kind of a change; empty where there is none, as for a case that neither run executed."""
    if not _executed(new):
        return GONE if _executed(old) else ""
    assert new is not None
    if not _executed(old):
        return NEW if new.is_good else NEWLY_FAILING
    assert old is not None
    better = _level(new) - _level(old)
    if better and not _is_sometimes(old, new):
        return NEWLY_PASSING if better > 0 else NEWLY_FAILING
    return "" if old.outcome == new.outcome else CHANGED


def _level(record: Record) -> int:
    """Rank an outcome: 2 for a pass, 1 for what a known issue explains, 0 for what needs a look."""
    return 2 if record.outcome == "passed" else int(record.is_good)


def _is_sometimes(old: Record, new: Record) -> bool:
    """Whether both runs know the same issue of a case, which shows sometimes."""
    outcomes = {old.outcome, new.outcome}
    return outcomes == {"passed", "xfailed"} and bool(old.issue) and old.issue == new.issue


def _executed(record: Record | None) -> bool:
    return record is not None and OUTCOMES[record.outcome].executed
