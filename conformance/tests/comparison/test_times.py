"""Repeated times: what is slower, what is noise, and what says nothing."""

from __future__ import annotations

import random

import pytest
from mluops_conformance.comparison.changes import Limits
from mluops_conformance.comparison.times import changed, common_factors, samples_of, timings

VENDOR = Limits(time_rule="vendor")


def noisy(median, spread=0.01, count=12, seed=1):
    generator = random.Random(seed)
    return [median * (1 + generator.gauss(0, spread)) for _ in range(count)]


def changes(before, after, limits=None):
    limits = limits or Limits()
    compared = timings({("op/a", "hardware"): before}, {("op/a", "hardware"): after}, limits)
    return [timing for timing in compared if changed(timing, limits)]


def test_a_slow_down_above_the_noise_is_found():
    (found,) = changes(noisy(40e-6), noisy(48e-6, seed=2))
    assert found.is_worse
    assert found.factor == pytest.approx(1.2, rel=0.02)
    assert found.samples == (12, 12)


def test_a_speed_up_is_found_and_is_not_worse():
    (found,) = changes(noisy(40e-6), noisy(30e-6, seed=2))
    assert not found.is_worse


def test_a_significant_difference_that_is_small_is_none():
    assert changes(noisy(40e-6, 0.001), noisy(41e-6, 0.001, seed=2)) == []


def test_a_difference_within_the_noise_is_none():
    assert changes(noisy(40e-6, 0.2, 60), noisy(50e-6, 0.2, 60, seed=2)) == []


def test_one_wild_value_makes_no_slow_down():
    assert changes(noisy(40e-6), [*noisy(40e-6, seed=2)[:-1], 1.0]) == []


def test_times_that_are_too_few_for_the_test_are_not_compared():
    few = {("op/a", "hardware"): noisy(40e-6, count=4)}
    many = {("op/a", "hardware"): noisy(400e-6, count=4)}
    assert timings(few, many, Limits()) == []


def test_what_only_one_run_timed_is_not_compared():
    assert timings({("op/a", "hardware"): noisy(1)}, {("op/a", "interface"): noisy(1)}, Limits()) == []


def test_ten_pairs_of_the_same_distribution_are_quiet():
    names = [(f"op/{i}", "hardware") for i in range(30)]
    runs = [
        {name: noisy(40e-6, 0.05, seed=100 * run + i) for i, name in enumerate(names)} for run in range(20)
    ]
    for base, new in zip(runs[::2], runs[1::2]):
        compared = timings(base, new, Limits())
        assert len(compared) == 30
        assert [timing for timing in compared if changed(timing, Limits())] == []


class TestBusyHost:
    """All times grew by 30 %, and one of them by 80 %."""

    @pytest.fixture
    def compared(self):
        def compare(kind):
            names = [(f"op/{i}", kind) for i in range(9)]
            base = {name: noisy(40e-6, seed=i) for i, name in enumerate(names)}
            new = {name: noisy(52e-6 if i else 72e-6, seed=50 + i) for i, name in enumerate(names)}
            return timings(base, new, Limits())

        return compare

    def test_what_the_hosts_times_have_in_common_is_told(self, compared):
        assert common_factors(compared("call")) == {"call": pytest.approx(1.3, rel=0.02)}

    def test_of_the_hosts_times_those_that_grew_more_than_the_others_are_slower(self, compared):
        slower = [timing for timing in compared("call") if changed(timing, Limits())]
        assert [timing.id for timing in slower] == ["op/0"]
        assert slower[0].own_factor == pytest.approx(1.8 / 1.3, rel=0.03)

    def test_the_hardwares_times_are_what_they_are(self, compared):
        assert common_factors(compared("hardware")) == {}
        assert all(changed(timing, Limits()) for timing in compared("hardware"))

    def test_few_times_have_nothing_in_common(self, compared):
        assert common_factors(compared("call")[:7]) == {}


@pytest.mark.parametrize(
    ("before", "after", "is_changed"),
    [
        (50e-6, 54.9e-6, False),
        (50e-6, 55.1e-6, True),
        (100e-6, 104.9e-6, False),
        (1e-3, 1.039e-3, False),
        (1e-3, 1.041e-3, True),
    ],
)
def test_the_vendors_rule_is_five_microseconds_up_to_a_hundred_and_four_per_cent_above(
    before, after, is_changed
):
    assert bool(changes([before], [after], VENDOR)) is is_changed


@pytest.mark.parametrize("kind", ["interface", "call"])
def test_the_vendors_rule_leaves_the_hosts_times_alone(kind):
    base, new = {("op/a", kind): [10e-6]}, {("op/a", kind): [90e-6]}
    assert not any(changed(timing, VENDOR) for timing in timings(base, new, VENDOR))


@pytest.mark.parametrize("wrong", [0.0, -1e-6, float("nan")])
def test_what_a_clock_cannot_have_told_is_not_compared(wrong):
    assert changes([50e-6], [wrong], VENDOR) == changes([wrong], [50e-6], VENDOR) == []


def test_times_can_be_left_alone():
    assert changes(noisy(1), noisy(2), Limits(time_rule="none")) == []


class TestSamples:
    def test_repeated_times_are_taken_where_there_are_any(self, case):
        record = case("op/a", samples={"hardware": (1.0, 2.0), "interface": (3.0,)})
        assert samples_of([[record]]) == {("op/a", "hardware"): [1.0, 2.0], ("op/a", "interface"): [3.0]}

    def test_the_call_alone_counts_once(self, case):
        assert samples_of([[case("op/a")]]) == {("op/a", "call"): [0.5]}

    def test_further_runs_add_to_them(self, case):
        runs = [[case("op/a")], [case("op/a")], [case("op/a", "failed")]]
        assert samples_of(runs) == {("op/a", "call"): [0.5, 0.5]}
