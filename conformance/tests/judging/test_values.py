"""Numbers in sentences."""

from __future__ import annotations

import pytest
from mluops_conformance.judging.values import short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-5, "1e-5"),
        (0.0125, "0.0125"),
        (1.23456e-8, "1.235e-8"),
        (2.5e12, "2.5e12"),
        (4096.0, "4096"),
        (-3, "-3"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
    ],
)
def test_a_number_is_written_as_people_write_it(value, text):
    assert short(value) == text
