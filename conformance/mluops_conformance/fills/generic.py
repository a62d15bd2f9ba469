"""The fills that any tensor can have."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, prod
from typing import TYPE_CHECKING, Any, Callable, Iterator

import numpy as np

from mluops_conformance.fills.fill import Fill, FillContext, Option
from mluops_conformance.fills.stream import INTEGER_SPAN, Stream, bounds
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FILLS"]

ANY = "fiu"

SPECIALS: dict[str, Callable[[Any], float]] = {
    "nan": lambda info: float("nan"),
    "inf": lambda info: float("inf"),
    "-inf": lambda info: float("-inf"),
    "zero": lambda info: 0.0,
    "-zero": lambda info: -0.0,
    "denormal": lambda info: float(info.tiny) / 4,
    "-denormal": lambda info: -float(info.tiny) / 4,
    "max": lambda info: float(info.max),
    "-max": lambda info: float(info.min),
}
"""Special values by name, from numpy.finfo of the dtype."""


def _zeros(stream: Stream, context: FillContext) -> NDArray[Any]:
    return np.zeros(context.shape, context.dtype)


def _constant(stream: Stream, context: FillContext) -> NDArray[Any]:
    return np.full(context.shape, context.options["value"], context.dtype)


def _constant_check(context: FillContext) -> str | None:
    return _misfit(context.options["value"], context.dtype)


def _uniform(stream: Stream, context: FillContext) -> NDArray[Any]:
    low, high = context.options["range"]
    return stream.uniform(context.size, low, high, context.dtype).reshape(context.shape)


def _uniform_check(context: FillContext) -> str | None:
    return _range_misfit(*context.options["range"], context.dtype)


@lru_cache(maxsize=256)
def _range_misfit(low: float, high: float, dtype: np.dtype[Any]) -> str | None:
    try:
        bounds(low, high, dtype)
    except ValueError as error:
        return f"cannot be made: {error}"
    drawn_in = np.promote_types(dtype, np.float32)  # as `Stream.uniform` does
    return _misfit(low, dtype) or _misfit(high - low, drawn_in)


def _integers(stream: Stream, context: FillContext) -> NDArray[Any]:
    low, high = context.options["range"]
    return stream.integers(context.size, low, high).astype(context.dtype).reshape(context.shape)


def _integers_check(context: FillContext) -> str | None:
    low, high = context.options["range"]
    if low != int(low) or high != int(high):
        return f"needs whole numbers as its range, got [{low}, {high}]"
    if not 0 < high - low <= INTEGER_SPAN:
        return f"needs a range of 1 to 2^32 integers, the upper end not included, got [{low}, {high}]"
    return _misfit(low, context.dtype) or _misfit(high - 1, context.dtype)


def _values(stream: Stream, context: FillContext) -> NDArray[Any]:
    values: NDArray[Any] = np.array(context.options["values"], context.dtype)
    return values.reshape(context.shape)


def _values_check(context: FillContext) -> str | None:
    values = context.options["values"]
    shape = _nested_shape(values)
    inner = context.shape[len(context.shape) - len(shape) + 1 :]
    if shape[1:] != inner or prod(shape) != context.size:
        return f"gives {_sizes(shape)} values where {context.tensor} is {_sizes(context.shape)}"
    return next(filter(None, (_misfit(value, context.dtype) for value in _flat(values))), None)


def _arange(stream: Stream, context: FillContext) -> NDArray[Any]:
    values: NDArray[Any] = context.options["start"] + context.options["step"] * np.arange(context.size)
    return values.astype(context.dtype).reshape(context.shape)


def _arange_check(context: FillContext) -> str | None:
    start, step, last = context.options["start"], context.options["step"], max(context.size - 1, 0)
    ends = (start + step * index for index in (0, min(1, last), last))
    return next(filter(None, (_misfit(end, context.dtype) for end in ends)), None)


def _distinct_uniform(stream: Stream, context: FillContext) -> NDArray[Any]:
    """One value from the middle half of each of `size` equal cells: neighbours are half a cell apart."""
    low, high = context.options["range"]
    jitter = stream.uniform(context.size, 0.25, 0.75, np.float64)
    values = low + (np.arange(context.size) + jitter) * ((high - low) / max(context.size, 1))
    shuffled: NDArray[Any] = values.astype(context.dtype)[stream.permutation(context.size)]
    return shuffled.reshape(context.shape)


def _distinct_uniform_check(context: FillContext) -> str | None:
    low, high = context.options["range"]
    misfit = _range_misfit(low, high, context.dtype)
    if misfit:
        return misfit
    room = _room(low, high, context.dtype)
    if context.size > room:
        return f"has room for {room} different {context.dtype} values in [{low}, {high}), not {context.size}"
    return None


@lru_cache(maxsize=256)
def _room(low: float, high: float, dtype: np.dtype[Any]) -> int:
    """Return the number of cells that fit, each at least two of the dtype's coarsest steps wide."""
    coarsest = max(float(np.spacing(abs(end))) for end in bounds(low, high, dtype))
    return int((high - low) / (2 * coarsest))


