"""JSON values -> dataclasses, each field checked to be what its annotation says.

A stored run may be damaged or edited, and whoever shows it relies on the types of what is shown.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache, partial
from sys import intern
from typing import Any, Callable, Mapping, TypeVar

from mluops_conformance.judging.values import Distribution, Element, GtestVerdict, OutputVerdict, Threshold
from mluops_conformance.performance.times import Competitor, Peaks, Performance, Quantity, Summary, Work
from mluops_conformance.results.basis import Basis

__all__ = ["read", "text_or_none"]

T = TypeVar("T")
Reader = Callable[[Any], Any]

NAMED_NUMBERS: dict[str, float] = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
"""The numbers that JSON lacks."""
SHOWN = 40


def read(kind: Callable[..., T], values: Any) -> T:
    """An instance of a dataclass; what is stored beside its fields is left out.

    Raises
    ------
    ValueError
        A field is missing or holds what it may not; the message begins with its name.
    """
    fields = {}
    stored = _object(values)
    for name, reader in _readers(kind):
        if name in stored:
            try:
                fields[name] = reader(stored[name])
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
    missing = [name for name in _required(kind) if name not in fields]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing")
    return kind(**fields)


def text_or_none(value: Any) -> str | None:
    """A text, or null.

    Raises
    ------
    ValueError
        It is neither.
    """
    return None if value is None else _text(value)


@lru_cache(maxsize=None)
def _readers(kind: Any) -> tuple[tuple[str, Reader], ...]:
    return tuple((field.name, READERS[field.type]) for field in dataclasses.fields(kind))


@lru_cache(maxsize=None)
def _required(kind: Any) -> tuple[str, ...]:
    missing = dataclasses.MISSING
    fields = dataclasses.fields(kind)
    return tuple(f.name for f in fields if f.default is missing and f.default_factory is missing)


def _unfit(value: Any, what: str) -> ValueError:
    return ValueError(f"{repr(value)[:SHOWN]} is no {what}")


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _unfit(value, "text")
    return value


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _unfit(value, "integer")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _unfit(value, "truth value")
    return value


def _number(value: Any) -> float:
    """As it is stored: integers stay integers."""
    if isinstance(value, (float, int)):
        return value
    if isinstance(value, str) and value in NAMED_NUMBERS:
        return NAMED_NUMBERS[value]
    raise _unfit(value, "number")


def _float(value: Any) -> float:
    try:
        return float(_number(value))
    except OverflowError:
        raise _unfit(value, "number of double precision") from None


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _unfit(value, "object")
    return value


def _sourced(kind: Callable[[float, str], T], value: Any) -> T:
    """A number of some kind with its origin."""
    stored = _object(value)
    if not {"value", "from"} <= stored.keys():
        raise ValueError('a number with its origin has "value" and "from"')
    return kind(_float(stored["value"]), intern(_text(stored["from"])))


def _contradiction(value: Any) -> dict[str, str]:
    stored = _object(value)
    if not {"document", "library"} <= stored.keys():
        raise ValueError('a contradiction has "document" and "library"')
    return {name: _text(stored[name]) for name in ("document", "library")}


def _each(reader: Reader) -> Reader:
    """For a list of what `reader` reads."""

    def read_each(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise _unfit(value, "list")
        return tuple(map(reader, value))

    return read_each


def _by_name(reader: Reader) -> Reader:
    """For an object whose values `reader` reads; names that all records repeat are kept once."""

    def read_by_name(value: Any) -> dict[str, Any]:
        return {intern(name): reader(entry) for name, entry in _object(value).items()}

    return read_by_name


def _or_none(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


READERS: dict[Any, Reader] = {
    "str": _text,
    "int": _integer,
    "int | None": _or_none(_integer),
    "bool": _truth,
    "float": _float,
    "float | None": _or_none(_float),
    "Number": _number,
    "str | None": text_or_none,
    "tuple[str, ...]": _each(_text),
    "tuple[int, ...]": _each(_integer),
    "tuple[float, ...]": _each(_float),
    "tuple[Element, ...]": _each(partial(read, Element)),
    "tuple[OutputVerdict, ...]": _each(partial(read, OutputVerdict)),
    "dict[str, str]": _by_name(_text),
    "Basis": partial(read, Basis),
    "dict[str, int]": _by_name(_integer),
    "dict[str, float]": _by_name(_float),
    "dict[str, tuple[float, ...]]": _by_name(_each(_float)),
    "dict[str, Threshold]": _by_name(partial(_sourced, Threshold)),
    "dict[str, dict[str, str]]": _by_name(_contradiction),
    "Distribution | None": _or_none(partial(read, Distribution)),
    "GtestVerdict | None": _or_none(partial(read, GtestVerdict)),
    "Quantity": partial(_sourced, Quantity),
    "Quantity | None": _or_none(partial(_sourced, Quantity)),
    "Summary": partial(read, Summary),
    "Work": partial(read, Work),
    "Peaks": partial(read, Peaks),
    "tuple[Competitor, ...]": _each(partial(read, Competitor)),
    "Performance | None": _or_none(partial(read, Performance)),
}
"""The reader of a field, by its annotation."""
