"""Readers of the values of fields and fill options: one function for each kind in the tables.

Each takes the field's name for its errors, the value's node and the words that may be chosen, returns the
value, and raises `UnfitError` with everything that is wrong with it.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Callable, Collection, Tuple, TypeVar, Union

from mluops.constants import MLUOP_DIM_MAX, mluOpDataType_t, mluOpStatus_t, mluOpTensorLayout_t

from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.language.documents import UnfitError, unknown, wanted
from mluops_conformance.language.expressions import Expression, parse_expression, parse_range
from mluops_conformance.language.nodes import Node
from mluops_conformance.language.query import Query, QueryError, parse_query
from mluops_conformance.operators import operator_names

if TYPE_CHECKING:
    from re import Pattern

__all__ = [
    "KINDS",
    "LARGEST_SIZE",
    "each",
    "float_scalar",
    "int_scalar",
    "items",
    "mapping",
    "queries",
    "size_or_limit",
    "text",
    "threshold",
]

T = TypeVar("T")
Choices = Tuple[str, ...]
Number = Union[int, float]

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*(?::[A-Za-z0-9_.+=,-]+)?")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+/-]*")
SERIES = re.compile(r"(?:MLU|MTP)[0-9]+")
LINK = re.compile(r"https?://[^\s/]+\S*")

MOST_CLUSTERS = 63  # the context's bitmap has 64 bits
INT32 = range(-(2**31), 2**31)
LARGEST_SIZE = 2**63 - 1
LARGEST_FLOAT32 = (2 - 2**-23) * 2.0**127

STATUSES = tuple(status.name[len("MLUOP_STATUS_") :] for status in mluOpStatus_t)
LAYOUTS = tuple(layout.name[len("MLUOP_LAYOUT_") :] for layout in mluOpTensorLayout_t)
MLUOP_DTYPES = tuple(dtype.name[len("MLUOP_DTYPE_") :] for dtype in mluOpDataType_t)
NUMPY_DTYPES = (
    *("float16", "float32", "float64", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64", "bool", "complex64"),
)


def text(name: str, node: Node, choices: Choices = ()) -> str:
    if not isinstance(node.value, str) or not node.value:
        raise wanted(node, name, "text")
    return node.value


def truth(name: str, node: Node, choices: Choices = ()) -> bool:
    if not isinstance(node.value, bool):
        raise wanted(node, name, "true or false")
    return node.value


def number(name: str, node: Node, choices: Choices = ()) -> Number:
    if not isinstance(node.value, (int, float)) or isinstance(node.value, bool):
        raise wanted(node, name, "a number")
    return node.value


def integer(name: str, node: Node, choices: Choices = ()) -> int:
    value = node.value
    if isinstance(value, float) and value.is_integer():
        raise UnfitError((node, f"{name} needs an integer number, got {value!r}; write {int(value)}"))
    if not isinstance(value, int) or isinstance(value, bool):
        raise wanted(node, name, "an integer number")
    return value


def size(name: str, node: Node, choices: Choices = ()) -> int:
    """A dimension or a stride."""
    value = integer(name, node)
    if not 0 <= value <= LARGEST_SIZE:
        raise UnfitError((node, f"{name} needs 0 or more, below 2^63, got {value}"))
    return value


def size_or_limit(name: str, node: Node, limits: Collection[str]) -> int | Expression:
    """A dimension, or an expression of one of the limits that it may follow from."""
    if not isinstance(node.value, str):
        return size(name, node)
    expression = parse_expression(node.value)
    if expression is None:
        raise wanted(node, name, "a size, or an expression as 'cores', 'cores + 1' or '2 * cores - 1'")
    if expression.limit not in limits:
        raise unknown(node, f"limit in {name}:", expression.limit, limits)
    return expression


def int_scalar(name: str, node: Node) -> int:
    """A C int."""
    value = integer(name, node)
    if value not in INT32:
        raise UnfitError((node, f"{name} is an int of 32 bits, which cannot hold {value}"))
    return value


def float_scalar(name: str, node: Node) -> float:
    """A C float."""
    value = number(name, node)
    if LARGEST_FLOAT32 < abs(value) < math.inf:
        raise UnfitError((node, f"{name} is a float of 32 bits, which cannot hold {value}; or write .inf"))
    return float(value)


def threshold(name: str, node: Node) -> float:
    """Return a threshold of a measure that can have it."""
    value = number(name, node)
    measure = MEASURES.get(name.rpartition(".")[2])
    if not math.isfinite(value) or (measure is not None and not measure.accepts_limit(value)):
        raise UnfitError((node, f"{name} needs a finite number of 0 or more, got {value}"))
    return float(value)


def count(name: str, node: Node, choices: Choices) -> int:
    value = integer(name, node)
    if value < 2:
        raise UnfitError((node, f"{name} needs 2 or more, got {value}"))
    return value


def clusters(name: str, node: Node, choices: Choices) -> int:
    value = integer(name, node)
    if not 0 <= value <= MOST_CLUSTERS:
        raise UnfitError((node, f"{name} needs 0 to {MOST_CLUSTERS}, got {value}"))
    return value


def seconds(name: str, node: Node, choices: Choices) -> float:
    value = number(name, node)
    if not 0 < value < math.inf:
        raise UnfitError((node, f"{name} needs seconds above 0, got {value}"))
    return float(value)


def bounds(name: str, node: Node, choices: Choices) -> tuple[Number, Number]:
    """Two finite numbers, in any order."""
    if not isinstance(node.value, list) or len(node.value) != 2:
        raise wanted(node, name, "two numbers, [low, high]")
    low, high = each(number, name, node.value)
    if not (math.isfinite(low) and math.isfinite(high)):
        raise UnfitError((node, f"{name} needs finite numbers"))
    return low, high


def pair(name: str, node: Node, choices: Choices) -> tuple[Number, Number]:
    """A range [low, high]."""
    low, high = bounds(name, node, choices)
    if low > high:
        raise UnfitError((node, f"{name} goes from {low} down to {high}; write the lower end first"))
    return low, high


def sizes(name: str, node: Node, choices: Choices) -> tuple[int, ...]:
    numbers = items(name, node, "integer numbers")
    if not 0 < len(numbers) <= MLUOP_DIM_MAX:
        raise UnfitError((node, f"{name} needs 1 to {MLUOP_DIM_MAX} numbers, got {len(numbers)}"))
    return tuple(each(size, name, numbers))


def values(name: str, node: Node, choices: Choices) -> tuple[Any, ...]:
    """Nested lists of numbers, all rows alike; with choices: a list of those words."""
    if choices:
        return tuple(each(_word, name, items(name, node, "text"), choices))
    items(name, node, "numbers")
    rows: tuple[Any, ...] = _rows(name, node)[0]
    return rows


def _rows(name: str, node: Node) -> tuple[Any, tuple[int, ...]]:
    """A nested list as tuples, and its shape."""
    if not isinstance(node.value, list):
        return number(name, node), ()
    rows = each(_rows, name, node.value)
    shapes = [shape for _, shape in rows]
    for item, shape in zip(node.value, shapes):
        if shape != shapes[0]:
            raise UnfitError((item, f"{name} has {_extent(shape)} in a row after {_extent(shapes[0])}"))
    return tuple(row for row, _ in rows), (len(rows), *(shapes[0] if shapes else ()))


def _extent(shape: tuple[int, ...]) -> str:
    return f"{' x '.join(map(str, shape))} values" if shape else "a single value"


def choice(name: str, node: Node, choices: Choices) -> str:
    return _one_of(name, name.rpartition(".")[2], node, choices)


def operator(name: str, node: Node, choices: Choices) -> str:
    return choice(name, node, operator_names())


def choices_of(name: str, node: Node, choices: Choices) -> frozenset[str]:
    return frozenset(each(_word, name, items(name, node, "text"), choices))


def _word(name: str, node: Node, choices: Choices) -> str:
    return _one_of(name, f"word in {name}:", node, choices)


def case_id(name: str, node: Node, choices: Choices) -> str:
    """An id; behind a colon may stand what tells one point of a matrix from the others."""
    value = text(name, node)
    if not value[0].isalnum():
        raise UnfitError((node, f"{name}: {value!r} begins with {value[0]!r}, and not a letter or a digit"))
    return _matching(name, node, ID, "holds other characters than letters, digits, _ . + -")


def names(name: str, node: Node, choices: Choices) -> tuple[str, ...]:
    complaint = "holds other characters than letters, digits, _ . + / -"
    return tuple(each(_matching, name, items(name, node, "text"), NAME, complaint))


def series(name: str, node: Node, choices: Choices) -> frozenset[str]:
    complaint = "is not a beginning of a device's name, as MLU3 or MLU590"
    return frozenset(each(_matching, name, items(name, node, "text"), SERIES, complaint))


def versions(name: str, node: Node, choices: Choices) -> str:
    value = text(name, node)
    try:
        parse_range(value)
    except ValueError as error:
        raise UnfitError((node, f"{name}: {error}")) from None
    return value


def day(name: str, node: Node, choices: Choices) -> date:
    value = text(name, node)
    try:
        return datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        raise UnfitError((node, f"{name}: {value!r} is no day, as 2027-12-31")) from None


def links(name: str, node: Node, choices: Choices) -> tuple[str, ...]:
    nodes = items(name, node, "links")
    if not nodes:
        raise UnfitError((node, f"{name} needs a link at least"))
    return tuple(each(_matching, name, nodes, LINK, "is not a link, as https://host/path"))


def queries(name: str, node: Node, choices: Choices = ()) -> tuple[Query, ...]:
    """Alternative queries, none of which names a suite."""
    return tuple(each(_query, name, items(name, node, "queries")))


def _query(name: str, node: Node) -> Query:
    try:
        return parse_query(text(name, node), {})
    except QueryError as error:
        raise UnfitError((node, f"{name}: {error}")) from None


def statuses(name: str, node: Node, choices: Choices) -> tuple[str, ...]:
    """One status, or a list of several, any of which is right."""
    if not isinstance(node.value, list):
        return (_status(name, node),)
    several = tuple(each(_status, name, node.value))
    if len(set(several)) < 2 or len(set(several)) < len(several):
        raise UnfitError((node, f"{name} needs a status, or a list of two or more different ones"))
    return several


def _status(name: str, node: Node) -> str:
    return _one_of(name, "status", node, STATUSES)


def layout(name: str, node: Node, choices: Choices) -> str:
    return _one_of(name, "layout", node, LAYOUTS)


def any_dtype(name: str, node: Node, choices: Choices) -> str:
    return _one_of(name, "dtype", node, (*MLUOP_DTYPES, *NUMPY_DTYPES))


def mapping(name: str, node: Node) -> dict[str, Node]:
    """The entries of a mapping."""
    if not isinstance(node.value, dict):
        raise wanted(node, name, "a mapping")
    return node.value


def items(name: str, node: Node, what: str) -> list[Node]:
    """The items of a list of `what`."""
    if not isinstance(node.value, list):
        raise wanted(node, name, f"a list of {what}")
    return node.value


def each(reader: Callable[..., T], name: str, nodes: list[Node], *more: Any) -> list[T]:
    """Return the reader's result for each item; raise all complaints together."""
    results: list[T] = []
    places: list[tuple[Node, str]] = []
    for node in nodes:
        try:
            results.append(reader(name, node, *more))
        except UnfitError as unfit:
            places += unfit.places
    if places:
        raise UnfitError(*places)
    return results


def _one_of(name: str, what: str, node: Node, known: Choices) -> str:
    value = text(name, node)
    if value not in known:
        raise unknown(node, what, value, known)
    return value


def _matching(name: str, node: Node, pattern: Pattern[str], complaint: str) -> str:
    value = text(name, node)
    if not pattern.fullmatch(value):
        raise UnfitError((node, f"{name}: {value!r} {complaint}"))
    return value


KINDS: dict[str, Callable[[str, Node, Choices], Any]] = {
    "bounds": bounds,
    "text": text,
    "id": case_id,
    "names": names,
    "choice": choice,
    "operator": operator,
    "choices": choices_of,
    "truth": truth,
    "number": number,
    "integer": integer,
    "count": count,
    "clusters": clusters,
    "seconds": seconds,
    "pair": pair,
    "list": values,
    "sizes": sizes,
    "versions": versions,
    "series": series,
    "day": day,
    "links": links,
    "queries": queries,
    "statuses": statuses,
    "layout": layout,
    "any dtype": any_dtype,
}
