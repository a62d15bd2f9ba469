"""The random numbers of GNU's C++ library, which mlu-ops' gtest fills its tensors with.

`std::default_random_engine` is minstd_rand0: x becomes 16807 x modulo 2^31 - 1, starting at the seed (modulo
2^31 - 1, or 1 where that is 0), and each x is a draw. Of the draws come

canonical numbers in [0, 1)
    With R = 2^31 - 2, float takes one draw, (x - 1) / R, and double takes two, ((x1 - 1) + (x2 - 1) R) / R^2.
    All arithmetic is in the type itself, and a 1 that rounding makes is lowered to the number before it.
`std::uniform_real_distribution(a, b)`
    canonical * (b - a) + a. Rounding may make it b.
`std::normal_distribution(mu, sigma)`
    Marsaglia's polar method, of pairs of canonical numbers; each accepted pair gives two values, the second
    first, and each value v becomes v * sigma + mu.

Uniform values come out bit for bit. Normal ones take a logarithm, which C libraries round differently: a few
in a thousand differ from the machine's own in the last bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["normal", "uniform"]

MODULUS = 2**31 - 1
MULTIPLIER = 16807
RANGE = MODULUS - 1
"""Different draws, R above."""

CHUNK = 1 << 14
"""Draws made at a time: they and what is made of them stay in a core's own cache."""


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
    """What the attempts that succeed give, of shape (successes, 2)."""
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
