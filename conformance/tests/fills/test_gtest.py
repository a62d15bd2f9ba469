"""The random data of mlu-ops' gtest. Known answers: what libstdc++ of GCC 12.2 gives on x86-64, as bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mluops_conformance.fills.gtest import normal, uniform
from mluops_conformance.fills.registry import FillContext, FillError, make
from mluops_conformance.language.model import FillSpec

SINGLE, DOUBLE = np.float32, np.float64


def bits(values: Any) -> list[str]:
    return [f"{word:0{2 * values.itemsize}x}" for word in values.view(f"u{values.itemsize}")]


@pytest.mark.parametrize(
    ("seed", "low", "high", "precision", "first"),
    [
        (23, 0, 1, SINGLE, ["393cc000", "3ccfd2ea", "3ec2021e", "3f0c8830"]),
        (0, 0, 1, SINGLE, ["37034c00", "3e06b1d8"]),
        (-5, 0, 1, SINGLE, ["3f7fff7d", "3f5e538a"]),
        (23, 2, 100, DOUBLE, ["4011f1d7b5b7eb80", "404be6111dcebaad"]),
    ],
)
def test_uniform_values_are_those_of_libstdcxx(seed, low, high, precision, first):
    assert bits(uniform(seed, low, high, len(first), precision)) == first


def test_values_far_into_the_sequence_are_those_of_libstdcxx():
    assert bits(uniform(23, -10, 10, 20000, SINGLE)[-2:]) == ["40b64660", "c0b9cba8"]
    assert bits(uniform(25, -1, 1, 20000, DOUBLE)[-1:]) == ["bfe567f03ff7ac61"]


def test_the_ten_thousandth_draw_is_the_one_of_the_c_plus_plus_standard():
    """[rand.predef]: the 10000th consecutive invocation of minstd_rand0 produces 1043618065."""
    assert uniform(1, 0, 1, 10000, SINGLE)[-1] == np.float32(1043618065 - 1) / np.float32(2**31 - 2)


def test_gaussian_doubles_are_those_of_libstdcxx():
    assert bits(normal(23, 1, 2, 3, DOUBLE)) == ["3ff16b8f4744b8b6", "3fc1d874fffb6b3c", "3ff3421350d4cc1d"]


def test_gaussian_floats_are_those_of_libstdcxx_but_for_their_last_bits():
    wanted = np.array([0x402F2E6A, 0xC052FD42, 0x3FB2F7B8], np.uint32).view(np.float32)
    np.testing.assert_allclose(normal(23, 1, 2, 3, SINGLE), wanted, rtol=1e-6)


def test_many_gaussian_values_have_the_mean_and_the_deviation():
    values = normal(23, 3, 0.5, 100_001, SINGLE)
    assert values.size == 100_001
    assert float(values.mean()) == pytest.approx(3, abs=0.01)
    assert float(values.std()) == pytest.approx(0.5, rel=0.01)


def filled(name: str, dtype: str, **options: Any) -> Any:
    return make(FillSpec(name, options), {}, FillContext("x", (2, 3), np.dtype(dtype)), 1)


def test_half_values_are_rounded_floats():
    single = filled("gtest_uniform", "float32", range=(-2, 2), seed=7)
    np.testing.assert_array_equal(
        filled("gtest_uniform", "float16", range=(-2, 2), seed=7), single.astype("f2")
    )


def test_integers_are_rounded_down():
    single = filled("gtest_uniform", "float32", range=(-9, 9), seed=7)
    np.testing.assert_array_equal(filled("gtest_uniform", "int32", range=(-9, 9), seed=7), np.floor(single))


def test_equal_bounds_give_a_constant():
    assert filled("gtest_uniform", "float32", range=(0.3, 0.3)).tolist() == [[np.float32(0.3)] * 3] * 2


def test_the_seed_is_gtests_default():
    np.testing.assert_array_equal(
        filled("gtest_gaussian", "float32"), filled("gtest_gaussian", "float32", seed=23)
    )


def test_doubles_are_drawn_in_pairs_and_then_rounded():
    doubles = uniform(23, 0, 1, 6, DOUBLE).reshape(2, 3)
    np.testing.assert_array_equal(
        filled("gtest_uniform", "float32", range=(0, 1), precision="double"), doubles.astype("f4")
    )


def test_bounds_beyond_the_dtype_are_refused():
    with pytest.raises(FillError, match="needs \\[0, 100000\\], which float16 cannot hold"):
        filled("gtest_uniform", "float16", range=(0, 100000))
