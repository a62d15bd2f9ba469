"""The data of a gtest tensor: values that the case holds, a file beside it, or random numbers.

Of several sources gtest takes the first in the order of `VALUES`, then `path`, then `random_data`. Values
have to be as many as the shape's elements.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np
from mluops_conformance.language.model import FillSpec
from mluops_conformance.support.files import file_below, regular_file
from mluops_conformance.support.formatting import counted

from mluops_tools.gtest.enums import DISTRIBUTIONS
from mluops_tools.gtest.textformat import Message, Scalar
from mluops_tools.gtest.unrepresentable import UnrepresentableError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["given_values", "random_fill", "stored_values"]

PACKED = ".zst"
SEED = 23
"""The seed of gtest for a case that names none."""

RANDOM_FIELDS = frozenset(
    {"seed", "distribution"}
    | {
        f"{name}{precision}"
        for name in ("lower_bound", "upper_bound", "mu", "sigma")
        for precision in ("", "_double")
    }
)


def given_values(tensor: Message, dtype: np.dtype[Any], count: int) -> NDArray[Any] | None:
    """The `count` values that the case itself holds, as a vector; None where it holds none."""
    for name, read in VALUES.items():
        scalars = tensor.scalars(name)
        if scalars:
            if len(scalars) != count:
                elements = counted(count, "element")
                raise UnrepresentableError(
                    f"{name} comes {counted(len(scalars), 'time')}, and the shape has {elements}"
                )
            return read(scalars, dtype)
    return None


def _patterns(scalars: Sequence[Scalar], dtype: np.dtype[Any]) -> NDArray[Any]:
    """value_h: the bits of each element in hexadecimal."""
    try:
        words = [int(scalar.string(), 16) for scalar in scalars]
    except ValueError as error:
        raise UnrepresentableError(f"value_h: {error}") from None
    return _from_bits(words, dtype)


def _floats(scalars: Sequence[Scalar], dtype: np.dtype[Any]) -> NDArray[Any]:
    """value_f: C floats, rounded to the dtype."""
    with np.errstate(over="ignore"):
        values: NDArray[Any] = np.array([scalar.number() for scalar in scalars]).astype(np.float32)
        stored = values.astype(dtype)
    if dtype.kind != "f" and not np.array_equal(stored, values):
        raise UnrepresentableError(f"value_f holds numbers that {dtype} does not have")
    return stored


def _integers(scalars: Sequence[Scalar], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The integers; for a floating tensor, the bits of each element as an integer."""
    values = [scalar.integer() for scalar in scalars]
    if dtype.kind == "f":
        bits = 8 * dtype.itemsize
        return _from_bits(
            [value + (1 << bits) if -(1 << (bits - 1)) <= value < 0 else value for value in values], dtype
        )
    info = np.iinfo(dtype)
    _check_range(values, int(info.min), int(info.max), dtype)
    return np.array(values, dtype)


VALUES: Mapping[str, Callable[[Sequence[Scalar], np.dtype[Any]], NDArray[Any]]] = {
    "value_h": _patterns,
    "value_f": _floats,
    "value_i": _integers,
    "value_l": _integers,
    "value_ui": _integers,
    "value_ul": _integers,
}


def _from_bits(words: Sequence[int], dtype: np.dtype[Any]) -> NDArray[Any]:
    _check_range(words, 0, (1 << 8 * dtype.itemsize) - 1, dtype)
    return np.array(words, f"u{dtype.itemsize}").view(dtype)


def _check_range(values: Sequence[int], low: int, high: int, dtype: np.dtype[Any]) -> None:
    for value in (min(values), max(values)):
        if not low <= value <= high:
            raise UnrepresentableError(
                f"the value {value} is beyond the {8 * dtype.itemsize} bits of {dtype}"
            )


def stored_values(tensor: Message, dtype: np.dtype[Any], count: int, folder: Path) -> NDArray[Any] | None:
    """The `count` values of the raw file that `path` names below the case's folder; None without `path`."""
    named = tensor.scalar("path")
    if named is None:
        return None
    try:
        file = file_below(folder, _existing(folder, named.string()))
    except OSError as error:
        raise UnrepresentableError(f"path {named.text}: {error.strerror}") from None
    if file is None:
        raise UnrepresentableError(f"path {named.text} leads out of the case's folder")
    if file.suffix == PACKED:
        raise UnrepresentableError(f"{file.name} is packed: unpack it beside the case (zstd -d {file.name})")
    try:
        size = regular_file(file).stat().st_size
        if size != count * dtype.itemsize:
            raise UnrepresentableError(
                f"{file.name} has {size} bytes, and {count} elements of {dtype} are wanted"
            )
        return np.fromfile(file, dtype)
    except OSError as error:
        raise UnrepresentableError(f"path {named.text}: {error.strerror}") from None


def _existing(folder: Path, name: str) -> str:
    """The file; or, where it is missing, its unpacked or packed form, as gtest looks for it."""
    packed = name.endswith(PACKED)
    other = name[: -len(PACKED)] if packed else f"{name}{PACKED}"
    return other if (folder / other).is_file() and (packed or not (folder / name).is_file()) else name


def random_fill(tensor: Message) -> FillSpec | None:
    """The fill that makes the tensor's `random_data`; None without."""
    random = tensor.message("random_data")
    if random is None:
        return None
    unknown = sorted({*random.fields} - RANDOM_FIELDS)
    if unknown:
        raise UnrepresentableError(f"random_data has {', '.join(unknown)}, which is not supported")
    distribution = random.scalar("distribution")
    kind = "missing" if distribution is None else distribution.word(DISTRIBUTIONS)
    readers = {"UNIFORM": _uniform, "GAUSSIAN": _gaussian}
    if kind not in readers:
        raise UnrepresentableError(f"random_data: the distribution {kind} is not one that gtest makes")
    seed = random.scalar("seed")
    options = readers[kind](random)
    return FillSpec(f"gtest_{kind.lower()}", {**options, "seed": SEED if seed is None else seed.integer()})


def _uniform(random: Message) -> dict[str, Any]:
    (low, high), precision = _pair(random, "lower_bound", "upper_bound")
    return {"range": (low, high), **precision}


def _gaussian(random: Message) -> dict[str, Any]:
    (mu, sigma), precision = _pair(random, "mu", "sigma")
    return {"mu": mu, "sigma": sigma, **precision}


def _pair(random: Message, *names: str) -> tuple[list[float], dict[str, str]]:
    """Two parameters, and the fill's `precision` where they are those of doubles."""
    double = any(f"{name}_double" in random.fields for name in names)
    scalars = [random.scalar(f"{name}_double" if double else name) for name in names]
    values = [scalar.number() for scalar in scalars if scalar is not None]
    if len(values) < 2:
        raise UnrepresentableError(f"random_data lacks {' or '.join(names)}")
    return values, {"precision": "double"} if double else {}
