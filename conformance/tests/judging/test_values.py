"""Numbers in sentences."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.support.formatting import exact, short


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


@pytest.mark.parametrize("value", [1 + 2**-23, 1.1754944e-38, -3.4028235e38, 0.1])
def test_an_element_of_float32_is_written_so_that_it_can_be_read_back(value):
    assert np.float32(exact(float(np.float32(value)))) == np.float32(value)


@pytest.mark.parametrize(("value", "text"), [(7, "7"), (2.5, "2.5"), (float("nan"), "nan"), (True, "True")])
def test_an_element_is_written_without_needless_digits(value, text):
    assert exact(value) == text
