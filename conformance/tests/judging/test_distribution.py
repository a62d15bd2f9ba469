"""The places and the sizes of the errors of a failing output."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.chunks import BINS, CHUNK, COLUMNS, LOWEST, PER_DECADE, ROWS, distribution
from mluops_conformance.judging.tally import tally
from mluops_conformance.judging.thresholds import Threshold
from mluops_conformance.judging.verdict import Interpretation, judge


def of(actual, expected):
    actual = np.asarray(actual, np.float32)
    expected = np.asarray(expected, np.float64)
    return distribution(actual, expected, tally(actual, expected).error_max)


def marked(found, sign):
    return [(r, c) for r, line in enumerate(found.map) for c, seen in enumerate(line) if seen == sign]


class TestHistogram:
    @pytest.mark.parametrize("relative", [2e-6, 1.5e-3, 0.2, 30.0])
    def test_an_error_counts_in_the_bin_of_its_relative_size(self, relative):
        (place,) = np.flatnonzero(of([1, 1 + relative], [1, 1]).histogram)
        lowest = 10 ** (LOWEST + place / PER_DECADE)
        assert lowest <= relative * 1.1
        assert relative / 1.1 < lowest * 10 ** (1 / PER_DECADE)

    def test_what_lies_outside_counts_at_the_ends(self):
        counts = of([1e6, 1.0], [1, 0]).histogram
        assert (counts[-1], sum(counts)) == (2, 2)

    def test_equal_wrong_and_misplaced_special_values_add_up(self):
        found = of([1, 2, np.nan, np.inf, np.nan], [1, 3, 3, np.inf, np.nan])
        assert (found.equal, sum(found.histogram)) == (3, 1)
        assert len(found.histogram) == BINS


class TestMap:
    def test_a_small_output_is_shown_element_by_element(self):
        expected = np.ones((3, 4))
        actual = expected.copy()
        actual[1, 2] = 2
        assert of(actual, expected).map == ("....", "..9.", "....")

    def test_a_sign_tells_the_decade_below_the_largest_error(self):
        actual = np.ones((1, 4))
        actual[0] += [1, 0.5, 0.05, 3e-5]
        assert of(actual, np.ones((1, 4))).map == ("9985",)

    def test_a_misplaced_special_value_is_seen_before_all_else(self):
        expected = np.ones((1, 100_000))
        actual = expected.copy()
        actual[0, 5], actual[0, 6] = np.nan, 9
        assert marked(of(actual, expected), "!") == [(0, 0)]

    def test_a_large_output_is_seen_as_a_whole(self):
        expected = np.ones((2, 50, 30, 200))
        actual = expected.copy()
        actual[1, :, :, 192:] = 2
        found = of(actual, expected)
        assert (len(found.map), len(found.map[0])) == (32, 64) == (ROWS, COLUMNS)
        assert {r for r, _ in marked(found, "9")} == set(range(ROWS // 2, ROWS))
        assert min(c for _, c in marked(found, "9")) == 192 * COLUMNS // 200

    def test_one_axis_is_shown_line_by_line(self):
        expected = np.ones(COLUMNS * ROWS)
        actual = expected.copy()
        actual[COLUMNS + 3] = 2
        found = of(actual, expected)
        assert (len(found.map), marked(found, "9")) == (ROWS, [(1, 3)])

    @pytest.mark.parametrize("size", [CHUNK - 1, CHUNK + 1, 3 * CHUNK + 5])
    def test_a_place_is_the_same_whatever_chunk_it_is_in(self, size):
        expected = np.ones((size, 2))
        actual = expected.copy()
        actual[-1, 1] = 2
        assert marked(of(actual, expected), "9") == [(ROWS - 1, 1)]

    @pytest.mark.parametrize(("shape", "lines"), [((), 1), ((1,), 1), ((0,), 0), ((0, 3), 0), ((3, 0), 0)])
    def test_the_smallest_outputs_have_a_map_too(self, shape, lines):
        assert len(of(np.zeros(shape), np.ones(shape)).map) == lines


class TestVerdict:
    def judged(self, actual):
        limits = {"diff3": Threshold(0.0, "static")}
        expected = np.arange(4.0)
        return judge("output", np.asarray(actual, np.float32), [Interpretation("double", expected, limits)])

    def test_an_output_that_failed_has_its_distribution(self):
        assert self.judged([0, 1, 2, 4]).distribution.map == ("...9",)

    def test_one_that_passed_has_none(self):
        assert self.judged([0, 1, 2, 3]).distribution is None
