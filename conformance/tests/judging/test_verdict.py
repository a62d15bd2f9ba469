"""Verdicts: what passes, what is refused and in which words, and what is mistrusted."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.values import Threshold
from mluops_conformance.judging.verdict import Interpretation, judge


def thresholds(**values):
    return {name: Threshold(value, "case") for name, value in values.items()}


def judged(actual, expected, scale=None, *, dtype="float32", discriminate=True, addends=None, **values):
    plain = Interpretation("double", np.asarray(expected), thresholds(**values), scale)
    actual = np.asarray(actual, dtype)
    asked = None if addends is None else lambda: addends
    return judge("output", actual, [plain], discriminate=discriminate, addends=asked)


EXPECTED = np.random.RandomState(0).uniform(1, 9, (4, 5, 6))


class TestPassing:
    def test_a_right_output_passes_without_a_word(self):
        verdict = judged(EXPECTED, EXPECTED, diff1=1e-5, diff2=1e-5)
        assert (verdict.outcome, verdict.reasons) == ("passed", ())

    def test_every_measure_is_kept_also_those_that_are_not_judged(self):
        verdict = judged(EXPECTED, EXPECTED, diff1=1e-5)
        assert {"diff1", "diff2", "diff3", "diff3_2", "diff4", "diff4_n"} <= set(verdict.measures)
        assert set(verdict.thresholds) == {"diff1"}

    def test_a_measure_equal_to_its_threshold_passes(self):
        assert judged([1.5, 9], [1.0, 9], diff3_2=0.5, discriminate=False).outcome == "passed"

    def test_an_empty_output_passes(self):
        assert judged(np.empty((0, 5)), np.empty((0, 5)), diff1=0).outcome == "passed"


class TestRefused:
    def test_the_reason_names_the_measure_and_both_numbers(self):
        assert judged([1, 2, 5], [1.0, 4, 4], diff3_2=1).reasons == ("diff3_2 is 2, above 1",)

    def test_each_measure_above_its_threshold_has_its_sentence(self):
        assert len(judged([1, 2, 5], [1.0, 4, 4], diff1=0.1, diff2=0.1, diff3=1).reasons) == 2

    def test_special_values_at_the_wrong_place_are_refused_whatever_the_averages_say(self):
        verdict = judged([1, np.nan], [1.0, 2.0], diff1=1e9)
        assert verdict.outcome == "failed"
        assert verdict.reasons == (
            "1 of 2 elements differ in NaN or infinity, the first at (1,): actual nan, expected 2.0",
        )

    def test_the_finite_rest_is_judged_beside_equal_special_values(self):
        assert judged([np.nan, 7, 2], [np.nan, 1.0, 2], diff1=1e-3).outcome == "failed"

    def test_errors_of_one_sign_are_refused_by_diff4(self):
        expected = np.arange(1, 201.0)
        verdict = judged(expected + 0.5, expected, diff4=1)
        assert verdict.reasons == ("all 200 errors lie above the expectation, so diff4 is 0",)

    def test_a_negative_threshold_switches_diff4_off(self):
        expected = np.arange(1, 201.0)
        assert judged(expected + 0.5, expected, diff4=-1, diff1=1).outcome != "failed"

    def test_one_wrong_element_among_a_million_is_refused_pointwise_though_the_averages_pass(self):
        expected = np.random.RandomState(1).uniform(1, 2, 10**6)
        actual = expected.copy()
        actual[77] *= 1.01
        verdict = judged(actual, expected, expected, diff1=1e-5, diff2=1e-3, pointwise=1e-5)
        assert [reason.split()[0] for reason in verdict.reasons] == ["pointwise"]
        assert verdict.worst[0].index == (77,)


class TestIndices:
    @pytest.mark.parametrize(("actual", "expected"), [([1000001, 7], [1000000, 7]), ([16777216], [16777217])])
    def test_one_off_is_refused_at_diff3_zero(self, actual, expected):
        assert judged(actual, expected, dtype="int32", diff3=0).outcome == "failed"

    def test_equal_indices_pass(self):
        assert judged([0, 2, 5], [0, 2, 5], dtype="int32", diff3=0).outcome == "passed"

    def test_the_only_index_may_be_zero(self):
        assert judged([0], [0], dtype="int32", diff3=0).outcome == "passed"


class TestHalfAccumulation:
    """4096 ones added up in half stop at 2048, since 2048 + 1 rounds back (pytorch #171288, #177069)."""

    def verdict(self, **values):
        return judged([[2048]], [[4096.0]], dtype="float16", addends=4096, **values)

    def test_it_does_not_pass_3e_3(self):
        assert self.verdict(diff1=3e-3, diff2=3e-3).outcome == "failed"

    def test_the_message_says_accumulation_its_addends_and_the_bound(self):
        assert self.verdict(diff1=3e-3).reasons[-1] == (
            "accumulation error: (0, 0) is off by 2048, and 4096 addends of magnitude 4096 in all, "
            "summed one by one in float16, may lose 4096 x 2^-11 = 2 of it"
        )

    def test_an_error_beyond_the_bound_is_called_something_else(self):
        reasons = judged([[3.0]], [[4.0]], dtype="float16", addends=4, diff1=3e-3).reasons
        assert reasons[-1].startswith("no mere accumulation error: (0, 0) is off by 1, ")

    def test_a_threshold_that_allows_it_is_mistrusted(self):
        assert self.verdict(diff1=1.0).outcome == "mistrusted"


class TestDegenerateExpectation:
    """A hundred zeros: diff1 of 1e-10 everywhere is 10, only because its denominator is 1e-9."""

    def test_a_tiny_absolute_error_is_not_refused_but_flagged(self):
        verdict = judged(np.full(100, 1e-10), np.zeros(100), diff1=3e-3)
        assert verdict.outcome == "mistrusted"
        assert verdict.reasons[0] == (
            "the expectation is zero, where diff1 and diff2 have no meaning; "
            "the largest absolute error is 1e-10"
        )
        assert verdict.measures["diff1"] == pytest.approx(10, rel=1e-6)

    def test_it_passes_where_the_case_says_that_zero_is_right(self):
        assert judged(np.zeros(100), np.zeros(100), discriminate=False, diff1=3e-3).outcome == "passed"

    def test_a_large_absolute_error_is_refused(self):
        verdict = judged(np.full(100, 0.5), np.zeros(100), discriminate=False, diff1=3e-3)
        assert verdict.reasons == ("the expectation is 0, and the absolute error, 0.5, is above 0.003",)


class TestInterpretations:
    double = Interpretation("double", EXPECTED, thresholds(diff1=1e-3))
    half = Interpretation("coordinates in half", EXPECTED[:, :, ::-1].copy(), thresholds(diff1=1e-3))

    def judged(self, actual):
        return judge("output", actual.astype(np.float16), [self.double, self.half])

    def test_the_first_that_is_close_is_the_one_that_matched(self):
        assert self.judged(EXPECTED).matched == "double"

    def test_another_one_makes_the_output_pass_and_is_named(self):
        verdict = self.judged(EXPECTED[:, :, ::-1])
        assert (verdict.outcome, verdict.matched) == ("passed", "coordinates in half")

    def test_close_to_none_is_refused_with_reasons_for_each(self):
        verdict = self.judged(EXPECTED[::-1])
        assert (verdict.outcome, verdict.matched) == ("failed", None)
        assert {reason.split(":")[0] for reason in verdict.reasons} == {"double", "coordinates in half"}

    def test_the_numbers_of_the_nearest_are_shown(self):
        verdict = self.judged(EXPECTED[:, :, ::-1] * 1.01)
        assert verdict.measures["diff1"] == pytest.approx(0.01, rel=0.1)
        assert verdict.reasons[0].startswith("coordinates in half: ")

    def test_a_single_interpretation_is_not_named(self):
        assert judged(EXPECTED, EXPECTED, diff1=1e-5).matched is None
