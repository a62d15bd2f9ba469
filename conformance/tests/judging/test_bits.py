"""A copy is judged bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.bits import differing_bits


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
def test_equal_bits_are_a_copy(dtype):
    values = np.arange(12).reshape(3, 4).astype(dtype)
    assert differing_bits(values, values.copy()) == ""


def test_the_sign_of_zero_counts():
    found = differing_bits(np.float32([[1, -0.0]]), np.float32([[1, 0]]))
    assert found == "1 elements of a copy differ in their bits, the first at [0, 1]: -0.0 for 0.0"


def test_the_payload_of_a_nan_counts():
    expected = np.array([0x7FC00001], np.uint32).view(np.float32)
    assert differing_bits(np.float32([np.nan]), expected)


def test_nothing_has_equal_bits():
    assert differing_bits(np.empty((0, 3), np.float32), np.empty((0, 3), np.float32)) == ""