def _special(stream: Stream, context: FillContext) -> NDArray[Any]:
    """Uniform data; then one special value in each of `count` equal stretches, the names taking turns."""
    low, high = context.options["range"]
    data = stream.uniform(context.size, low, high, context.dtype)
    info = np.finfo(context.dtype)
    values = np.array([SPECIALS[name](info) for name in context.options["values"]], context.dtype)
    count = min(context.size, max(len(values), round(context.options["fraction"] * context.size)))
    turns = np.arange(count)
    offsets = stream.integers(count, 0, max(context.size // count, 1))
    data[turns * context.size // count + offsets] = values[turns % len(values)]
    return data.reshape(context.shape)


def _special_check(context: FillContext) -> str | None:
    names, fraction = context.options["values"], context.options["fraction"]
    if not 0 <= fraction <= 1:
        return f"needs a fraction from 0 to 1, got {fraction}"
    if not 0 < len(names) <= context.size:
        return f"cannot place {len(names)} special values in {counted(context.size, 'element')}"
    return _uniform_check(context)


def _log_uniform(stream: Stream, context: FillContext) -> NDArray[Any]:
    low, high = context.options["exponents"]
    mantissas = stream.uniform(context.size, 1, 2, context.dtype).astype(np.float64)
    values = np.ldexp(mantissas, stream.integers(context.size, low, high).astype(np.int32))
    if context.options["signs"] == "both":
        values[(stream.uint32(context.size) & np.uint32(1)).astype(bool)] *= -1
    return values.astype(context.dtype).reshape(context.shape)


def _log_uniform_check(context: FillContext) -> str | None:
    low, high = context.options["exponents"]
    info = np.finfo(context.dtype)
    least, beyond = info.minexp - info.nmant, info.maxexp
    if low != int(low) or high != int(high) or not least <= low < high <= beyond:
        return f"needs whole exponents, {least} <= low < high <= {beyond}, for {context.dtype}"
    return None


def _misfit(value: float, dtype: np.dtype[Any]) -> str | None:
    """Return a complaint if the dtype cannot hold the value; a float may round, but not overflow."""
    finite = isfinite(value)
    if dtype.kind == "f":
        fits = not finite or abs(value) <= float(np.finfo(dtype).max)
    else:
        info = np.iinfo(dtype)
        fits = finite and value == int(value) and int(info.min) <= value <= int(info.max)
    return None if fits else f"needs {value}, which {dtype} cannot hold"


def _nested_shape(values: Any) -> tuple[int, ...]:
    if not isinstance(values, tuple):
        return ()
    return (len(values), *(_nested_shape(values[0]) if values else ()))


def _flat(values: Any) -> Iterator[float]:
    for value in values:
        if isinstance(value, tuple):
            yield from _flat(value)
        else:
            yield value


def _sizes(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "a scalar"


_RANGE = "values lie in [low, high); low alone where both are equal"

FILLS: tuple[Fill, ...] = (
    Fill("zeros", (), _zeros, "all zero", ANY),
    Fill(
        "constant",
        (Option("value", "number", None, "the value of every element"),),
        _constant,
        "one value everywhere",
        ANY,
        _constant_check,
    ),
    Fill(
        "uniform",
        (Option("range", "pair", (0, 1), _RANGE),),
        _uniform,
        "evenly spread values",
        check=_uniform_check,
    ),
    Fill(
        "integers",
        (Option("range", "pair", (0, 2), "whole numbers from low to high - 1"),),
        _integers,
        "evenly spread whole numbers, in any dtype",
        ANY,
        _integers_check,
    ),
    Fill(
        "values",
        (Option("values", "list", None, "nested as the tensor; outer dimensions may be written as one"),),
        _values,
        "the given values; a plain list means the same",
        ANY,
        _values_check,
    ),
    Fill(
        "arange",
        (
            Option("start", "number", 0, "the first element"),
            Option("step", "number", 1, "from each element to the next"),
        ),
        _arange,
        "an arithmetic progression in element order",
        ANY,
        _arange_check,
    ),
    Fill(
        "distinct_uniform",
        (Option("range", "pair", (0, 1), _RANGE),),
        _distinct_uniform,
        "evenly spread values, no two equal after rounding, in random order",
        check=_distinct_uniform_check,
    ),
    Fill(
        "special",
        (
            Option("range", "pair", (-1, 1), f"the ordinary {_RANGE}"),
            Option("values", "list", ("nan", "inf", "-inf"), "the special values, by name", tuple(SPECIALS)),
            Option("fraction", "number", 0.05, "the share of special values; each comes at least once"),
        ),
        _special,
        "evenly spread values with special values among them",
        check=_special_check,
    ),
    Fill(
        "log_uniform",
        (
            Option("exponents", "pair", (-10, 10), "e takes the whole numbers from low to high - 1"),
            Option("signs", "choice", "both", "both at random, or none", ("both", "positive")),
        ),
        _log_uniform,
        "(1 + u) * 2^e: magnitudes spread evenly over binary exponents",
        check=_log_uniform_check,
    ),
)
