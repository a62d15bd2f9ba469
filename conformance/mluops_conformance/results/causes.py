"""Cases that go wrong in the same way, as one cause: many failures are mostly few faults."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable, Iterator

from mluops_conformance.results.outcomes import OUTCOMES
from mluops_conformance.support.formatting import sentences

if TYPE_CHECKING:
    from mluops_conformance.judging.values import OutputVerdict
    from mluops_conformance.results.record import Record

FAULTS = {
    "all zero": "is all zero",
    "constant": "holds one value everywhere",
    "NaN or infinity": "has NaN or infinity at wrong places",
    "values": "has wrong values",
}
"""What is wrong with an output, by `OutputVerdict.fault`, in words."""

INDEX = re.compile(r"[\[(]-?\d+(?:, ?-?\d+)*,?[\])]")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\w.+-]*")
STATUS = re.compile(r"(MLUOP_STATUS_\w+) \(\d+\)")


@dataclass(frozen=True)
class Cause:
    """Cases with the same outcome, of the same operator, that are wrong in the same way.

    Parameters
    ----------
    what : str
        What is wrong, and what differs from what was expected; without the numbers of a case.
    records : tuple of Record
        The smallest case first.
    """

    outcome: str
    operator: str
    what: str
    records: tuple[Record, ...]

    def __str__(self) -> str:
        return f"{self.operator}: {self.what}" if self.what else self.operator

    @property
    def smallest(self) -> Record:
        return self.records[0]


def causes(records: Iterable[Record]) -> tuple[Cause, ...]:
    """Group the cases that need a look: by outcome in the order of `OUTCOMES`, then by operator and text."""
    found: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        if not record.is_good:
            found.setdefault((record.outcome, record.operator, cause_of(record)), []).append(record)
    order = list(OUTCOMES)
    keys = sorted(found, key=lambda key: (order.index(key[0]), *key[1:]))
    return tuple(Cause(*key, tuple(sorted(found[key], key=by_size))) for key in keys)


def by_size(record: Record) -> tuple[int, str]:
    """Order cases by size, the smallest first, then by id."""
    return record.size, record.id


def cause_of(record: Record) -> str:
    """Return what is wrong with a case, without the numbers that set it apart; empty for a good one."""
    return "" if record.is_good else "; ".join(dict.fromkeys(_signs(record)))


def _signs(record: Record) -> Iterator[str]:
    failed = [verdict for verdict in record.outputs if verdict.outcome == record.outcome]
    names = tuple(f"{verdict.name}: " for verdict in failed)
    for sentence in sentences(record.reason):
        if not names or not sentence.startswith(names):
            yield _without_numbers(sentence)
    for verdict in failed:
        yield f"`{verdict.name}` {_fault(verdict)}"
    if record.causes:
        yield f"explained by {' and '.join(record.causes)}"


def _fault(verdict: OutputVerdict) -> str:
    if verdict.outcome != "failed":
        return " and ".join(dict.fromkeys(map(_without_numbers, verdict.reasons)))
    special = "NaN or infinity" if verdict.mismatched else "values"
    return FAULTS[verdict.fault or special]


def _without_numbers(sentence: str) -> str:
    plain = STATUS.sub(r"\1", sentence)
    return NUMBER.sub("…", INDEX.sub("(…)", plain))
