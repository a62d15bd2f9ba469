"""Words that messages and reports have in common."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str) -> str:
    """A number of things, as "1 case" or "3 cases"; for nouns that take a plain s."""
    return f"{number} {noun}" + ("" if number == 1 else "s")
