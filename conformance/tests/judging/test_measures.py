"""Measures: hand-computed numbers, the evaluator's formulas written out, special values, integers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mluops_conformance.judging.chunks import CHUNK, FIRST_CHUNK
from mluops_conformance.judging.measures import MEASURES, measure
from mluops_conformance.judging.tally import LIMIT, tally


def f32(*values):
    return np.array(values, np.float32)


def f64(*values):
    return np.array(values, np.float64)


class TestHandComputed:
    """a = [1, 2, 5], b = [1, 4, 4]: |a - b| = [0, 2, 1]."""

    found = measure(f32(1, 2, 5), f64(1, 4, 4))

    def test_diff1_is_the_sum_of_errors_over_the_sum_of_magnitudes(self):
        assert self.found["diff1"] == pytest.approx(3 / 9)

    def test_diff2_is_the_root_of_the_quotient_of_square_sums(self):
        assert self.found["diff2"] == pytest.approx(math.sqrt(5 / 33))

    def test_diff3_is_the_largest_relative_error(self):
        assert self.found["diff3"] == pytest.approx(2 / 4)

    def test_diff3_2_is_the_largest_absolute_error(self):
        assert self.found["diff3_2"] == 2

    def test_diff4_says_nothing_about_two_points(self):
        assert self.found["diff4"] == -1

    def test_the_written_rule_gives_both_shares_and_the_count(self):
        assert [self.found[name] for name in ("diff4_p1", "diff4_p2", "diff4_n")] == [0.5, 0.5, 2]

    def test_pointwise_needs_a_scale(self):
        assert "pointwise" not in self.found
        assert measure(f32(1, 2, 5), f64(1, 4, 4), f64(1, 8, 2))["pointwise"] == 0.5


class TestEpsilonsOfTheEvaluator:
    def test_the_denominator_of_diff1_holds_1e_9(self):
        assert measure(f32(1), f64(0))["diff1"] == pytest.approx(1e9)

    def test_the_epsilon_of_diff2_stands_under_the_root(self):
        assert measure(f32(1), f64(0))["diff2"] == pytest.approx(math.sqrt(1e9))

    @pytest.mark.parametrize(("dtype", "limit"), [("float16", 1e-4), ("float32", 1e-6)])
    def test_diff3_is_absolute_below_a_limit_of_the_dtype(self, dtype, limit):
        expected = np.array([limit / 2], dtype)
        found = measure(expected * 2, expected.astype(np.float64))
        assert found["diff3"] == float(expected[0])

    @pytest.mark.parametrize(("dtype", "limit"), [("float16", 1e-4), ("float32", 1e-6)])
    def test_diff3_is_relative_above_it(self, dtype, limit):
        expected = np.array([limit * 2], dtype)
        found = measure(expected * 2, expected.astype(np.float64))
        assert found["diff3"] == pytest.approx(1, rel=1e-3)

    def test_diff3_of_doubles_is_always_relative(self):
        assert measure(f64(2e-8), f64(1e-8))["diff3"] == pytest.approx(1e-8 / 1.1e-8)


class TestAveragesHideOneElement:
    """A million ones, one of which is 1.5 (DIOPI #763)."""

    actual = np.ones(10**6, np.float32)
    actual[123456] = 1.5
    found = tally(actual, np.ones(10**6))

    def test_diff1_and_diff2_are_small(self):
        found = measure(self.actual, np.ones(10**6))
        assert found["diff1"] == pytest.approx(5e-7)
        assert found["diff2"] == pytest.approx(5e-4)

    def test_the_element_is_kept_all_the_same(self):
        (element,) = self.found.worst
        assert (element.index, element.actual, element.expected, element.error) == ((123456,), 1.5, 1, 0.5)

    def test_pointwise_sees_it(self):
        assert measure(self.actual, np.ones(10**6), np.ones(10**6))["pointwise"] == 0.5


class TestIntegers:
    def test_int32_is_not_rounded_through_float32(self):
        found = measure(np.array([16777216], np.int32), np.array([16777217], np.int32))
        assert found["diff3_2"] == 1

    def test_a_neighbouring_index_is_a_difference(self):
        assert measure(np.array([1000001, 7], np.int32), np.array([1000000, 7]))["diff3"] > 0

    def test_int64_beyond_the_precision_of_doubles(self):
        found = measure(np.array([2**60 + 1]), np.array([2**60]))
        assert found["diff3_2"] == 1

    def test_an_int64_difference_that_overflows(self):
        found = measure(np.array([2**63 - 1]), np.array([-(2**63)]))
        assert found["diff3_2"] == pytest.approx(2.0**64)

    def test_unsigned_differences_do_not_wrap(self):
        found = measure(np.array([1], np.uint8), np.array([3], np.uint8))
        assert found["diff3_2"] == 2

    def test_booleans(self):
        assert measure(np.array([True, False]), np.array([True, True]))["diff3_2"] == 1

    def test_an_expectation_of_doubles_is_refused(self):
        with pytest.raises(TypeError, match="int32 needs an expectation of integers, not of float64"):
            measure(np.array([1], np.int32), f64(1))


class TestStorageType:
    def test_a_correctly_rounded_half_has_no_error(self):
        assert measure(np.array([0.1], np.float16), f64(0.1))["diff3_2"] == 0

    def test_an_expectation_beyond_half_is_infinite_there(self):
        found = tally(np.array([np.inf], np.float16), f64(70000))
        assert found.mismatched == 0

    def test_shapes_must_agree(self):
        with pytest.raises(ValueError, match=r"actual has shape \(2,\), expected has \(1, 2\)"):
            measure(f32(1, 2), np.ones((1, 2)))


class TestSpecialValues:
    def test_equal_ones_do_not_hide_the_finite_rest(self):
        found = tally(f32(np.nan, np.inf, 3), f64(np.nan, np.inf, 2))
        assert (found.mismatched, found.error_max) == (0, 1)

    @pytest.mark.parametrize(
        ("actual", "expected"),
        [(np.nan, 1), (1, np.nan), (np.inf, -np.inf), (np.inf, np.nan), (np.nan, -np.inf), (0, np.inf)],
    )
    def test_a_mismatch_is_counted_and_located(self, actual, expected):
        found = tally(f32(5, actual), f64(5, expected))
        (element,) = found.mismatches
        assert (found.mismatched, element.index) == (1, (1,))
        np.testing.assert_equal((element.actual, element.expected), (actual, expected))

    def test_a_mismatch_leaves_the_measures_to_the_finite_rest(self):
        assert measure(f32(np.nan, 3), f64(7, 2))["diff1"] == pytest.approx(1 / 2)

    def test_all_are_counted_where_only_the_first_are_kept(self):
        found = tally(np.full((40, 50), np.nan, np.float32), np.ones((40, 50)))
        assert found.mismatched == 2000
        assert [element.index for element in found.mismatches] == [(0, i) for i in range(5)]

    def test_a_nan_scale_leaves_its_element_out(self):
        assert measure(f32(9, 3), f64(7, 2), f64(np.nan, 4))["pointwise"] == 0.25

    def test_a_scale_of_zero_allows_no_error(self):
        assert measure(f32(1e-3), f64(0), f64(0))["pointwise"] > 1e30


class TestDiff4:
    def test_one_pair_150_times_is_one_distinct_pair(self):
        above = np.full(150, np.nextafter(np.float32(1), np.float32(2)))
        found = measure(above, np.ones(150))
        assert found["diff4"] == -1
        assert [found[name] for name in ("diff4_p1", "diff4_p2", "diff4_n")] == [0, 1, 150]

    @pytest.mark.parametrize("count", [99, 100])
    def test_a_hundred_distinct_pairs_are_needed(self, count):
        expected = np.arange(1, count + 1, dtype=np.float64)
        found = measure((expected - 0.5).astype(np.float32), expected)
        assert found["diff4"] == (1 if count == 100 else -1)

    def test_errors_above_only_give_zero(self):
        expected = np.arange(200.0)
        assert measure((expected + 0.5).astype(np.float32), expected)["diff4"] == 0

    def test_repeated_pairs_count_once(self):
        expected = np.repeat(np.arange(1, 101.0), 3)
        actual = (expected + np.where(expected <= 25, -0.5, 0.5)).astype(np.float32)
        assert measure(actual, expected)["diff4"] == 0.25

    def test_zeros_of_either_sign_are_one_value(self):
        expected = np.repeat(np.arange(1, 100.0), 2)
        actual = np.tile(f32(0.0, -0.0), 99)
        assert measure(actual, expected)["diff4"] == -1

    def test_late_distinct_pairs_of_a_large_output_are_found(self):
        expected = np.ones(5 * CHUNK)
        actual = np.full(5 * CHUNK, 0.5, np.float32)
        actual[-200:] = np.linspace(0.1, 0.4, 200)
        assert measure(actual, expected)["diff4"] == 1

    def test_many_errors_of_both_signs_give_the_share_of_points(self):
        actual = np.repeat(f32(0.5, 1.5), [400, 200])
        assert measure(actual, np.ones(600))["diff4"] == pytest.approx(2 / 3)

    def test_a_late_error_of_the_other_sign_is_found(self):
        expected = np.arange(1, 5 * CHUNK, dtype=np.float64)
        actual = (expected - 0.25).astype(np.float32)
        actual[-1] = expected[-1] + 1
        assert 0.99 < measure(actual, expected)["diff4"] < 1


def test_a_perfect_output_has_no_worst_elements():
    assert tally(f32(1, 2), f64(1, 2)).worst == ()


def test_worst_elements_come_largest_first_and_by_index_among_equals():
    actual = np.zeros(50, np.float32)
    actual[[40, 3, 17, 9, 30, 11]] = [1, 1, 2, 1, 1, 1]
    found = tally(actual, np.zeros(50))
    assert [element.index for element in found.worst] == [(17,), (3,), (9,), (11,), (30,)]


def test_worst_elements_are_found_in_any_chunk():
    actual = np.zeros((3, CHUNK), np.float32)
    actual[2, 5], actual[0, FIRST_CHUNK - 1], actual[1, 7] = 3, 2, 1
    found = tally(actual, np.zeros((3, CHUNK)))
    assert [element.index for element in found.worst] == [(2, 5), (0, FIRST_CHUNK - 1), (1, 7)]


def test_with_a_scale_the_worst_are_those_beyond_it():
    found = tally(f32(110, 2), f64(100, 1), f64(1000, 1))
    assert [element.index for element in found.worst] == [(1,), (0,)]


def test_arrays_that_are_not_contiguous_are_compared_in_order():
    expected = np.arange(6.0).reshape(2, 3).T
    actual = expected.astype(np.float32)
    actual[2, 1] += 1
    assert [element.index for element in tally(actual, expected).worst] == [(2, 1)]


def test_an_empty_output_has_no_error():
    assert measure(np.empty((0, 5), np.float32), np.empty((0, 5)))["diff1"] == 0


def literal(actual, expected, eps):
    """The evaluator's formulas, as they are written."""
    error, magnitude = np.abs(actual - expected), np.abs(expected)
    relative = np.where(magnitude < eps, error, error / (magnitude + 1e-9))
    pairs = {(a, b) for a, b in zip(actual.tolist(), expected.tolist()) if a != b}
    below = sum(a < b for a, b in pairs)
    return {
        "diff1": error.sum() / (magnitude.sum() + 1e-9),
        "diff2": np.sqrt((error**2).sum() / ((expected**2).sum() + 1e-9)),
        "diff3": relative.max(),
        "diff3_2": error.max(),
        "diff4": below / len(pairs) if len(pairs) >= 100 else -1,
    }


@given(
    st.sampled_from([("float16", 1e-4), ("float32", 1e-6), ("float64", 0.0)]),
    st.integers(0, 2**32 - 1),
    st.integers(1, LIMIT),
    st.floats(-12, 2),
    st.floats(-8, 0),
)
def test_the_pass_agrees_with_the_formulas(dtype_and_eps, seed, size, magnitude, error):
    dtype, eps = dtype_and_eps
    rng = np.random.RandomState(seed)
    expected = (rng.standard_normal(size) * 10**magnitude).astype(dtype).astype(np.float64)
    actual = (expected * (1 + 10**error * rng.standard_normal(size))).astype(dtype)
    found = measure(actual, expected)
    for name, value in literal(actual.astype(np.float64), expected, eps).items():
        assert found[name] == pytest.approx(value, rel=1e-9, abs=1e-300), name


@settings(max_examples=12)  # of up to four chunks, each of which takes its time
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_chunks_do_not_change_the_measures(seed, chunks):
    rng = np.random.RandomState(seed)
    expected = rng.standard_normal(chunks * CHUNK + 17).astype(np.float32).astype(np.float64)
    actual = (expected * (1 + 1e-3 * rng.standard_normal(expected.size))).astype(np.float32)
    found = measure(actual, expected)
    for name, value in literal(actual.astype(np.float64), expected, 1e-6).items():
        assert found[name] == pytest.approx(value, rel=1e-3 if name == "diff4" else 1e-9), name


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 300),
    st.sampled_from(["int8", "uint8", "int32", "int64", "uint64"]),
)
def test_integers_agree_with_integer_arithmetic(seed, size, dtype):
    info = np.iinfo(dtype)
    rng = np.random.RandomState(seed)
    raw = rng.randint(0, 256, (2, size, info.dtype.itemsize)).astype(np.uint8)
    actual, expected = raw.view(dtype)[..., 0]
    errors = [abs(a - b) for a, b in zip(actual.tolist(), expected.tolist())]
    found = measure(actual, expected)
    assert found["diff3_2"] == float(max(errors))
    assert found["diff1"] == pytest.approx(sum(errors) / (sum(map(abs, expected.tolist())) + 1e-9))


