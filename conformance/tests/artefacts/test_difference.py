"""The differences of outputs, in numbers, indices and pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mluops_conformance.artefacts.difference import (
    BAR,
    bars,
    changes,
    difference,
    difference_text,
    differences,
    ranges,
    summary,
)


def compared(actual, expected, shown=5):
    return difference("y", np.asarray(actual, np.float32), "double", np.asarray(expected, np.float64), shown)


class TestNumbers:
    def test_an_output_is_compared_with_the_right_answer_it_is_nearest_to(self, artefact):
        (found,) = differences(artefact, 3)
        assert (found.name, found.against, found.differing) == ("output", "double", 1)
        assert [element.index for element in found.found.worst] == [(1, 2)]

    def test_repeated_outputs_are_compared_each(self, artefact):
        twice = replace(artefact, outputs={**artefact.outputs, "output@2": artefact.outputs["output"]})
        assert [found.name for found in differences(twice, 3)] == ["output", "output@2"]

    def test_an_artefact_without_outputs_has_no_differences(self, artefact):
        assert list(differences(replace(artefact, outputs={}), 3)) == []

    def test_outputs_of_two_executions_are_compared_by_name_and_shape(self, artefact):
        other = {"output": artefact.outputs["output"] + 1, "else": np.zeros(3)}
        (found,) = changes(artefact.outputs, other, "other.npz", 3)
        assert (found.against, found.differing, found.found.error_max) == ("other.npz", 12, 1.0)
        assert list(changes(artefact.outputs, {"output": np.zeros(3)}, "other.npz", 3)) == []

    def test_integers_are_compared_as_integers(self):
        actual, expected = np.array([1, 2, 3], np.int32), np.array([1, 2, 4], np.int32)
        assert difference("y", actual, "other", expected, 3).differing == 1


class TestPlaces:
    def test_the_indices_of_the_large_errors_are_found_for_each_axis(self):
        expected = np.ones((2, 3, 8))
        actual = expected.copy()
        actual[1, :, 6:] += 1
        actual[0, 0, 0] += 1e-4
        assert compared(actual, expected).places == ((1,), (0, 1, 2), (6, 7))

    def test_misplaced_special_values_count(self):
        assert compared([1, np.nan, 1, np.inf], [1, 1, 1, -np.inf]).places == ((1, 3),)

    def test_equal_special_values_do_not(self):
        assert compared([np.nan, np.inf, 2], [np.nan, np.inf, 1]).places == ((2,),)

    @pytest.mark.parametrize(
        ("indices", "text"),
        [
            ([5], "5"),
            ([0, 1, 2, 7, 9, 10], "0-2, 7, 9-10"),
            (list(range(0, 40, 2)), "0, 2, 4, 6, 8, 10, and 14 ranges more"),
        ],
    )
    def test_indices_are_written_as_ranges(self, indices, text):
        assert ranges(indices) == text


class TestText:
    def test_equal_outputs_take_a_line(self):
        text = difference_text(compared([1, 2], [1, 2]))
        assert text == "output `y` against double: all 2 elements are the same"

    def test_the_summary_counts_and_tells_the_largest_error(self):
        found = compared([1, 3, np.nan], [1, 1, 1])
        assert summary(found) == (
            "output `y` against double: 2 of 3 elements differ, 1 of them in NaN or infinity, by at most 2"
        )

    def test_places_elements_bars_and_map_are_shown(self, artefact):
        (found,) = differences(artefact, 3)
        text = difference_text(found)
        for line in (
            "  float32, shape 3 x 4",
            "    axis 0: 1  (1 of 3)",
            "    axis 1: 2  (1 of 4)",
            "  at      actual    against    off by    relative",
            "  [1, 2]  7         6          1         0.1667",
            "  |....|",
            "  |..9.|",
        ):
            assert line in text.splitlines()

    def test_the_longest_bar_is_of_the_most_frequent_error_and_a_gap_shows(self):
        lines = list(bars([0, 4, 0, 0, 1, 2, 0]))
        assert [line.count("#") for line in lines] == [BAR, 0, BAR // 4, BAR // 2]
        assert [line.split()[-1] for line in lines] == ["4", "...", "1", "2"]
