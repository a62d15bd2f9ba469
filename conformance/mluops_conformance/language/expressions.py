"""Sizes that follow from the device, as case files write them: `channel_slice + 1`, `2 * cores - 1`."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Expression", "parse_expression"]

EXPRESSION = re.compile(r"(?:([1-9][0-9]{0,8}) *\* *)?([A-Za-z_]\w*)(?: *([-+]) *([1-9][0-9]{0,8}))?")


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
        """What stands for it in an id: "2cores-1"."""
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