@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, np.nan, np.inf, -np.inf]), min_size=1, max_size=60), st.data()
)
def test_special_values_are_compared_as_the_rule_says(expected, data):
    actual = data.draw(st.permutations(expected))
    same = [a == b or (a != a and b != b) for a, b in zip(actual, expected)]
    special = [not (math.isfinite(a) and math.isfinite(b)) for a, b in zip(actual, expected)]
    found = tally(f32(*actual), f64(*expected))
    assert found.mismatched == sum(s and not e for s, e in zip(special, same))
    assert found.special == sum(special)
    assert found.below + found.above == sum(not s and not e for s, e in zip(special, same))


class TestOneObject:
    """Everything that is known of a measure stands in its object."""

    def test_a_size_is_refused_above_its_limit_and_not_at_it(self):
        found = tally(f32(1.5, 9), f64(1, 9))
        assert not MEASURES["diff3_2"].refuses(found, 0.5)
        assert MEASURES["diff3_2"].refuses(found, 0.4999)
        assert MEASURES["diff3_2"].sentence(found, 0.25) == "diff3_2 is 0.5, above 0.25"
        assert MEASURES["diff3_2"].excess(found, 0.25) == 2

    def test_a_measure_of_sides_has_no_size(self):
        expected = np.arange(1, 201.0)
        found = tally((expected + 0.5).astype(np.float32), expected)
        side = MEASURES["diff4"]
        assert (side.is_size, side.refuses(found, 1), side.refuses(found, -1)) == (False, True, False)
        assert side.excess(found, 1) == math.inf
        assert (side.limit_text(1), side.limit_text(-1)) == ("neither 0 nor 1", "off")

    @pytest.mark.parametrize(
        ("name", "limit", "accepted"),
        [
            ("diff1", 0, True),
            ("diff1", -1, False),
            ("diff1", math.nan, False),
            ("diff4", -1, True),
            ("diff4", math.nan, False),
        ],
    )
    def test_limits_that_a_measure_can_have(self, name, limit, accepted):
        assert MEASURES[name].accepts_limit(limit) is accepted

    def test_a_baseline_of_one_side_switches_the_measure_of_sides_off(self):
        assert MEASURES["diff4"].settled_limit(1, {"diff4": 1.0})[0] == -1
        assert MEASURES["diff4"].settled_limit(1, {"diff4": 0.4})[0] == 1
        assert MEASURES["diff1"].settled_limit(1, {"diff4": 1.0}) is None

    def test_one_element_alone_never_exceeds_a_measure_of_sides(self):
        assert [name for name, one in MEASURES.items() if one.least_seen is None] == ["diff4"]
