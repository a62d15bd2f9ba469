"""A search: examples are executed, and what was found is grouped by what is wrong and made small."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Iterable, Iterator, NamedTuple, Sequence

from mluops_conformance.engine.plan import elements
from mluops_conformance.language.query import parse_queries
from mluops_conformance.operators import operators, the_operator
from mluops_conformance.results.outcomes import OUTCOMES, cause_of
from mluops_conformance.support.formatting import sentences

from mluops_tools.fuzz.draw import Space
from mluops_tools.fuzz.pool import Drawing, Example, Job, Number, Pool, Result
from mluops_tools.fuzz.shrink import shrink

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Operator, Scalar
    from mluops_conformance.results.record import Record

SAMPLES = 16
"""Cases of each operator and dtype that show which of them a query can select."""


class Key(NamedTuple):
    """The operator, the outcome, what is wrong without its numbers, and the place: equal for one failure.

    The place is an output, within `what`, or the changed arguments of a call with a wrong status.
    """

    operator: str
    outcome: str
    what: str
    place: str


def key_of(record: Record, case: Case) -> Key:
    """Return what tells one failure from another; a call of the same operator before it fails like itself."""
    what, *_ = sentences(cause_of(record)) or [""]
    for step in case.after:
        if step.case.operator == case.operator:
            what = what.replace(f"`{step.name}.", "`").replace(f"{step.name}: ", "")
    changed = record.changed if len(record.changed) > 1 or "`" in "".join(record.changed) else ()
    place = " and ".join(sorted(argument.partition(":")[0] for argument in changed))
    return Key(record.operator, record.outcome, what, place)


def _size(example: Example) -> tuple[int, int, int]:
    """Order examples, the smallest first."""
    case = example.case
    changes = len(case.descriptors) + len(case.pointers) + len(case.params)
    return elements(case), changes, sum(case.dims.values())


@dataclass
class Failure:
    """Examples that are wrong in the same way.

    Parameters
    ----------
    key : Key
    example : Example
        The smallest one.
    record : Record
    count : int
        How many examples showed it.
    repeats : bool
        False if it shows only after other calls in the same process.
    """

    key: Key
    example: Example
    record: Record
    count: int = 0
    repeats: bool = True

    def add(self, example: Example, record: Record) -> None:
        """Count one more example."""
        self.count += 1
        if _size(example) < _size(self.example):
            self.example, self.record = example, record


@dataclass
class Findings:
    """The results of a search.

    Parameters
    ----------
    outcomes : dict of (operator, dtype) to Counter
        How many examples had each outcome.
    failures : dict of Key to Failure
    known : dict of str to Failure
        Examples that showed a known issue, by its text.
    tried : dict of (operator, call) to dict of argument to Counter
        How many examples had each value of a dimension, a scalar and the job limit; calls are of `Tried`.
    """

    outcomes: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    failures: dict[Key, Failure] = field(default_factory=dict)
    known: dict[str, Failure] = field(default_factory=dict)
    tried: dict[tuple[str, str], dict[str, Counter[Scalar]]] = field(default_factory=dict)

    @property
    def executed(self) -> int:
        """The number of executed examples."""
        return sum(
            number
            for outcomes in self.outcomes.values()
            for outcome, number in outcomes.items()
            if outcome in OUTCOMES and OUTCOMES[outcome].executed
        )

    def take(self, result: Result) -> Failure | None:
        """Add a result; return its failure if it is a new one."""
        case = result.job.case if isinstance(result.job, Example) else result.job
        self.outcomes.setdefault((case.operator, case.dtype), Counter())[result.outcome] += 1
        if result.tried is not None:
            counts = self.tried.setdefault((case.operator, result.tried.call), {})
            for name, value in result.tried.values.items():
                counts.setdefault(name, Counter())[value] += 1
        example, record = result.example, result.record
        if example is None or record is None:
            return None
        key = key_of(record, example.case)
        if record.outcome == "xfailed":
            self.known.setdefault(record.issue, Failure(key, example, record)).add(example, record)
        if not result.is_failure:
            return None
        is_new = key not in self.failures
        failure = self.failures.setdefault(key, Failure(key, example, record))
        failure.add(example, record)
        return failure if is_new else None

    def replace(self, failure: Failure) -> None:
        """Put a failure whose example has changed under its new key, together with one that is there."""
        del self.failures[failure.key]
        failure.key = key_of(failure.record, failure.example.case)
        other = self.failures.setdefault(failure.key, failure)
        if other is not failure:
            other.add(failure.example, failure.record)
            other.count += failure.count - 1

    def sorted(self) -> list[Failure]:
        """The failures in the order of `OUTCOMES`, the most frequent ones first."""
        order = list(OUTCOMES)
        return sorted(
            self.failures.values(), key=lambda failure: (order.index(failure.key[1]), -failure.count)
        )


def pairs_of(queries: Sequence[str]) -> list[tuple[Operator, str]]:
    """Return the operators and dtypes of which a query may select cases.

    Raises
    ------
    QueryError
        A query names what no case has.
    """
    drawing, selection = Drawing(Space()), parse_queries(queries)
    samples = {
        (operator.name, dtype): [
            drawing.example(Number(operator.name, dtype, 0, n)).case for n in range(SAMPLES)
        ]
        for operator in operators().values()
        for dtype in operator.dtypes
    }
    selection.check([case for cases in samples.values() for case in cases])
    pairs = [(the_operator(name), dtype) for name, dtype in samples]
    chosen = [pair for pair in pairs if any(map(selection, samples[pair[0].name, pair[1]]))]
    return chosen or pairs


def numbers(
    pairs: Sequence[tuple[Operator, str]], seed: int, examples: int | None = None
) -> Iterator[Number]:
    """The numbers of the examples, in turn for each operator and dtype; without an end if none is given."""
    for number in count() if examples is None else range(examples):
        for operator, dtype in pairs:
            yield Number(operator.name, dtype, seed, number)


def search(
    pool: Pool, jobs: Iterable[Job], findings: Findings, seconds: float | None = None
) -> Iterator[Failure]:
    """Execute examples, and give each new failure.

    Parameters
    ----------
    seconds : float, optional
        The end of the search; without it, it ends with its jobs.
    """
    end = None if seconds is None else time.monotonic() + seconds
    for result in pool.run(iter(jobs), lambda: end is not None and time.monotonic() >= end):
        failure = findings.take(result)
        if failure is not None:
            yield failure
    pool.drop()


def make_small(pool: Pool, failure: Failure, seconds: float) -> None:
    """Replace the example of a failure by the smallest one found that is wrong in the same way.

    It is executed in a fresh process first. A failure that does not show there needs the calls before it.
    """
    worker = pool.workers[0]
    records: list[Record] = []

    def is_wrong(example: Example) -> bool:
        record = worker.result(example).record
        if record is None or key_of(record, example.case)[:3] != failure.key[:3]:
            return False
        records[:] = [record]
        return True

    worker.restart()
    failure.repeats = is_wrong(failure.example)
    if failure.repeats:
        small = shrink(failure.example, is_wrong, time.monotonic() + seconds)
        worker.restart()
        if is_wrong(small):
            failure.example, failure.record = small, records[0]
