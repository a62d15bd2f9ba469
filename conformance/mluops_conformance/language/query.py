"""QUERY: which cases are meant.

A query is made of words, and all of them must hold:

`tag=network`, `tag!=large`
    A predicate: a key, a sign, a value. Keys are those of `TEXTS`, `suite`, `clusters`, and each dimension
    and scalar by its name. Values may be globs; a comma separates alternatives: `dtype=float16,float32`.
`N>=100`, `iou_threshold=0.3`
    Dimensions and scalars are compared as numbers, by `=`, `!=`, `<`, `<=`, `>` and `>=`.
`nms_rotated/network-34`, `network-*`, `nms_rotated`
    Any other word is a case's id, with or without what a matrix added behind a colon, with or without its
    operator before the slash; or an operator. Globs are allowed, and several ids are alternatives.

On a command line, words that are arguments of their own make one query together:
`operator=nms_rotated dtype=float16`. An argument of several words is a query of its own, and several queries
are alternatives: `"operator=nms_rotated N>=100" "tag=smoke"`.

All that a query names must exist: where no case has such a key, value or id, the error says what there is.
"""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence, Union

from mluops_conformance.errors import UserError
from mluops_conformance.language.model import Case, suggestion
from mluops_conformance.operators import operator_names
from mluops_conformance.support.formatting import counted

__all__ = [
    "SIGNS",
    "TEXTS",
    "IdCondition",
    "NumberCondition",
    "Query",
    "QueryError",
    "Selection",
    "Suites",
    "TextCondition",
    "complaints",
    "parse_queries",
    "parse_query",
]


def _changed(case: Case) -> Iterator[str]:
    """Yield the arguments of a call that its sizes do not give: `x.dtype`, `x.shape`, `x.rank:5`, `x`."""
    for name, override in case.descriptors.items():
        if override.null:
            yield f"{name}.null"
        yield from (f"{name}.{key}" for key in override.changes)
        if override.shape is not None:
            yield f"{name}.rank:{len(override.shape)}"
    yield from case.pointers
    yield from case.changed_scalars


TEXTS: dict[str, Callable[[Case], Iterable[str]]] = {
    "operator": lambda case: (case.operator,),
    "dtype": lambda case: (case.dtype,),
    "tag": lambda case: case.tags,
    "check": lambda case: case.checks,
    "mode": lambda case: (case.mode,),
    "status": lambda case: case.statuses,
    "call": lambda case: (case.call,),
    "after": lambda case: {step.case.operator for step in case.after},
    "absent": lambda case: case.absent,
    "changed": _changed,
    "fill": lambda case: {spec.name for spec in case.data.values()},
    "requires": lambda case: case.requires,
    "library": lambda case: (case.library,) if case.library else (),
    "series": lambda case: case.series,
    "file": lambda case: (case.origin.file,),
}
"""The values of a case under each key with text."""

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}

PREDICATE = re.compile(rf"([A-Za-z_]\w*)({'|'.join(SIGNS)})(.*)")


class QueryError(UserError):
    """An invalid query: it is malformed, names something that does not exist, or selects nothing."""


@dataclass(frozen=True)
class TextCondition:
    """`key=value` or `key!=value` of text; values may be globs, and one of them must match."""

    key: str
    sign: str
    values: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Return whether a case has one of the values; with `!=`, none."""
        mine = TEXTS[self.key](case)
        return any(_matches(value, mine) for value in self.values) == (self.sign == "=")

    def check(self, cases: Sequence[Case]) -> None:
        """Raise a `QueryError` for a value that no case has."""
        known = {text for case in cases for text in TEXTS[self.key](case)}
        for value in self.values:
            if not _matches(value, known):
                raise QueryError(f"no case has the {self.key} '{value}'{suggestion(value, known)}")

    def operators(self) -> frozenset[str] | None:
        """Return the operators of all cases that may meet it; None where any may."""
        names = frozenset(self.values)
        return names if self.key == "operator" and self.sign == "=" and names <= _operators() else None


@dataclass(frozen=True)
class NumberCondition:
    """A dimension or scalar compared with numbers: one of them must fit; with `!=`, all must differ."""

    key: str
    sign: str
    values: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Return whether a case has the dimension or scalar, and its value meets the condition."""
        mine = _scalar(case, self.key)
        if mine is None:
            return False
        combine = all if self.sign == "!=" else any
        return combine(_compare(mine, self.sign, _number(value)) for value in self.values)

    def check(self, cases: Sequence[Case]) -> None:
        """Raise a `QueryError` for a key that no case has, or values that are no numbers."""
        if all(_scalar(case, self.key) is None for case in cases):
            names = {name for case in cases for name in (*case.dims, *case.params)}
            raise QueryError(f"no case has '{self.key}'{suggestion(self.key, {*TEXTS, 'suite', *names})}")
        for value in self.values:
            if _number(value) is None:
                raise QueryError(f"{self.key}{self.sign}{value}: '{value}' is not a number")


