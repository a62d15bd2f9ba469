"""The error of an import or export whose case has no counterpart on the other side."""

from __future__ import annotations

__all__ = ["UnrepresentableError"]


class UnrepresentableError(ValueError):
    """The case cannot be represented; the text says what of it, and why."""
