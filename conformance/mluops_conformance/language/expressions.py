"""Read the expressions in case files: sizes that follow from the device, and ranges of versions."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Callable, Sequence, Tuple

__all__ = ["Expression", "parse_expression", "parse_range", "satisfies"]


EXPRESSION = re.compile(r"(?:([1-9][0-9]{0,8}) *\* *)?([A-Za-z_]\w*)(?: *([-+]) *([1-9][0-9]{0,8}))?")

Condition = Tuple[str, Tuple[int, ...]]

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}

CONDITION = re.compile(rf"\s*({'|'.join(COMPARISONS)})\s*([0-9]+(?:\.[0-9]+)*)\s*")


@dataclass(frozen=True)
class Expression:
    """`factor * limit + offset`, of a limit by its name; `str()` gives it as written."""

    limit: str
    factor: int = 1
    offset: int = 0

    def at(self, size: int) -> int:
        """Its value where the limit is `size`."""
        return self.factor * size + self.offset

    @property
    def label(self) -> str:
        """Return the label in an id: "2cores-1"."""
        factor = f"{self.factor}" if self.factor != 1 else ""
        return f"{factor}{self.limit}{f'{self.offset:+d}' if self.offset else ''}"

    def __str__(self) -> str:
        factor = f"{self.factor} * " if self.factor != 1 else ""
        sign = "-" if self.offset < 0 else "+"
        return f"{factor}{self.limit}{f' {sign} {abs(self.offset)}' if self.offset else ''}"


def parse_expression(text: str) -> Expression | None:
    """The expression that a text is, if it is one: [INTEGER *] NAME [+ or - INTEGER]."""
    match = EXPRESSION.fullmatch(text)
    if match is None:
        return None
    factor, limit, sign, offset = match.groups()
    return Expression(limit, int(factor or 1), int(f"{sign}{offset}") if offset else 0)


@lru_cache(maxsize=256)
def parse_range(text: str) -> tuple[Condition, ...]:
    """The conditions of a range.

    Raises
    ------
    ValueError
        If the text is none.
    """
    conditions = []
    for part in text.split(","):
        match = CONDITION.fullmatch(part)
        if match is None:
            raise ValueError(f"{text!r} is not a range of versions, as '>=1.0,<1.9'")
        conditions.append((match.group(1), _numbers(match.group(2))))
    return tuple(conditions)


def satisfies(version: Sequence[int], text: str) -> bool:
    """Return whether a range holds a version; missing numbers count as 0, and the empty range holds all."""
    if not text:
        return True
    conditions = parse_range(text)
    width = max(len(version), *(len(bound) for _, bound in conditions))
    mine = _padded(version, width)
    return all(COMPARISONS[sign](mine, _padded(bound, width)) for sign, bound in conditions)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _padded(version: Sequence[int], width: int) -> tuple[int, ...]:
    return (*version, *([0] * (width - len(version))))
