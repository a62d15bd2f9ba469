"""The permitted difference between the outputs of equal calls."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.rounding import disagreement, is_among

HALF = np.float16


def halves(*outputs):
    return [np.array(output, HALF) for output in outputs]


def test_outputs_are_told_apart_by_their_bits():
    (zero, minus_zero), nan = halves([0.0], [-0.0]), np.array([np.nan], HALF)
    assert not is_among(minus_zero, [zero])
    assert is_among(nan, [nan.copy()])


def test_one_answer_agrees_with_itself():
    assert disagreement(halves([1, 2]), 5) is None


def test_without_free_sums_one_differing_bit_is_refused_and_located():
    answers = [np.array([[1, 2], [3, 4]]), np.array([[1, 2], [3, 5]])]
    assert disagreement(answers, 5) == (
        "5 equal calls gave 2 distinct outputs, and bitwise equality is expected: (1, 1) is 4 and 5"
    )


def test_integers_must_be_equal_however_many_are_added():
    assert disagreement([np.array([1]), np.array([2])], 2, addends=100, scale=np.array([1e9])) is not None


@pytest.mark.parametrize(("difference", "allowed"), [(2, True), (2.001, False)])
def test_two_orders_of_n_addends_differ_by_2_n_minus_1_roundoffs_of_the_scale(difference, allowed):
    """With 3 addends of magnitude 1024 in all, half may differ by 2 x 2 x 2^-11 x 1024 = 2."""
    answers = [np.array([0, 0], HALF), np.array([0, difference], HALF)]
    assert (disagreement(answers, 2, addends=3, scale=np.array([0, 1024.0])) is None) == allowed


def test_the_message_gives_difference_place_addends_and_bound():
    answers = halves([1, 8], [1, 12])
    assert disagreement(answers, 7, addends=3, scale=np.array([1.0, 16.0])) == (
        "7 equal calls gave 2 distinct outputs, which differ by 4 at (1,): 3 addends of magnitude 16 in all, "
        "summed in any order in float16, may differ by 2 x 2 x 2^-11 = 0.001953 of it"
    )


def test_the_farthest_of_many_answers_count():
    scale = np.array([512.0])
    assert disagreement(halves([0], [1]), 3, addends=3, scale=scale) is None
    assert disagreement(halves([0], [1], [-1]), 3, addends=3, scale=scale) is not None


@pytest.mark.parametrize("scale", [np.inf, np.nan])
@pytest.mark.parametrize("addends", [1, 3])
def test_a_scale_that_bounds_nothing_hides_no_difference(scale, addends):
    scales = np.array([scale, 1.0])
    assert disagreement(halves([np.inf, 1], [np.nan, 1]), 2, addends=addends, scale=scales) is not None
    assert disagreement(halves([np.inf, 1], [np.inf, 5]), 2, addends=addends, scale=scales) is not None
    assert disagreement(halves([0.0, 1], [-0.0, 1]), 2, addends=addends, scale=scales) is None


def test_an_output_is_never_larger_than_its_scale():
    """Sums of one sign are as large as their addends in all, also where coordinates in half moved them."""
    assert disagreement(halves([1024], [1026]), 2, addends=3, scale=np.array([0.0])) is None


def test_a_single_addend_leaves_no_order_to_choose():
    assert disagreement(halves([1], [1.001]), 2, addends=1, scale=np.array([1.0])) is not None


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_special_values_must_be_the_same_in_all(special):
    same = halves([special, 1], [special, 1.001])
    assert disagreement(same, 2, addends=9, scale=np.array([0.0, 9])) is None
    assert disagreement(halves([special], [1]), 2, addends=9, scale=np.array([9.0])) is not None


def reordered_sums(rng, dtype, count):
    """Sums of the same values in 20 orders, each rounded after every addition, and S |x|."""
    values = rng.uniform(-1, 1, count).astype(dtype)
    orders = (rng.permutation(values) for _ in range(20))
    sums = [np.array([np.add.accumulate(order, dtype=dtype)[-1]]) for order in orders]
    return sums, np.array([np.abs(values.astype(np.float64)).sum()])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("count", [3, 10, 1000])
def test_sums_in_any_order_keep_within_the_bound(dtype, count):
    sums, scale = reordered_sums(np.random.default_rng(count), dtype, count)
    assert len({float(total[0]) for total in sums}) > 1
    assert disagreement(sums, 20, addends=count, scale=scale) is None
