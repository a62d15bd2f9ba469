"""Compare two runs case by case: changed outcomes, measures that drifted, thresholds that were loosened.

Limits decide which change counts.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Container, Iterable, Iterator, Mapping, Tuple

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.judging.values import GIVEN, PASSED, OutputVerdict, Threshold
from mluops_conformance.results.basis import edited_cases
from mluops_conformance.results.outcomes import OUTCOMES, cause_of
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record

TIME_RULES = {
    "ranks": "a rank test, and a change of the median above the noise of the repeated times",
    "vendor": "the rule of mlu-ops' gtest: 5 us up to 100 us, 4 % above, without a test",
    "none": "times are not compared",
}

Records = Mapping[str, Record]

ABSENT = "absent"
"""Stands for the outcome of a case that the run has no record of."""

NEWLY_FAILING, GONE, NEWLY_PASSING, CHANGED, NEW = "newly failing", "gone", "newly passing", "changed", "new"
EDITED = "edited"

KINDS: dict[str, str] = {
    NEWLY_FAILING: "cases that are wrong now, and were right or not executed before; known issues included",
    GONE: "cases that were executed, and are no longer",
    NEWLY_PASSING: "cases that were wrong and no longer are, or only by a known issue",
    CHANGED: "cases whose outcome changed, neither for better nor for worse",
    NEW: "cases that were not executed before, and are good",
    EDITED: "cases that were edited: the results say nothing about the library",
}
"""The changes of a case, in the order in which reports list them."""

Pair = Tuple[Record, Record]

SAME_THRESHOLD = 1e-6
"""Relative difference of thresholds that is no other threshold: sums of a baseline differ between BLAS."""


@dataclass(frozen=True)
class Limits:
    """The limits of a comparison.

    Parameters
    ----------
    drift : float
        A measure has drifted when it is more than so many times what it was, or less than one so many-th.
        Averages of atomic sums in another order differ by some per cents, and largest errors by up to a half.
    drift_floor : float
        Measures below this part of their threshold are both "nothing": the least roundings make them up.
    time_rule : str
        A key of `TIME_RULES`.
    slower : float
        By which part of itself the median must change, for the rule "ranks"; beyond what all times that the
        host took have in common, which is the host's doing.
    significance : float
        The largest p that the rank test may give. 0.01 takes 5 repeated times in each run.
    noise : float
        So many times the relative spread of the repeated times must the median change at least.
    only_common : bool
        Cases that only one of the runs executed are left out.
    """

    drift: float = 2.0
    drift_floor: float = 0.01
    time_rule: str = "ranks"
    slower: float = 0.05
    significance: float = 0.01
    noise: float = 3.0
    only_common: bool = False


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
    """Return whether both runs know the same issue of a case, one that shows sometimes."""
    outcomes = {old.outcome, new.outcome}
    return outcomes == {"passed", "xfailed"} and bool(old.issue) and old.issue == new.issue


def _executed(record: Record | None) -> bool:
    return record is not None and OUTCOMES[record.outcome].executed


@dataclass(frozen=True)
class Drift:
    """A judged measure of one output, which changed by more than the limit.

    Parameters
    ----------
    before, after : float
        The measure in both runs.
    threshold : float
        What it may be, in the newer run.
    """

    id: str
    output: str
    measure: str
    before: float
    after: float
    threshold: float

    @property
    def factor(self) -> float:
        """The new measure divided by the old one; infinite if the old one was 0."""
        return self.after / self.before if self.before else math.inf

    @property
    def is_worse(self) -> bool:
        return self.after > self.before


@dataclass(frozen=True)
class Loosened:
    """A threshold that is larger than it was, since a user wrote it so."""

    id: str
    output: str
    measure: str
    before: float
    after: float
    origin: str


def drifts(pairs: Iterable[Pair], limits: Limits) -> list[Drift]:
    """The measures that changed by more than `limits.drift`, those that grew most first.

    Parameters
    ----------
    pairs : iterable of (Record, Record)
        The same case in both runs. Those that passed in both are looked at.
    """
    found = [
        drift
        for old, new in pairs
        if old.outcome == new.outcome == PASSED
        for drift in _drifts(old, new)
        if has_drifted(drift, limits)
    ]
    return sorted(found, key=lambda drift: -drift.factor)


def has_drifted(drift: Drift, limits: Limits) -> bool:
    """Return whether a measure changed by more than the factor, and is above the floor in one of the runs."""
    least, most = sorted((drift.before, drift.after))
    return most > limits.drift * least and most > limits.drift_floor * drift.threshold


def loosened(pairs: Iterable[Pair]) -> list[Loosened]:
    """The thresholds that a user loosened, whatever became of the case: on the command line or in the case.

    Thresholds that follow from a baseline grow and shrink with it, and nobody loosened them.
    """
    return [
        Loosened(new.id, output.name, name, then.thresholds[name].value, limit.value, limit.origin)
        for old, new in pairs
        for then, output in _outputs(old, new)
        for name, limit in output.thresholds.items()
        if name in then.thresholds and _is_looser(then.thresholds[name], limit)
    ]


def _is_looser(before: Threshold, after: Threshold) -> bool:
    is_given = before.origin in GIVEN or after.origin in GIVEN
    return is_given and after.value > before.value * (1 + SAME_THRESHOLD)


def _outputs(old: Record, new: Record) -> Iterator[tuple[OutputVerdict, OutputVerdict]]:
    then = {output.name: output for output in old.outputs}
    return ((then[output.name], output) for output in new.outputs if output.name in then)


def _drifts(old: Record, new: Record) -> Iterator[Drift]:
    for then, output in _outputs(old, new):
        for name, limit in output.thresholds.items():
            if is_size(name) and name in then.measures and name in output.measures:
                yield Drift(
                    new.id, output.name, name, then.measures[name], output.measures[name], limit.value
                )


def closeness(record: Record) -> float | None:
    """Return the largest measure / threshold of a case: at most 1 where all are accepted.

    Infinite above a threshold of 0; None where nothing was measured. Measures that are not sizes are left
    out.
    """
    return max(_ratios(record), default=None)


def _ratios(record: Record) -> Iterator[float]:
    for output in record.outputs:
        for name, threshold in output.thresholds.items():
            value = output.measures.get(name)
            if value is None or not is_size(name):
                continue
            if threshold.value:
                yield value / threshold.value if not math.isnan(value) else math.inf
            else:
                yield 0.0 if value == 0 else math.inf


def is_size(name: str) -> bool:
    """Return whether more of a measure is worse; True for measures of other versions."""
    return name not in MEASURES or MEASURES[name].is_size
