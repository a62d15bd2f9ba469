from __future__ import annotations

import itertools

import pytest
from mluops_conformance.performance.times import LEAST, MOST_WARM_UPS, WINDOW, Times, is_steady, measure


class Kernel:
    """Calls that take given times of the device, the last one for ever; a clock that only they move."""

    def __init__(self, *hardware):
        self._hardware = itertools.chain(hardware, itertools.repeat(hardware[-1]))
        self.now = 0.0

    def __call__(self):
        time = next(self._hardware)
        self.now += abs(time) + 0.5
        return Times(time, 0.5)

    def clock(self):
        return self.now


def measured(kernel, repeats=20, seconds=1e9):
    return measure(kernel, repeats, seconds, kernel.clock)


def test_equal_times_are_steady_after_two_windows():
    found = measured(Kernel(1.0))
    assert (found.warm_up, found.steady) == (2 * WINDOW, True)


def test_the_first_slow_calls_are_not_kept():
    found = measured(Kernel(9.0, 8.0, 7.0, 6.0, 5.0, 1.0))
    assert set(found.hardware) == {1.0}


def test_calls_that_become_faster_are_warmed_up_until_they_no_longer_do():
    falling = [1000 * 0.9**i for i in range(50)]
    found = measured(Kernel(*falling))
    assert (set(found.hardware), found.steady) == ({falling[-1]}, True)


def test_as_many_calls_are_kept_as_asked_for_and_the_two_times_are_apart():
    found = measured(Kernel(1.0), repeats=30)
    assert (found.hardware, found.interface) == ((1.0,) * 30, (0.5,) * 30)


def test_a_warm_up_that_never_ends_is_ended_and_said_so():
    found = measured(Kernel(*(float(i + 1) ** 3 for i in range(2 * MOST_WARM_UPS))), seconds=1e15)
    assert (found.warm_up, found.steady) == (MOST_WARM_UPS, False)


def test_half_of_the_seconds_end_a_warm_up_and_all_of_them_the_calls():
    found = measured(Kernel(1.5), repeats=100, seconds=20)  # 2 s a call
    assert (found.warm_up, len(found.hardware)) == (5, LEAST)


def test_seconds_that_are_over_leave_as_many_calls_as_an_interval_takes():
    assert len(measured(Kernel(1.0), seconds=0.1).hardware) == LEAST


def test_slow_calls_among_the_kept_ones_stay():
    found = measured(Kernel(*[1.0] * 20, 50.0, 1.0))
    assert found.hardware.count(50.0) == 1


def test_what_a_call_raises_ends_the_measurement():
    kernel = Kernel(1.0)

    def failing():
        if kernel.now > 30:
            raise RuntimeError("trap")
        return kernel()

    with pytest.raises(RuntimeError, match="trap"):
        measure(failing, 100, 1e9, kernel.clock)


@pytest.mark.parametrize("times", [[0.0] * 2 * WINDOW, [1.0] * WINDOW + [1.019] * WINDOW])
def test_windows_within_two_per_cent_are_steady(times):
    assert is_steady(times)


@pytest.mark.parametrize(
    "times", [[1.0] * WINDOW + [1.03] * WINDOW, [1.0] * (2 * WINDOW - 1), [-1.0] * 2 * WINDOW]
)
def test_others_are_not(times):
    assert not is_steady(times)
