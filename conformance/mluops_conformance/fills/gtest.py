"""The fills of cases that mlu-ops' gtest makes at random: the same data, by its `random_data`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from mluops_conformance.fills.fill import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FILLS", "normal", "uniform"]


PRECISIONS: dict[str, type] = {"float": np.float32, "double": np.float64}

MODULUS = 2**31 - 1
MULTIPLIER = 16807
RANGE = MODULUS - 1
"""Different draws, R above."""

CHUNK = 1 << 14
"""Draws made at a time: they and what is made of them stay in a core's own cache."""


def _uniform(stream: Stream, context: FillContext) -> NDArray[Any]:
    options = context.options
    precision = PRECISIONS[options["precision"]]
    low, high = options["range"]
    return _stored(uniform(options["seed"], low, high, context.size, precision), context)


def _gaussian(stream: Stream, context: FillContext) -> NDArray[Any]:
    options = context.options
    precision = PRECISIONS[options["precision"]]
    return _stored(normal(options["seed"], options["mu"], options["sigma"], context.size, precision), context)


def _stored(values: NDArray[Any], context: FillContext) -> NDArray[Any]:
    """In the tensor's dtype; integers are rounded down."""
    if context.dtype.kind != "f":
        values = np.floor(values)
    return values.astype(context.dtype).reshape(context.shape)


def _uniform_check(context: FillContext) -> str | None:
    info: Any = np.finfo(context.dtype) if context.dtype.kind == "f" else np.iinfo(context.dtype)
    low, high = sorted(context.options["range"])
    if float(info.min) <= low and high <= float(info.max):
        return None
    return f"needs [{low}, {high}], which {context.dtype} cannot hold"


_SEED = Option("seed", "integer", 23, "of std::default_random_engine; the run's seed changes nothing")
_PRECISION = Option(
    "precision", "choice", "float", "the type that the values are drawn in", tuple(PRECISIONS)
)

FILLS: tuple[Fill, ...] = (
    Fill(
        "gtest_uniform",
        (
            Option("range", "bounds", None, "lower and upper bound; the library's dumps may swap them"),
            _SEED,
            _PRECISION,
        ),
        _uniform,
        "a uniform distribution, as mlu-ops' gtest draws it",
        "fiu",
        _uniform_check,
    ),
    Fill(
        "gtest_gaussian",
        (
            Option("mu", "number", 0, "the mean"),
            Option("sigma", "number", 1, "the standard deviation"),
            _SEED,
            _PRECISION,
        ),
        _gaussian,
        "a Gaussian distribution, as mlu-ops' gtest draws it, except for last bits",
    ),
)


def uniform(seed: int, low: float, high: float, n: int, precision: type) -> NDArray[Any]:
    """`n` values of std::uniform_real_distribution<precision>(low, high).

    Parameters
    ----------
    seed : int
        Of std::default_random_engine; a negative one counts from 2^64 down, as in C++.
    precision : type
        numpy.float32 or numpy.float64: the distribution's type, and the dtype of what is returned.
    """
    low, span = precision(low), precision(high) - precision(low)
    values: NDArray[Any] = np.empty(n, precision)
    start = 0
    for chunk in _canonical(seed, n, precision):
        part = values[start : start + chunk.size]
        np.multiply(chunk, span, out=part)
        part += low
        start += chunk.size
    return values


def normal(seed: int, mu: float, sigma: float, n: int, precision: type) -> NDArray[Any]:
    """`n` values of std::normal_distribution<precision>(mu, sigma); parameters as those of `uniform`."""
    pairs = (n + 1) // 2
    attempts = pairs + pairs // 2 + 64  # 4 in pi are accepted
    accepted = _polar(seed, attempts, precision)
    while len(accepted) < pairs:
        attempts *= 2
        accepted = _polar(seed, attempts, precision)
    values: NDArray[Any] = accepted[:pairs].reshape(-1)[:n] * precision(sigma) + precision(mu)
    return values


def _polar(seed: int, attempts: int, precision: type) -> NDArray[Any]:
    """Return the values of the attempts that succeed, of shape (successes, 2)."""
    canonical = np.concatenate([*_canonical(seed, 2 * attempts, precision)])
    points = ((canonical * precision(2)).astype(np.float64) - 1).astype(precision).reshape(-1, 2)
    squares = points * points
    radii = squares[:, 0] + squares[:, 1]
    inside = (radii <= 1) & (radii != 0)
    points, radii = points[inside], radii[inside]
    factors = np.sqrt(precision(-2) * _logarithms(radii) / radii)
    values: NDArray[Any] = points[:, ::-1] * factors[:, None]
    return values


def _logarithms(values: NDArray[Any]) -> NDArray[Any]:
    """By the C library: NumPy's own logarithm differs between its versions."""
    return np.fromiter(map(math.log, values.tolist()), np.float64, values.size).astype(values.dtype)


def _canonical(seed: int, n: int, precision: type) -> Iterator[NDArray[Any]]:
    """`n` canonical numbers, in chunks."""
    single = precision is np.float32
    divisor = precision(RANGE if single else RANGE**2)
    below_one = np.nextafter(precision(1), precision(0))
    for draws in _draws(seed, n if single else 2 * n):
        numbers: NDArray[Any] = draws.astype(precision)
        if not single:
            numbers = numbers[0::2] + numbers[1::2] * precision(RANGE)
        numbers /= divisor
        yield np.minimum(numbers, below_one, out=numbers)


def _draws(seed: int, n: int) -> Iterator[NDArray[np.int64]]:
    """`n` draws of minstd_rand0, each less 1, in chunks: a chunk is the powers of 16807 times the state."""
    powers = np.empty(min(n, CHUNK), np.uint64)
    state = 1
    for index in range(powers.size):
        state = state * MULTIPLIER % MODULUS
        powers[index] = state
    state = seed % 2**64 % MODULUS or 1
    for start in range(0, n, CHUNK):
        draws = _product(powers[: n - start], state)
        state = int(draws[-1]) + 1
        yield draws


def _product(powers: NDArray[np.uint64], state: int) -> NDArray[np.int64]:
    """The draws less 1: powers * state modulo 2^31 - 1, less 1."""
    product: NDArray[Any] = powers * np.uint64(state)
    low = product & np.uint64(MODULUS)
    product >>= np.uint64(31)
    product += low
    product -= np.uint64(1)
    np.subtract(product, np.uint64(MODULUS), out=low)  # beyond 2^63 where it is negative
    np.minimum(product, low, out=product)
    return product.view(np.int64)
