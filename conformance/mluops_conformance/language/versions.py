"""Ranges of library versions, as ">=1.0,<1.9": comma-separated conditions that must all hold."""

from __future__ import annotations

import operator
import re
from functools import lru_cache
from typing import Any, Callable, Sequence, Tuple

__all__ = ["parse_range", "satisfies"]

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
            raise ValueError(f"{text!r} is no range of versions, as '>=1.0,<1.9'")
        conditions.append((match.group(1), _numbers(match.group(2))))
    return tuple(conditions)


def satisfies(version: Sequence[int], text: str) -> bool:
    """Whether a range holds a version; missing numbers count as 0, and the empty range holds all."""
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
