"""Contiguous parts of an array: what an index or a new shape stands for."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

from mluops.errors import ArgumentTypeError, ArgumentValueError


class Block(NamedTuple):
    """A contiguous run of elements: the first one's place, and the shape."""

    start: int
    shape: tuple[int, ...]


class OutOfRange(ArgumentValueError, IndexError):
    """An index beyond the array."""


def block_of(shape: Sequence[int], index: Any) -> Block:
    """Return the elements that an index selects, as far as they are one contiguous block.

    Parameters
    ----------
    shape : sequence of int
    index : int, slice, or tuple of ints with a slice of step 1 at its end

    Raises
    ------
    ArgumentTypeError
        For any other index.
    ArgumentValueError
        For an index beyond the array, and a selection that is not contiguous.
    """
    entries = index if isinstance(index, tuple) else (index,)
    if len(entries) > len(shape):
        raise OutOfRange(f"{len(entries)} indices for {len(shape)} dimensions")
    start, rest = 0, list(shape)
    for place, entry in enumerate(entries):
        row = math.prod(rest[1:])
        if isinstance(entry, slice):
            _require_whole(entries[place + 1 :])
            first, count = _extent(entry, rest[0])
            return Block(start + first * row, (count, *rest[1:]))
        start += _position(entry, rest.pop(0)) * row
    return Block(start, tuple(rest))


def reshaped(old: Sequence[int], shape: Sequence[Any]) -> tuple[int, ...]:
    """Return the new shape of as many elements; one dimension may be -1.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
    """
    given = shape[0] if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
    wanted = tuple(given) if hasattr(given, "__iter__") else (given,)
    if not all(hasattr(extent, "__index__") for extent in wanted):
        raise ArgumentTypeError(f"a shape is made of integers, not {wanted}")
    known = math.prod(extent for extent in wanted if extent != -1)
    if wanted.count(-1) == 1 and known > 0:
        wanted = tuple(math.prod(old) // known if extent == -1 else int(extent) for extent in wanted)
    if min(wanted, default=0) < 0 or math.prod(wanted) != math.prod(old):
        raise ArgumentValueError(f"{list(old)} cannot be reshaped to {list(shape)}")
    return tuple(map(int, wanted))


def _position(entry: Any, extent: int) -> int:
    if isinstance(entry, bool) or not hasattr(entry, "__index__"):
        kind = type(entry).__name__
        raise ArgumentTypeError(f"a DeviceArray is indexed by integers and a slice, not by a {kind}")
    try:
        position = entry.__index__()
    except TypeError:  # an ndarray has the method, and refuses unless it is one integer
        raise ArgumentTypeError("a DeviceArray is indexed by integers and a slice, not by an array") from None
    if not -extent <= position < extent:
        raise OutOfRange(f"index {position} is beyond the {extent} entries of its dimension")
    return int(position % extent)


def _extent(entry: slice, extent: int) -> tuple[int, int]:
    try:
        first, end, step = entry.indices(extent)
    except TypeError as error:
        raise ArgumentTypeError(f"{entry}: {error}") from None
    if step != 1:
        raise ArgumentValueError(f"a slice of step {step} is not contiguous; copy with NumPy instead")
    return first, max(end - first, 0)


def _require_whole(entries: Sequence[Any]) -> None:
    if any(entry != slice(None) for entry in entries):
        raise ArgumentValueError("indices after a slice are not contiguous; take one slice at the end")
