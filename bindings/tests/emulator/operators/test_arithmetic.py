"""Half arithmetic, against NumPy's float16 on every half number."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_emulator.operators.arithmetic import arithmetic_of, round_to_half, to_int

EVERY_HALF = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)
FINITE = np.sort(EVERY_HALF[np.isfinite(EVERY_HALF)])
MIDPOINTS = (FINITE[1:] + FINITE[:-1]) / 2

HALF = arithmetic_of(np.float16)
FLOAT = arithmetic_of(np.float32)


@pytest.fixture(autouse=True)
def _no_warnings():
    with np.errstate(all="ignore"):
        yield


def same(actual, expected):
    """Equal to the bit, but for the payload of NaN."""
    equal = actual.view(np.uint32) == expected.astype(np.float32).view(np.uint32)
    return bool((equal | (np.isnan(actual) & np.isnan(expected))).all())


def as_numpy_rounds(numbers):
    return same(round_to_half(numbers.copy()), numbers.astype(np.float16).astype(np.float32))


def test_every_half_number_stays_what_it_is():
    assert same(round_to_half(EVERY_HALF.copy()), EVERY_HALF)


def test_midpoints_round_to_even():
    assert as_numpy_rounds(MIDPOINTS)


@pytest.mark.parametrize("direction", [-np.inf, np.inf])
def test_just_beside_the_midpoints_the_nearer_is_taken(direction):
    assert as_numpy_rounds(np.nextafter(MIDPOINTS, np.float32(direction)))


def test_numbers_of_every_magnitude_round_as_numpy_rounds_them():
    rng = np.random.default_rng(0)
    scale = np.exp2(rng.uniform(-60, 114, 1 << 20))
    assert as_numpy_rounds((rng.standard_normal(1 << 20) * scale / 8).astype(np.float32))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (65519.996, 65504.0),
        (65520.0, np.inf),
        (-65520.0, -np.inf),
        (2.0**-25, 0.0),
        (1.5 * 2.0**-25, 2.0**-24),
        (np.inf, np.inf),
    ],
)
def test_the_ends_of_the_range(number, expected):
    assert round_to_half(np.float32([number])) == expected


@pytest.mark.parametrize("number", [-0.0, -1e-30])
def test_negative_numbers_that_become_zero_keep_their_sign(number):
    assert np.signbit(round_to_half(np.float32([number])))


@pytest.mark.parametrize("operation", [np.add, np.subtract, np.multiply, np.divide])
def test_an_operation_on_half_numbers_is_rounded_once(operation):
    """NumPy's float16 operations are correctly rounded: they go through float32 too, for the same reason."""
    rng = np.random.default_rng(1)
    a, b = rng.permutation(EVERY_HALF), rng.permutation(EVERY_HALF)
    expected = operation(a.astype(np.float16), b.astype(np.float16))
    assert same(HALF.rounded(operation(a, b)), expected)


def test_float_operations_are_left_alone():
    numbers = np.float32([0.1, 1e30, 2.0**-25])
    assert FLOAT.rounded(numbers.copy()).tolist() == numbers.tolist()


def test_a_scalar_takes_the_storage_type():
    assert HALF.scalar(0.1) == np.float32(np.float16(0.1))
    assert FLOAT.scalar(0.1) == np.float32(0.1)


@pytest.mark.parametrize("columns", [1, 500])
def test_a_running_sum_of_half_ones_sticks_at_2048(columns):
    assert (HALF.running_sum(np.ones((4096, columns), np.float32)) == np.full(columns, 2048)).all()


@pytest.mark.parametrize("columns", [1, 500])
def test_a_running_sum_adds_in_order(columns):
    addends = np.repeat(np.float32([[1], [1e10], [-1e10]]), columns, axis=1)
    assert (FLOAT.running_sum(addends) == np.zeros(columns)).all()


def test_a_running_sum_leaves_its_addends_alone():
    addends = np.ones((3, 500), np.float32)
    FLOAT.running_sum(addends)
    assert (addends == 1).all()


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1.9, 1), (-1.9, -1), (np.nan, 0), (np.inf, 2**31), (-1e20, -(2**31))],
)
def test_conversion_to_int_truncates_and_saturates(number, expected):
    assert to_int(np.float32([number])) == expected
