"""A copy is judged bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.rounding import BYTES_AT_ONCE, differing_bits, same_bits


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
def test_equal_bits_are_a_copy(dtype):
    values = np.arange(12).reshape(3, 4).astype(dtype)
    assert differing_bits(values, values.copy()) == ""


def test_the_sign_of_zero_counts():
    found = differing_bits(np.float32([[1, -0.0]]), np.float32([[1, 0]]))
    assert found == "a copy has 1 element with other bits, the first at [0, 1]: -0.0 for 0.0"


def test_the_payload_of_a_nan_counts():
    expected = np.array([0x7FC00001], np.uint32).view(np.float32)
    assert differing_bits(np.float32([np.nan]), expected)


def test_nothing_has_equal_bits():
    assert differing_bits(np.empty((0, 3), np.float32), np.empty((0, 3), np.float32)) == ""


def test_a_single_bit_anywhere_is_seen():
    values = np.zeros((2, BYTES_AT_ONCE), np.uint8)
    for place in (0, BYTES_AT_ONCE - 1, BYTES_AT_ONCE, values.size - 1):
        other = values.copy()
        other.reshape(-1)[place] = 128
        assert not same_bits(values, other)
    assert same_bits(values, values.copy())


def test_a_nan_has_the_bits_of_itself_and_zero_not_those_of_its_negative():
    assert same_bits(np.float32([np.nan]), np.float32([np.nan]))
    assert not same_bits(np.float32([0.0]), np.float32([-0.0]))
