"""Ranges of library versions."""

from __future__ import annotations

import pytest
from mluops_conformance.language.expressions import satisfies


@pytest.mark.parametrize(
    ("version", "text", "holds"),
    [
        ((1, 11, 1), ">=1.0,<1.9", False),
        ((1, 8, 0), ">=1.0,<1.9", True),
        ((1, 9, 0), "<1.9", False),
        ((1, 8, 9), "<=1.9", True),
        ((1, 10), ">1.9", True),
        ((1, 11), "==1.11.0", True),
        ((1, 11, 1), "!=1.11.1", False),
        ((1, 11, 1), " >= 1.11.1 ", True),
        ((0, 4, 2), "", True),
    ],
)
def test_versions_compare_number_by_number(version: tuple[int, ...], text: str, holds: bool) -> None:
    assert satisfies(version, text) is holds


@pytest.mark.parametrize("text", ["1.0", "=>1.0", ">=1.x", ">=1.0;<2", ">=1.0,", "~=1.0"])
def test_what_is_no_range_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="not a range of versions"):
        satisfies((1, 0), text)