@dataclass(frozen=True)
class IdCondition:
    """Ids, of which a case must have one; see `query` for the parts of an id that will do."""

    patterns: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Return whether one of the patterns matches the case."""
        names = _names(case.id, case.entry_id, case.operator)
        return any(_matches(pattern, names) for pattern in self.patterns)

    def check(self, cases: Sequence[Case]) -> None:
        """Raise a `QueryError` for a pattern that means no case."""
        names = [_names(case.id, case.entry_id, case.operator) for case in cases]
        for pattern in self.patterns:
            if not any(_matches(pattern, mine) for mine in names):
                brief = {name for case in cases for name in (case.operator, case.entry_id)}
                raise QueryError(f"unknown case '{pattern}'{suggestion(pattern, brief)}")

    def operators(self) -> frozenset[str] | None:
        """Return the operators of all cases that may meet it; None where any may."""
        names = frozenset(pattern.partition("/")[0] for pattern in self.patterns)
        return names if names <= _operators() else None


def _operators() -> frozenset[str]:
    return frozenset(operator_names())


@lru_cache(maxsize=None)  # asked for by each of many queries
def _names(case: str, entry: str, operator: str) -> frozenset[str]:
    """Return the texts of a case that a pattern may match: its ids with and without operator, and that."""
    return frozenset((case, case.partition("/")[2], entry, entry.partition("/")[2], operator))


def _scalar(case: Case, key: str) -> float | None:
    return case.clusters if key == "clusters" else case.dims.get(key, case.params.get(key))


def _compare(mine: float, sign: str, value: float | None) -> bool:
    if value is None:
        return False
    if sign in ("=", "!=") and math.isnan(mine) and math.isnan(value):
        return sign == "="
    return SIGNS[sign](mine, value)


@lru_cache(maxsize=1024)
def _number(text: str) -> float | None:
    try:
        return float(text.replace(".nan", "nan").replace(".inf", "inf"))
    except ValueError:
        return None


def _matches(pattern: str, texts: Iterable[str]) -> bool:
    if any(sign in pattern for sign in "*?["):
        return any(map(_glob(pattern).fullmatch, texts))
    return pattern in texts


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))


@dataclass(frozen=True)
class Query:
    """Conditions that must all hold."""

    conditions: tuple[Condition, ...]

    def holds(self, case: Case) -> bool:
        """Return whether the query selects a case."""
        return all(condition.holds(case) for condition in self.conditions)

    def operators(self) -> frozenset[str] | None:
        """Return the operators of all cases that it may select; None where any may."""
        bounds = [
            condition.operators()
            for condition in self.conditions
            if isinstance(condition, (IdCondition, TextCondition))
        ]
        return min((bound for bound in bounds if bound is not None), key=len, default=None)


Suites = Mapping[str, Sequence[Query]]
"""Queries by the suite's name; a case of a suite satisfies one of them."""


@dataclass(frozen=True)
class SuiteCondition:
    """`suite=name` or `suite!=name`: a case is selected by one of the suites' queries, or by none."""

    sign: str
    queries: tuple[Query, ...]

    def holds(self, case: Case) -> bool:
        """Return whether a case is in one of the suites; with `!=`, in none."""
        return any(query.holds(case) for query in self.queries) == (self.sign == "=")

    def check(self, cases: Sequence[Case]) -> None:
        """Nothing: that suites exist is known before there are cases."""


