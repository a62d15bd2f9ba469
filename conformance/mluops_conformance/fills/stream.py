"""The bit stream behind every fill, described closely enough to be written again in any language.

Words. A stream is SFC64 (Chris Doty-Humphrey's Small Fast Counting generator, 64 bit). Its state is four
unsigned 64-bit numbers a, b, c, w; all arithmetic is modulo 2^64. One word comes of::

    word = a + b + w;  w = w + 1;  a = b ^ (b >> 11);  b = c + (c << 3);  c = rotate_left(c, 24) + word

The seed is an unsigned 64-bit number. a, b and c start as the first three little-endian 64-bit words of the
SHA-256 digest of its eight little-endian bytes, and w as 1. No word is thrown away at the start.

Draws. Each draw takes whole words, in order, and gives none back:

`uint64(n)`
    n words.
`uint32(n)`
    ceil(n / 2) words, each split in its low half, then its high half; an odd last half is dropped.
`uniform(n, low, high)`, float32 and float16
    `uint32(n)`. From a half word u: fl(fl((u >> 8) * step) + bottom), where fl rounds to float32, `bottom` is
    the smallest value of the dtype that is not below `low`, and step is fl(high - bottom) * 2^-24. The result
    is clamped to [bottom, top], `top` being the largest value of the dtype below `high`, and then rounded to
    the dtype. So float16 values are the float32 formula rounded to half.
`uniform(n, low, high)`, float64
    `uint64(n)`; the same with u >> 11, 2^-53 and rounding to float64.
`integers(n, low, high)`
    `uint32(n)`; low + floor(u * (high - low) / 2^32), which is biased by at most (high - low) / 2^32.
`permutation(n)`
    `uint64(n)`; the order in which a stable ascending sort would take the words.

Nothing here depends on NumPy's distributions, whose streams may change between its versions: only on its raw
SFC64 output, which may not.
"""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random.bit_generator import ISeedSequence

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

__all__ = ["Stream", "bounds", "seed_for"]


CHUNK = 1 << 16
"""Values made at a time (an even number): a chunk and its words stay in a core's own cache."""

INTEGER_SPAN = 1 << 32
"""The widest range of `Stream.integers`."""

_WORD, _HALF = np.dtype("<u8"), np.dtype("<u4")

_PRECISION: dict[type, int] = {np.float32: 24, np.float64: 53}


@lru_cache(maxsize=256)
def bounds(low: float, high: float, dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The smallest and the largest value of a floating `dtype` in [low, high); both `low` where high is low.

    Raises
    ------
    ValueError
        If there is none.
    """
    kind: Any = dtype.type
    with np.errstate(over="ignore"):
        bottom, top = kind(low), kind(high)
    if low == high:
        return bottom, bottom
    if float(bottom) < low:
        bottom = np.nextafter(bottom, kind(np.inf))
    if float(top) >= high:
        top = np.nextafter(top, kind(-np.inf))
    if not bottom <= top:
        raise ValueError(f"no {dtype} value lies in [{low}, {high})")
    return bottom, top


class _NoSeed(ISeedSequence):
    """Spares NumPy the making of a state that is replaced at once, which takes longer than a small tensor."""

    def generate_state(self, n_words: int, dtype: DTypeLike = np.uint32) -> NDArray[Any]:
        return np.zeros(n_words, dtype)


_NO_SEED: Any = _NoSeed()


class Stream:
    """Numbers out of one seed, as the module describes them.

    Parameters
    ----------
    seed : int
        From 0 to 2^64 - 1; see `mluops_conformance.fills.stream`.
    """

    def __init__(self, seed: int) -> None:
        a, b, c, _ = struct.unpack("<4Q", hashlib.sha256(seed.to_bytes(8, "little")).digest())
        generator = np.random.SFC64(_NO_SEED)
        generator.state = {
            "bit_generator": "SFC64",
            "state": {"state": np.array([a, b, c, 1], np.uint64)},
            "has_uint32": 0,
            "uinteger": 0,
        }
        self._generator = generator

    def uint64(self, n: int) -> NDArray[np.uint64]:
        """`n` words."""
        return self._generator.random_raw(n).astype(_WORD, copy=False)

    def uint32(self, n: int) -> NDArray[np.uint32]:
        """`n` halves of words."""
        return self.uint64((n + 1) // 2).view(_HALF)[:n]

    def uniform(self, n: int, low: float, high: float, dtype: DTypeLike = np.float32) -> NDArray[Any]:
        """`n` values of a floating dtype, evenly spread over [low, high); all `low` where high is low.

        Raises
        ------
        ValueError
            If no value of the dtype lies in the range, or its width overflows the arithmetic.
        """
        out = np.empty(n, dtype)
        work = np.float64 if out.dtype == np.float64 else np.float32
        bottom, top = (work(bound) for bound in bounds(low, high, out.dtype))
        step = _step(high - float(bottom), work)
        same = out.dtype == work
        for start in range(0, n, CHUNK):
            chunk = out[start : start + CHUNK]
            values = chunk if same else np.empty(len(chunk), work)
            values[...] = self._fractions(len(chunk), work)
            values *= step
            values += bottom
            np.maximum(values, bottom, out=values)
            np.minimum(values, top, out=values)
            if values is not chunk:
                chunk[...] = values
        return out

    def integers(self, n: int, low: int, high: int) -> NDArray[np.int64]:
        """`n` whole numbers from `low` to `high` - 1.

        Raises
        ------
        ValueError
            If the range is empty or holds more than 2^32 numbers.
        """
        span = high - low
        if not 0 < span <= INTEGER_SPAN:
            raise ValueError(f"[{low}, {high}) must hold 1 to 2^32 integers")
        out = np.empty(n, np.int64)
        for start in range(0, n, CHUNK):
            chunk = out[start : start + CHUNK]
            scaled = self.uint32(len(chunk)).astype(np.uint64)
            scaled *= np.uint64(span)
            scaled >>= np.uint64(32)
            np.add(scaled.view(np.int64), low, out=chunk)
        return out

    def permutation(self, n: int) -> NDArray[np.int64]:
        """The numbers 0 to `n` - 1, shuffled."""
        return np.argsort(self.uint64(n), kind="stable").astype(np.int64, copy=False)

    def _fractions(self, n: int, work: type) -> NDArray[Any]:
        """Whole numbers below 2 to the power of `work`'s precision, signed because those convert faster."""
        if work is np.float64:
            wide = self.uint64(n)
            wide >>= np.uint64(64 - _PRECISION[work])
            return wide.view(np.int64)
        words = self.uint32(n)
        words >>= np.uint32(32 - _PRECISION[work])
        return words.view(np.int32)


@lru_cache(maxsize=256)
def _step(span: float, work: type) -> Any:
    with np.errstate(over="ignore"):
        rounded = work(span)
    if not np.isfinite(rounded):
        raise ValueError(f"a range {span} wide overflows {work.__name__}")
    return rounded * work(2.0 ** -_PRECISION[work])


def seed_for(case_id: str, operand: str, user_seed: int = 0) -> int:
    """The seed of one operand of a case: the same on every machine, and unrelated between operands.

    Returns
    -------
    int
        Below 2^64: the first eight bytes, little-endian, of the SHA-256 digest of user seed, case id and
        operand, as UTF-8 text with a line feed between them.
    """
    digest = hashlib.sha256(f"{user_seed}\n{case_id}\n{operand}".encode()).digest()
    return int.from_bytes(digest[:8], "little")
