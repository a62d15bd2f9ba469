"""What the words of a query say of a case; each condition can also check that what it names exists."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache
from typing import Any, Callable, Iterable, Iterator, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.model import Case
from mluops_conformance.language.problems import suggestion

__all__ = ["SIGNS", "TEXTS", "IdCondition", "NumberCondition", "QueryError", "TextCondition"]

TEXTS: dict[str, Callable[[Case], Iterable[str]]] = {
    "operator": lambda case: (case.operator,),
    "dtype": lambda case: (case.dtype,),
    "tag": lambda case: case.tags,
    "check": lambda case: case.checks,
    "mode": lambda case: (case.mode,),
    "status": lambda case: case.statuses,
    "call": lambda case: (case.call,),
    "absent": lambda case: case.absent,
    "fill": lambda case: {spec.name for spec in case.data.values()},
    "requires": lambda case: case.requires,
    "library": lambda case: (case.library,) if case.library else (),
    "series": lambda case: case.series,
    "file": lambda case: (case.origin.file,),
}
"""What a case has under each key whose values are text."""

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}


class QueryError(UserError):
    """An invalid query: it is malformed, names something that does not exist, or selects nothing."""


@dataclass(frozen=True)
class TextCondition:
    """`key=value` or `key!=value` of text; values may be globs, and one of them must match."""

    key: str
    sign: str
    values: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Whether a case has one of the values; with `!=`, none."""
        mine = TEXTS[self.key](case)
        return any(_matches(value, mine) for value in self.values) == (self.sign == "=")

    def check(self, cases: Sequence[Case]) -> None:
        """Raise a `QueryError` for a value that no case has."""
        known = {text for case in cases for text in TEXTS[self.key](case)}
        for value in self.values:
            if not _matches(value, known):
                raise QueryError(f"no case has the {self.key} '{value}'{suggestion(value, known)}")


@dataclass(frozen=True)
class NumberCondition:
    """A dimension or scalar compared with numbers: one of them must fit; with `!=`, all must differ."""

    key: str
    sign: str
    values: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Whether a case has such a dimension or scalar, and it is as the condition says."""
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
                raise QueryError(f"{self.key}{self.sign}{value}: '{value}' is no number")


@dataclass(frozen=True)
class IdCondition:
    """Ids, of which a case must have one; see `query` for the parts of an id that will do."""

    patterns: tuple[str, ...]

    def holds(self, case: Case) -> bool:
        """Whether one of the patterns means the case."""
        return any(_matches(pattern, _names(case)) for pattern in self.patterns)

    def check(self, cases: Sequence[Case]) -> None:
        """Raise a `QueryError` for a pattern that means no case."""
        known = {name for case in cases for name in _names(case)}
        for pattern in self.patterns:
            if not _matches(pattern, known):
                brief = {name for case in cases for name in (case.operator, case.entry_id)}
                raise QueryError(f"no case is called '{pattern}'{suggestion(pattern, brief)}")


def _names(case: Case) -> Iterator[str]:
    for name in (case.id, case.entry_id):
        yield name
        yield name.partition("/")[2]
    yield case.operator


def _scalar(case: Case, key: str) -> float | None:
    return case.dims.get(key, case.params.get(key))


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
