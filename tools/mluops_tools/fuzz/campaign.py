"""Random cases run in this process, and what was found, grouped by what went wrong."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Iterator

from mluops_conformance.engine.plan import elements
from mluops_conformance.errors import CaseDataError
from mluops_conformance.judging.values import MISTRUSTED
from mluops_conformance.selftest.campaign import record_of

from mluops_tools.fuzz.draw import MOST_ELEMENTS, draw

if TYPE_CHECKING:
    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Operator
    from mluops_conformance.results.record import Record

NUMBER = re.compile(r"\(?[-+]?\b(\d+(\.\d*)?(e[-+]?\d+)?|nan|inf)\b[,)]*")

NOT_DEFINED = "not defined"
"""Instead of an outcome: the operator has no answer for the case, as for aligned boxes of two numbers."""


@dataclass(frozen=True)
class Finding:
    """A case that was not good."""

    case: Case
    record: Record

    @property
    def kind(self) -> str:
        """The outcome and the first reason, without its numbers: equal for cases that went wrong alike."""
        return f"{self.record.outcome}: {NUMBER.sub('#', self.record.reason.partition(';')[0])}"


@dataclass
class Trial:
    """The outcomes of the random cases of an operator in a dtype.

    Parameters
    ----------
    operator, dtype : str
    outcomes : Counter of str
        How many cases had each outcome.
    findings : list of Finding
    """

    operator: str
    dtype: str
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    def kinds(self) -> Iterator[list[Finding]]:
        """The findings by kind, the smallest case first: failures first, then the most frequent kinds."""
        by_kind: dict[str, list[Finding]] = {}
        for finding in sorted(self.findings, key=lambda finding: elements(finding.case)):
            by_kind.setdefault(finding.kind, []).append(finding)
        yield from sorted(
            by_kind.values(), key=lambda kind: (kind[0].record.outcome == MISTRUSTED, -len(kind))
        )


def run_trial(
    operator: Operator,
    dtype: str,
    seed: int,
    count: int,
    session: Session,
    most_elements: int = MOST_ELEMENTS,
) -> Trial:
    """Draw `count` cases and judge each as a run does.

    Parameters
    ----------
    operator : Operator
    dtype : str
    seed : int
        Of the cases; see `draw.draw`.
    count : int
    session : Session
    most_elements : int
        Of a case.
    """
    trial = Trial(operator.name, dtype)
    for number in range(count):
        case = draw(operator, dtype, seed, number, most_elements)
        record = _record(case, session)
        trial.outcomes[record[0]] += 1
        if record[1] is not None:
            trial.findings.append(Finding(case, record[1]))
    return trial


def _record(case: Case, session: Session) -> tuple[str, Record | None]:
    """The outcome of a case, and its record where it is not good."""
    obstacle = session.obstacle(case)
    if obstacle:
        return obstacle[0], None
    record = record_of(case, session)
    if record.reason.startswith(CaseDataError.__name__):
        return NOT_DEFINED, None
    return record.outcome, None if record.is_good else record
