"""Arithmetic in the storage type of a tensor, carried out in float32 and rounded after every operation.

A half operation is one float32 operation rounded to half: float32 has at least twice the digits of half plus
two, so rounding twice gives the correctly rounded half result for +, -, * and / (S. Figueroa, "When is double
rounding innocuous?", SIGNUM Newsletter 30(3), 1995).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from mluops_emulator.operators.arrays import Array, Floats, Ints

_EXPONENT = np.uint32(0x7F800000)
_SIGN = np.uint32(0x80000000)
_MAGIC = np.uint32((13 << 23) | 0x400000)  # makes 1.5 * 2^(e + 13) of 2^e
_LEAST_MAGIC = np.float32(0.75)  # of 2^-14: the spacing of half numbers is constant below
_TO_LIMIT = np.float32(2.0**112)  # brings 65536, beyond half, to 2^128, beyond float32
_FROM_LIMIT = np.float32(2.0**-112)
_FEW = 1024
_LONG_ROW = 128  # numbers of an addend from which on a sum is faster addend by addend

_INT32_END = np.float32(2.0**31)


class Arithmetic:
    """Arithmetic of a storage type: here of float32, where every operation is already rounded.

    Kernels keep numbers in float32 arrays whatever the storage type, and call `rounded` on the result of each
    operation.
    """

    dtype: DTypeLike = np.float32

    def load(self, array: Array) -> Floats:
        """The stored numbers as float32: the array itself where it is that already."""
        return np.ascontiguousarray(array, dtype=np.float32)

    def scalar(self, number: float) -> Floats:
        """A host scalar, rounded to the storage type; 0-d."""
        return np.array(number, dtype=self.dtype).astype(np.float32)

    def number(self, integers: Ints) -> Floats:
        """Integers converted to the storage type."""
        return self.rounded(integers.astype(np.float32))

    def rounded(self, array: Floats) -> Floats:
        """`array`, each number rounded in place to the storage type."""
        return array

    def running_sum(self, addends: Floats) -> Floats:
        """Sum over the first axis, one addition after the other; [n, ...] to [...]."""
        if addends[0].size > _LONG_ROW:
            total: Floats = addends[0].copy()
            for addend in addends[1:]:
                total += addend
                self.rounded(total)
            return total
        return self.load(np.add.accumulate(addends.astype(self.dtype), axis=0)[-1])


class HalfArithmetic(Arithmetic):
    """Arithmetic of half."""

    dtype = np.float16

    def rounded(self, array: Floats) -> Floats:
        return round_to_half(array)


_BY_DTYPE: dict[np.dtype, Arithmetic] = {
    np.dtype(arithmetic.dtype): arithmetic for arithmetic in (Arithmetic(), HalfArithmetic())
}


def arithmetic_of(dtype: DTypeLike) -> Arithmetic:
    """The arithmetic of a storage type, float32 or float16."""
    return _BY_DTYPE[np.dtype(dtype)]


def round_to_half(array: Floats) -> Floats:
    """Round float32 numbers in place to the nearest half, ties to even; they stay float32.

    Adding and subtracting 1.5 * 2^(e + 13) leaves those bits of a number of exponent e that half has too.
    NumPy's conversion to half and back takes several times as long for many numbers, and less for few.

    Parameters
    ----------
    array : float32
        NaN, infinite, or less than 2^115 in magnitude: no single operation on half numbers gives more.
    """
    if array.size <= _FEW:
        array[...] = array.astype(np.float16)
        return array
    bits = array.view(np.uint32)
    sign = bits & _SIGN
    exponent = bits & _EXPONENT
    exponent += _MAGIC  # of an infinity or NaN this wraps to a tiny number, which changes neither
    magic = exponent.view(np.float32)
    np.maximum(magic, _LEAST_MAGIC, out=magic)
    array += magic
    array -= magic
    array *= _TO_LIMIT
    array *= _FROM_LIMIT
    bits |= sign  # of zeros
    return array


def to_int(array: Floats) -> Ints:
    """Convert to int as the device does: truncated, NaN to 0, saturated at +-2^31."""
    numbers = np.where(np.isnan(array), np.float32(0), array)
    return np.clip(numbers, -_INT32_END, _INT32_END).astype(np.int64)
