"""A pass counts only where wrong outputs would not pass: what is mistrusted, and what is not."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.discrimination import LIMITS, region_around
from mluops_conformance.judging.values import Threshold
from mluops_conformance.judging.verdict import Interpretation, judge

RANDOM = np.random.RandomState(0)


def mistrust(expected, scale=None, decoys=None, dtype="float32", **values):
    """The reason for which a perfect output is mistrusted; "" where it is trusted."""
    thresholds = {name: Threshold(value, "case") for name, value in values.items()}
    right = Interpretation("double", expected, thresholds, scale)
    with np.errstate(over="ignore"):
        verdict = judge("output", expected.astype(dtype), [right], decoys=decoys)
    assert (verdict.outcome == "mistrusted") == bool(verdict.reasons)
    return " ".join(verdict.reasons)


def test_random_data_under_the_usual_thresholds_is_trusted():
    assert not mistrust(RANDOM.uniform(0, 1, (3, 4, 5)), diff1=1e-5, diff2=1e-5)


def test_a_constant_expectation_is_mistrusted():
    assert "the mean everywhere" in mistrust(np.ones((3, 4)), diff1=1e-5)


def test_an_all_zero_expectation_is_mistrusted():
    assert "all zeros" in mistrust(np.zeros((3, 4)), diff1=1e-5)


def test_a_threshold_of_nine_per_cent_accepts_the_mean_of_close_values():
    assert "the mean everywhere" in mistrust(RANDOM.uniform(0.95, 1.05, (30, 40)), diff1=0.09)


def test_an_average_above_one_accepts_zeros():
    assert "all zeros" in mistrust(RANDOM.uniform(0, 1, (30, 40)), diff1=1.5)


def test_no_threshold_at_all_accepts_zeros():
    assert "all zeros" in mistrust(RANDOM.uniform(0, 1, (3, 4)))


def test_a_swap_of_neighbours_along_an_axis_of_equal_slices_would_pass():
    expected = np.repeat(RANDOM.uniform(0, 1, (4, 1, 6)), 5, axis=1)
    assert mistrust(expected, diff1=1e-5).endswith("the expectation shifted by one along axis 1")


def test_one_element_off_by_a_hundredth_must_be_seen_by_a_pointwise_criterion():
    expected = RANDOM.uniform(1, 2, (8, 9))
    assert "one element off by 1 %" in mistrust(expected, expected, diff1=1e-3, pointwise=0.02)
    assert not mistrust(expected, expected, diff1=1e-5, pointwise=1e-3)


def test_averages_alone_are_not_asked_to_see_one_element():
    assert not mistrust(RANDOM.uniform(1, 2, 5000), diff1=1e-5, diff2=1e-3)


def test_a_copy_of_an_input_must_not_pass():
    expected = RANDOM.uniform(0, 1, (3, 4))
    assert "a copy of top_output" in mistrust(
        expected, decoys={"a copy of top_output": expected.astype(np.float32)}, diff1=1e-5
    )


def test_an_input_of_another_shape_cannot_be_taken_for_the_output():
    assert not mistrust(RANDOM.uniform(0, 1, (3, 4)), decoys={"a copy of rois": np.ones(5)}, diff1=1e-5)


def test_expected_special_values_do_not_make_up_for_loose_thresholds():
    expected = RANDOM.uniform(0, 1, (30, 40))
    expected[3, 3] = np.nan
    assert "all zeros" in mistrust(expected, diff1=1.5)


def test_an_expectation_of_special_values_alone_is_trusted():
    assert not mistrust(np.array([np.nan, np.inf, np.nan]), diff1=1e-5)


def test_half_overflow_in_the_expectation_is_no_obstacle():
    assert not mistrust(np.array([1e6, 2.0, 3.0, 5.0]), dtype="float16", diff1=1e-3)


def test_a_big_output_with_few_values_far_from_its_start_is_trusted():
    expected = np.zeros((200, 300))
    expected[170:190] = RANDOM.uniform(0, 1, (20, 300))
    assert not mistrust(expected, diff1=1e-5)


def test_a_part_that_accepts_a_probe_is_not_the_last_word():
    expected = np.full((200, 300), 9.0)
    expected[:100] = RANDOM.uniform(0, 1, (100, 300))
    assert expected.size > LIMITS[0]
    assert not mistrust(expected, diff1=1e-5)


@pytest.mark.parametrize("shape", [(7,), (2, 200, 304, 256), (1, 1, 5), (100000, 3), (3, 100000)])
def test_a_region_stays_inside_and_keeps_two_along_each_axis(shape):
    region = region_around(shape, int(np.prod(shape)) - 1, 4096)
    for part, size in zip(region, shape):
        assert 0 <= part.start < part.stop <= size
        assert part.stop - part.start >= min(size, 2)


def test_a_region_contains_its_position():
    shape = (20, 30, 40)
    for position in (0, 12345, 23999):
        region = region_around(shape, position, 100)
        assert all(
            part.start <= at < part.stop for part, at in zip(region, np.unravel_index(position, shape))
        )
