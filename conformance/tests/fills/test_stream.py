"""The bit stream is the one that its module describes, on every machine and with every NumPy."""

from __future__ import annotations

import hashlib
import struct
from typing import Any, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mluops_conformance.fills.stream import CHUNK, Stream, bounds

MASK = 2**64 - 1


def words(seed: int) -> Iterator[int]:
    """SFC64, written from the description."""
    a, b, c, _ = struct.unpack("<4Q", hashlib.sha256(struct.pack("<Q", seed)).digest())
    w = 1
    while True:
        word = (a + b + w) & MASK
        w += 1
        a = b ^ (b >> 11)
        b = (c + (c << 3)) & MASK
        c = (((c << 24) | (c >> 40)) + word) & MASK
        yield word


def first_words(seed: int, n: int) -> list[int]:
    return [word for word, _ in zip(words(seed), range(n))]


def halves(seed: int, n: int) -> list[int]:
    return [half for word in first_words(seed, (n + 1) // 2) for half in (word & 0xFFFFFFFF, word >> 32)][:n]


def digest(array: np.ndarray[Any, Any]) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()[:16]


@pytest.mark.parametrize("seed", [0, 2026, 2**64 - 1])
def test_words_are_those_of_sfc64(seed: int) -> None:
    assert Stream(seed).uint64(1000).tolist() == first_words(seed, 1000)


def test_a_word_is_two_halves_the_low_one_first() -> None:
    assert Stream(3).uint32(101).tolist() == halves(3, 101)


def test_draws_follow_each_other_word_by_word() -> None:
    stream = Stream(5)
    drawn = [stream.uint32(3).tolist(), stream.uint64(2).tolist(), stream.uint32(2).tolist()]
    w = first_words(5, 5)
    low, high = 0xFFFFFFFF, 32
    assert drawn == [[w[0] & low, w[0] >> high, w[1] & low], [w[2], w[3]], [w[4] & low, w[4] >> high]]


def test_uniform_float32_is_the_formula() -> None:
    n = CHUNK + 1001
    u = np.array(halves(7, n), np.uint32) >> np.uint32(8)
    step = np.float32(8.0) * np.float32(2.0**-24)
    expected = u.astype(np.float32) * step + np.float32(-3.0)
    assert np.array_equal(Stream(7).uniform(n, -3, 5), expected)


def test_uniform_float64_is_the_formula() -> None:
    u = np.array([word >> 11 for word in first_words(7, 1000)], np.float64)
    assert np.array_equal(Stream(7).uniform(1000, 0, 1, np.float64), u * 2.0**-53)


def test_uniform_float16_is_float32_rounded() -> None:
    single = Stream(7).uniform(10_001, 0, 1)
    rounded = np.minimum(single, np.float32(1 - 2.0**-11)).astype(np.float16)
    assert np.array_equal(Stream(7).uniform(10_001, 0, 1, np.float16), rounded)


def test_integers_are_scaled_halves() -> None:
    expected = [-5 + (u * 1005 >> 32) for u in halves(9, 1001)]
    assert Stream(9).integers(1001, -5, 1000).tolist() == expected


def test_a_permutation_sorts_words() -> None:
    drawn = first_words(9, 200)
    assert Stream(9).permutation(200).tolist() == sorted(range(200), key=drawn.__getitem__)


@pytest.mark.parametrize(
    ("dtype", "stored"),
    [("float16", "5502cb3ae8a8a585"), ("float32", "dda8c9af7e8cb6e5"), ("float64", "e34700a3e05555ea")],
)
def test_uniform_values_never_change(dtype: str, stored: str) -> None:
    assert digest(Stream(2026).uniform(200_001, -3, 5, dtype)) == stored


def test_integers_and_permutations_never_change() -> None:
    assert digest(Stream(2026).integers(100_001, -5, 1000)) == "5f0976c47c31b150"
    assert digest(Stream(2026).permutation(10_001)) == "8dab36d11f895530"


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@given(low=st.floats(-1000, 1000), width=st.floats(1, 1000))
def test_uniform_values_lie_in_their_range(dtype: str, low: float, width: float) -> None:
    high = low + width
    values = Stream(1).uniform(2000, low, high, dtype).astype(np.float64)
    assert low <= values.min()
    assert values.max() < high


def test_the_upper_end_is_never_reached_by_rounding() -> None:
    values = Stream(1).uniform(1 << 20, 1, 1 + 2.0**-20)
    assert values.max() < np.float32(1 + 2.0**-20)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_an_empty_range_is_its_lower_end(dtype: str) -> None:
    assert np.array_equal(Stream(1).uniform(5, 0.1, 0.1, dtype), np.full(5, 0.1, dtype))


def test_uniform_values_are_spread_evenly() -> None:
    counts, _ = np.histogram(Stream(1).uniform(1 << 20, 0, 1), bins=64, range=(0, 1))
    expected = (1 << 20) / 64
    assert (
        (counts - expected) ** 2 / expected
    ).sum() < 120  # chi-square with 63 degrees of freedom: p < 1e-5


def test_nothing_is_drawn_for_nothing() -> None:
    stream = Stream(1)
    assert stream.uniform(0, 0, 1).shape == (0,)
    assert stream.uint64(1).tolist() == first_words(1, 1)


@pytest.mark.parametrize(("low", "high", "dtype"), [(1.0001, 1.0002, "float16"), (1e6, 2e6, "float16")])
def test_a_range_without_values_of_the_dtype_is_an_error(low: float, high: float, dtype: str) -> None:
    with pytest.raises(ValueError, match=f"no {dtype} value lies in"):
        Stream(1).uniform(1, low, high, dtype)


def test_a_range_wider_than_the_dtype_is_an_error() -> None:
    with pytest.raises(ValueError, match="overflows float32"):
        Stream(1).uniform(1, -3e38, 3e38)


@pytest.mark.parametrize(("low", "high"), [(5, 5), (5, 4), (0, 2**32 + 1)])
def test_a_range_of_no_or_too_many_integers_is_an_error(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="must hold 1 to"):
        Stream(1).integers(1, low, high)


def test_bounds_are_values_of_the_dtype_inside_the_range() -> None:
    assert bounds(0.1, 0.3, np.dtype("float16")) == (
        np.float16(0.1) + np.float16(2.0**-14),
        np.float16(0.2998),
    )
    assert bounds(0.0, 1.0, np.dtype("float32")) == (0.0, np.float32(1 - 2.0**-24))