Condition = Union[IdCondition, NumberCondition, SuiteCondition, TextCondition]


class Selection:
    """Alternative queries; none at all select every case."""

    def __init__(self, queries: Sequence[Query], text: str = "") -> None:
        self.queries = tuple(queries)
        self._text = text

    def __call__(self, case: Case) -> bool:
        return not self.queries or any(query.holds(case) for query in self.queries)

    def operators(self) -> frozenset[str] | None:
        """Return the operators of all cases that may be selected; None where any may."""
        bounds = [query.operators() for query in self.queries]
        known = [bound for bound in bounds if bound is not None]
        return frozenset().union(*known) if known and len(known) == len(bounds) else None

    def check(self, cases: Sequence[Case]) -> None:
        """Check that all that the queries name exists in these cases.

        Raises
        ------
        QueryError
            If something does not, saying what does.
        """
        for query in self.queries:
            for condition in query.conditions:
                condition.check(cases)

    def select(self, cases: Sequence[Case]) -> list[Case]:
        """The selected ones of all cases, in their order.

        Raises
        ------
        QueryError
            If the queries name what does not exist, or select nothing.
        """
        self.check(cases)
        selected = [case for case in cases if self(case)]
        if not selected:
            wanted = f" matches {self._text}" if self._text else ""
            raise QueryError(f"none of {counted(len(cases), 'case')}{wanted}")
        return selected


def complaints(queries: Iterable[Query], cases: Sequence[Case]) -> Iterator[QueryError]:
    """Return an error for each query that selects no case at all."""
    for query in queries:
        try:
            Selection([query]).select(cases)
        except QueryError as error:
            yield error


def parse_queries(arguments: Sequence[str], suites: Suites | None = None) -> Selection:
    """The selection that command-line arguments mean.

    Parameters
    ----------
    arguments : sequence of str
    suites : mapping of str to queries, optional
        What `suite=NAME` may name; the project's own suites by default, read where a word names one.

    Raises
    ------
    QueryError
        If a word is neither a predicate nor an id, or a suite does not exist.
    """
    single = [argument for argument in arguments if len(argument.split()) <= 1]
    several = [argument for argument in arguments if len(argument.split()) > 1]
    texts = [" ".join(single), *several] if single else several
    return Selection([parse_query(text, suites) for text in texts], " or ".join(map(repr, texts)))


def parse_query(text: str, suites: Suites | None = None) -> Query:
    """The query of one text; see `parse_queries`."""
    ids: list[str] = []
    conditions: list[Condition] = []
    for word in text.split():
        match = PREDICATE.fullmatch(word)
        if match is None:
            ids.append(word)
        else:
            key, sign, values = match.groups()
            conditions.append(_condition(key, sign, tuple(values.split(",")), suites))
    if ids:
        conditions.insert(0, IdCondition(tuple(ids)))
    if not conditions:
        raise QueryError("an empty query selects nothing; leave it out to select all")
    return Query(tuple(conditions))


def _condition(key: str, sign: str, values: tuple[str, ...], suites: Suites | None) -> Condition:
    if "" in values:
        raise QueryError(f"{key}{sign}{','.join(values)} lacks a value")
    if key not in TEXTS and key != "suite":
        return NumberCondition(key, sign, values)
    if sign not in ("=", "!="):
        raise QueryError(f"{key}{sign}{','.join(values)}: {key} is text, which = and != compare")
    return TextCondition(key, sign, values) if key in TEXTS else _suites(sign, values, suites)


def _suites(sign: str, names: Sequence[str], suites: Suites | None) -> SuiteCondition:
    if suites is None:
        from mluops_conformance.language.load import own_suites

        suites = own_suites()
    for name in names:
        if name not in suites:
            raise QueryError(f"there is no suite '{name}'{suggestion(name, suites)}")
    return SuiteCondition(sign, tuple(query for name in names for query in suites[name]))
