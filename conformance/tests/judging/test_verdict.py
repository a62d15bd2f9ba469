"""Verdicts: what passes, what is refused and in which words, and what is mistrusted."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from mluops_conformance.judging.tally import tally
from mluops_conformance.judging.values import Threshold
from mluops_conformance.judging.verdict import Interpretation, judge


def thresholds(origin="the operator", **values):
    return {name: Threshold(value, origin) for name, value in values.items()}


def judged(
    actual, expected, scale=None, *, dtype="float32", addends=None, other_side=None, sums=1.0, **values
):
    expected = np.asarray(expected)
    right = Interpretation(
        "double",
        expected,
        thresholds(**values),
        None if scale is None else np.broadcast_to(np.asarray(scale, float), expected.shape),
        None if addends is None else np.asarray(addends),
        sums,
        None if other_side is None else lambda: (np.asarray(other_side, float), np.abs(other_side)),
    )
    return judge("output", np.asarray(actual, dtype), [right])


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
        assert judged([1.5, 9], [1.0, 9], diff3_2=0.5).outcome == "passed"

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

    def test_what_additions_one_by_one_may_give_is_right_and_mistrusted(self):
        verdict = judged(
            [[2048]], [[4096.0]], 4096, dtype="float16", addends=4096, diff1=3e-3, pointwise=4e-3
        )
        assert verdict.outcome == "mistrusted"
        assert verdict.resolution == (4096 + 8) * 2**-11

    def test_thresholds_given_by_hand_decide_alone(self):
        limits = {"origin": "case", "diff1": 3e-3}
        verdict = judged([[2048]], [[4096.0]], 4096, dtype="float16", addends=4096, **limits)
        assert verdict.outcome == "failed"

    def test_an_error_beyond_the_bound_is_refused_and_called_something_else(self):
        verdict = judged([[3.0]], [[4.0]], 4, dtype="float16", addends=4, diff1=3e-3)
        assert verdict.outcome == "failed"
        assert verdict.reasons[-1] == (
            "more than an accumulation error: (0, 0) is off by 1, and 4 addends of magnitude 4 in all, "
            "summed one by one in float16, may lose (4 + 8) x 0.0004883 = 0.005859 of it"
        )

    def test_three_gradients_that_nearly_cancel_may_be_added_in_any_order(self):
        sums = [0.000977, 0.001221]
        verdict = judged(sums[:1], sums[1:], 1.9993, dtype="float16", addends=3, diff1=1e-3, pointwise=4e-3)
        assert verdict.outcome == "passed"

    def test_each_addend_below_the_normal_numbers_may_lose_eight_times_the_half_of_their_step(self):
        """16 x 8 x 2^-25 = 3.8e-6; the share of the sum is 7e-7."""
        off = {
            error: judged(
                [error], [0.0], 3.7e-5, dtype="float16", addends=16, diff1=3e-3, pointwise=4e-3
            ).outcome
            for error in (1.2e-6, 6e-6)
        }
        assert off == {1.2e-6: "passed", 6e-6: "failed"}

    def test_one_wrong_element_is_refused_beside_one_that_rounding_explains(self):
        expected, actual = [4096.0, 1.0], [2048.0, 1.5]
        verdict = judged(
            actual, expected, expected, dtype="float16", addends=[4096, 2], diff1=1e-3, pointwise=4e-3
        )
        assert verdict.outcome == "failed"


class TestOverflow:
    """784 values of 95 add up to 74480, beyond half, before they are divided."""

    def test_infinity_is_right_where_the_sum_overflows(self):
        verdict = judged([np.inf], [95.06], 95.06, dtype="float16", addends=784, sums=784.0, diff1=1e-3)
        assert verdict.outcome == "passed"

    def test_the_finite_answer_is_right_as_well(self):
        assert (
            judged([95.0], [95.06], 95.06, dtype="float16", addends=784, sums=784.0, diff1=1e-3).outcome
            == "passed"
        )

    def test_infinity_is_refused_where_no_sum_overflows(self):
        verdict = judged([np.inf], [95.06], 95.06, dtype="float16", addends=100, sums=100.0, diff1=1e-3)
        assert verdict.outcome == "failed"

    def test_nan_is_refused(self):
        verdict = judged([np.nan], [95.06], 95.06, dtype="float16", addends=784, sums=784.0, diff1=1e-3)
        assert verdict.outcome == "failed"


class TestOneSide:
    """A reciprocal count that is rounded up moves every error to one side."""

    expected = np.random.RandomState(2).uniform(1, 2, 400)

    def test_errors_of_one_rounded_factor_may_lie_on_one_side(self):
        actual = self.expected.astype(np.float32) * np.float32(1 + 2**-23)
        assert np.all(actual > self.expected.astype(np.float32))
        assert judged(actual, self.expected, diff1=1e-5, diff4=1).outcome == "passed"

    def test_larger_errors_of_one_side_are_refused(self):
        verdict = judged(self.expected * (1 + 5e-6), self.expected, diff1=1e-5, diff4=1)
        assert verdict.reasons == ("all 400 errors lie above the expectation, so diff4 is 0",)


class TestOtherSide:
    """A sample on a pixel in float32, and 1e-8 beside it in double, has another neighbour."""

    def test_each_element_may_be_on_either_side(self):
        verdict = judged(
            [1.0, np.nan, 3.0],
            [1.0, 2.0, np.nan],
            3,
            other_side=[9.0, np.nan, 3.0],
            diff1=1e-5,
            pointwise=1e-5,
        )
        assert verdict.outcome == "passed"

    def test_what_is_on_neither_side_is_refused(self):
        verdict = judged([1.0, 5.0], [1.0, 2.0], 3, other_side=[1.0, 3.0], diff1=1e-5, pointwise=1e-5)
        assert verdict.outcome == "failed"
        assert verdict.worst[0].expected == 3.0


class TestExactExpectation:
    """Right answers of NaN, infinity and zeros alone are judged position by position."""

    @pytest.mark.parametrize("values", [[np.nan, np.nan], [0.0], [0.0, 0.0], [np.inf, -np.inf, np.nan]])
    def test_they_pass_and_everything_wrong_would_be_seen(self, values):
        verdict = judged(values, values, diff1=3e-3, diff2=3e-3)
        assert (verdict.outcome, verdict.resolution) == ("passed", 0.0)

    def test_nothing_may_differ_where_nothing_was_added_up(self):
        verdict = judged(np.full(100, 1e-10), np.zeros(100), diff1=3e-3)
        assert verdict.reasons == ("the expected value is 0, and the absolute error, 1e-10, is above 0",)

    def test_values_that_cancel_leave_what_rounding_leaves(self):
        assert judged([1e-4, 0.0], [0.0, 0.0], 1e3, diff1=1e-5, pointwise=1e-5).outcome == "passed"
        assert judged([1e-1, 0.0], [0.0, 0.0], 1e3, diff1=1e-5, pointwise=1e-5).outcome == "failed"

    def test_a_special_value_at_another_place_is_refused(self):
        assert judged([np.nan, 0.0], [0.0, np.nan], diff1=3e-3).outcome == "failed"


class TestResolution:
    def test_it_is_the_pointwise_threshold_among_many_elements(self):
        assert judged(np.ones(10**5), np.ones(10**5), 1, diff1=1e-5, pointwise=1e-4).resolution == 1e-4

    def test_an_average_of_few_elements_refuses_less(self):
        assert judged(np.ones(10), np.ones(10), 1, diff1=1e-6, pointwise=1e-2).resolution == pytest.approx(
            1e-5
        )

    def test_integers_are_exact(self):
        assert judged([3, 4], [3, 4], dtype="int32", diff3=0).resolution == 0

    def test_thresholds_that_refuse_nothing_are_mistrusted_with_the_remedy(self):
        verdict = judged(EXPECTED, EXPECTED, EXPECTED, diff1=200, pointwise=1.5)
        assert verdict.outcome == "mistrusted"
        assert verdict.reasons == (
            "an element may be wrong by 1.5 times its local scale and pass; "
            "the threshold of diff1 is 200 (the operator). "
            "Give the case fewer addends, smaller coordinates, a wider dtype, or thresholds of its own",
        )

    def test_a_refused_output_has_none(self):
        assert judged([1.0, 2.0], [1.0, 4.0], diff1=1e-3).resolution is None


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


class TestSeveralRightAnswers:
    def test_an_answer_that_matches_as_it_is_comes_before_what_rounding_makes_of_another(self):
        def other_side():
            raise AssertionError("nobody asked for the other side")

        plain = Interpretation(
            "double", np.array([1.0]), thresholds(diff1=1e-5), np.ones(1), other_side=other_side
        )
        further = Interpretation("half coordinates", np.array([2.0]), thresholds(diff1=1e-5), np.ones(1))
        verdict = judge("output", np.array([2.0], np.float32), [plain, further])
        assert (verdict.outcome, verdict.matched) == ("passed", "half coordinates")

    def test_an_answer_that_would_pass_anything_comes_after_what_rounding_explains(self):
        scale, addends = np.array([1000.0]), np.array([40])
        plain = Interpretation("double", np.array([1.0]), thresholds(diff1=1e-5), scale, addends)
        blind = Interpretation("half coordinates", np.array([5.0]), thresholds(diff1=900), np.ones(1))
        verdict = judge("output", np.array([1.001], np.float32), [plain, blind])
        assert verdict.outcome == "passed"
        assert verdict.matched == "double; every error is within what rounding may cost"

    def test_an_answer_that_would_pass_anything_is_mistrusted_where_nothing_else_matches(self):
        plain = Interpretation("double", np.array([1.0]), thresholds(diff1=1e-5), np.ones(1))
        blind = Interpretation("half coordinates", np.array([5.0]), thresholds(diff1=900), np.ones(1))
        verdict = judge("output", np.array([3.0], np.float32), [plain, blind])
        assert (verdict.outcome, verdict.matched) == ("mistrusted", "half coordinates")


class TestSmallExactOutputs:
    """Outputs of few elements with the expected bits are tallied in a shorter way."""

    def test_they_are_mistrusted_where_the_thresholds_would_pass_anything(self):
        assert judged([1e-4, 2e-4], [1e-4, 2e-4], diff1=3, diff2=3, diff3_2=0.1).outcome == "mistrusted"

    def test_they_pass_where_one_wrong_element_would_be_refused(self):
        assert judged([1500.0], [1500.0], diff1=3e-3, diff2=3e-3, diff3=10, diff3_2=1e4).outcome == "passed"

    @pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
    def test_they_have_the_tally_of_a_larger_output(self, dtype):
        small = np.array([3, -7, 2, 0], dtype)
        large = np.concatenate([small, np.zeros(2000, dtype)])
        found, expected = (
            vars(tally(values, values.astype(float if dtype[0] == "f" else dtype)))
            for values in (small, large)
        )
        assert {**found, "elements": 0} == {**expected, "elements": 0}


def test_a_judged_output_is_freed_at_once():
    """A cycle would hold the arrays of a large case until Python looks for cycles."""
    actual = np.full(5000, 2.0, np.float32)
    freed = weakref.ref(actual)
    collects = gc.isenabled()
    gc.disable()
    try:
        judged(actual, np.ones(5000), diff1=1e-5)
        del actual
        assert freed() is None
    finally:
        if collects:
            gc.enable()
