"""The data that each generic fill makes, and the options that it refuses."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from mluops_conformance.fills.generic import FILLS
from mluops_conformance.fills.registry import Fill, FillContext, FillError, Option, make
from mluops_conformance.language.model import FillSpec

GENERIC = {fill.name: fill for fill in FILLS}


def filled(name: str, dtype: str = "float32", shape: tuple[int, ...] = (40, 25), **options: Any) -> Any:
    return make(FillSpec(name, options), {}, FillContext("x", shape, np.dtype(dtype)), 2026)


@pytest.mark.parametrize(
    ("name", "dtype", "options", "stored"),
    [
        ("uniform", "float32", {}, "878480e64d15ad60"),
        ("integers", "int32", {"range": (-4, 9)}, "9daecc37afd4d99a"),
        ("arange", "int32", {}, "550625f47dc1b7d1"),
        ("distinct_uniform", "float32", {}, "ae7a19cdbf28ce85"),
        ("special", "float16", {}, "ea84c1f60f61532e"),
        ("log_uniform", "float32", {}, "dc4b606ee618cf52"),
    ],
)
def test_fills_never_change(name: str, dtype: str, options: Any, stored: str) -> None:
    assert hashlib.sha256(filled(name, dtype, **options).tobytes()).hexdigest()[:16] == stored


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        (name, dtype)
        for name in sorted(GENERIC)
        for dtype in ("float16", "float32", "float64", "int32")
        if np.dtype(dtype).kind in GENERIC[name].dtype_kinds
    ],
)
def test_data_has_the_shape_and_the_storage_dtype(name: str, dtype: str) -> None:
    needed = {"constant": {"value": 3}, "values": {"values": tuple(range(24))}}.get(name, {})
    data = filled(name, dtype, (2, 3, 4), **needed)
    assert (data.shape, data.dtype) == ((2, 3, 4), np.dtype(dtype))


@pytest.mark.parametrize("name", sorted(set(GENERIC) - {"special"}))
def test_tensors_without_elements_can_be_filled(name: str) -> None:
    needed = {"constant": {"value": 3}, "values": {"values": ()}}.get(name, {})
    assert filled(name, shape=(0,), **needed).shape == (0,)


def test_constant() -> None:
    assert np.array_equal(filled("constant", "int32", (2, 2), value=7), np.full((2, 2), 7))
    assert np.isnan(filled("constant", value=float("nan"))).all()


def test_values_may_be_nested_or_have_outer_dimensions_as_one() -> None:
    expected = np.arange(6, dtype=np.float32).reshape(1, 2, 3)
    for values in ((((0, 1, 2), (3, 4, 5)),), ((0, 1, 2), (3, 4, 5)), (0, 1, 2, 3, 4, 5)):
        assert np.array_equal(filled("values", shape=(1, 2, 3), values=values), expected)


def test_arange() -> None:
    assert filled("arange", "float32", (2, 2), start=1, step=0.5).tolist() == [[1, 1.5], [2, 2.5]]


def test_integers_leave_the_upper_end_out() -> None:
    assert set(filled("integers", "int32", range=(-2, 1)).ravel()) == {-2, -1, 0}


@pytest.mark.parametrize(("dtype", "count"), [("float16", 1024), ("float32", 100_000), ("float64", 100_000)])
def test_distinct_values_stay_apart_after_rounding(dtype: str, count: int) -> None:
    data = filled("distinct_uniform", dtype, (count,))
    gaps = np.diff(np.sort(data.astype(np.float64)))
    assert gaps.min() >= 0.25 / count
    assert 0 <= data.min() <= data.max() < 1


def test_distinct_values_come_in_random_order() -> None:
    data = filled("distinct_uniform", shape=(1000,))
    assert abs(np.corrcoef(data, np.arange(1000))[0, 1]) < 0.2


def test_special_values_are_sprinkled_over_uniform_data() -> None:
    names = ("nan", "inf", "-inf", "zero", "-zero", "denormal", "-denormal", "max", "-max")
    data = filled("special", shape=(900,), range=(1, 2), values=names, fraction=0.1)
    info = np.finfo(np.float32)
    ordinary = (data >= 1) & (data < 2)
    assert ordinary.sum() == 810
    assert np.isnan(data).sum() == (data == np.inf).sum() == (data == -np.inf).sum() == 10
    assert (data == info.max).sum() == (data == info.min).sum() == 10
    assert ((data == 0) & np.signbit(data)).sum() == ((data == 0) & ~np.signbit(data)).sum() == 10
    assert ((data > 0) & (data < info.tiny)).sum() == ((data < 0) & (data > -info.tiny)).sum() == 10


def test_each_special_value_comes_at_least_once() -> None:
    assert np.isnan(filled("special", shape=(3,), values=("nan", "inf"), fraction=0)).sum() == 1


def test_magnitudes_are_spread_over_exponents() -> None:
    data = filled("log_uniform", shape=(20_000,), exponents=(-10, 10))
    exponents = np.frexp(np.abs(data))[1] - 1
    assert set(exponents) == set(range(-10, 10))
    assert 0.45 < (data > 0).mean() < 0.55
    assert (filled("log_uniform", signs="positive") > 0).all()


@pytest.mark.parametrize(
    ("dtype", "exponents"), [("float16", (-24, 16)), ("float32", (-149, 128)), ("float64", (-1074, 1024))]
)
def test_the_widest_exponents_neither_overflow_nor_vanish(dtype: str, exponents: tuple[int, int]) -> None:
    data = filled("log_uniform", dtype, (5000,), exponents=exponents)
    assert np.isfinite(data).all()
    assert (data != 0).all()


@pytest.mark.parametrize(
    ("name", "dtype", "options", "complaint"),
    [
        ("constant", "int32", {"value": 0.5}, "needs 0.5, which int32 cannot hold"),
        ("constant", "uint8", {"value": 256}, "needs 256, which uint8 cannot hold"),
        ("constant", "int32", {"value": float("inf")}, "needs inf, which int32 cannot hold"),
        ("constant", "float16", {"value": 1e5}, "needs 100000.0, which float16 cannot hold"),
        ("uniform", "int32", {}, "makes no int32 data"),
        ("uniform", "float32", {"range": (-3e38, 3e38)}, "needs 6e+38, which float32 cannot hold"),
        ("uniform", "float16", {"range": (1.0001, 1.0002)}, "no float16 value lies in [1.0001, 1.0002)"),
        ("integers", "int32", {"range": (0, 0.5)}, "needs whole numbers as its range, got [0, 0.5]"),
        ("integers", "int32", {"range": (3, 3)}, "needs a range of 1 to 2^32 integers"),
        ("integers", "int8", {"range": (0, 129)}, "needs 128, which int8 cannot hold"),
        ("values", "float32", {"values": ((1, 2), (3, 4))}, "gives 2 x 2 values where x is 40 x 25"),
        ("arange", "int8", {}, "needs 999, which int8 cannot hold"),
        ("arange", "int32", {"step": 0.5}, "needs 0.5, which int32 cannot hold"),
        ("distinct_uniform", "float16", {"range": (1, 1.5)}, "has room for 256 different float16 values"),
        ("distinct_uniform", "float32", {"range": (1, 1)}, "has room for 0 different float32 values"),
        ("special", "float32", {"fraction": 2}, "needs a fraction from 0 to 1, got 2"),
        ("special", "float32", {"values": ()}, "cannot place 0 special values in 1000 elements"),
        ("log_uniform", "float16", {"exponents": (0, 17)}, "-24 <= low < high <= 16, for float16"),
    ],
)
def test_options_that_cannot_be_met(name: str, dtype: str, options: Any, complaint: str) -> None:
    with pytest.raises(FillError) as raised:
        filled(name, dtype, **options)
    assert str(raised.value).startswith(f"x: fill '{name}' ")
    assert complaint in str(raised.value)


def test_the_smallest_and_largest_integers_fit() -> None:
    assert filled("constant", "int64", value=2**63 - 1).max() == 2**63 - 1
    assert filled("arange", "int8", (256,), start=-128).tolist() == list(range(-128, 128))


def test_an_unknown_fill_says_which_exist() -> None:
    with pytest.raises(FillError, match="x: fill 'unifrom' does not exist; there are arange, constant, "):
        filled("unifrom")


def test_a_fill_of_the_operator_comes_before_a_generic_one() -> None:
    own = Fill("zeros", (), lambda stream, context: np.ones(context.shape, context.dtype), "ones, in truth")
    data = make(FillSpec("zeros"), {"zeros": own}, FillContext("x", (2,), np.dtype("float32")), 0)
    assert data.tolist() == [1, 1]


def test_options_not_given_take_their_defaults() -> None:
    option = Option("value", "number", 4, "the value")
    own = Fill(
        "own",
        (option,),
        lambda _, context: np.full(context.shape, context.options["value"], context.dtype),
        "",
    )
    context = FillContext("x", (1,), np.dtype("float32"))
    assert make(FillSpec("own"), {"own": own}, context, 0).tolist() == [4]
    assert make(FillSpec("own", {"value": 5}), {"own": own}, context, 0).tolist() == [5]


def test_a_fill_that_makes_something_else_is_caught() -> None:
    own = Fill("own", (), lambda stream, context: np.zeros(3), "")
    with pytest.raises(FillError, match=r"made float64\[3\] where float32\[2\] is wanted"):
        make(FillSpec("own"), {"own": own}, FillContext("x", (2,), np.dtype("float32")), 0)


def test_data_depends_on_the_seed_alone() -> None:
    context = FillContext("x", (100,), np.dtype("float32"))
    first, again, other = (make(FillSpec("uniform"), {}, context, seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_half_takes_a_range_that_is_wider_than_its_largest_number() -> None:
    made = filled("uniform", "float16", range=(-60000, 60000))
    assert np.isfinite(made).all()
    assert made.min() < -55000
    assert made.max() > 55000
