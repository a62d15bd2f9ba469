"""The parts that the parameters of a C function play in a call by name."""

from __future__ import annotations

import ctypes
import operator
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Callable, NamedTuple

from mluops.errors import ArgumentTypeError, ArgumentValueError
from mluops.signatures import MLUOP, Function
from mluops.types import ctype, integers_of

Convert = Callable[[str, Any], Any]
InOrder = Callable[["dict[int, Any]"], "tuple[Any, ...]"]

WORKSPACE, WORKSPACE_SIZE = "workspace", "workspace_size"
_MISSPELT_QUERIES = {"mluOpDCNBackwardData": "mluOpGetDCNBakcwardDataWorkspaceSize"}
"""Names of the header that follow no rule."""


class Place(NamedTuple):
    """The place of an operand in the argument list.

    Attributes
    ----------
    pointer : int
        The index of its address.
    descriptor : int or None
        The index of its tensor descriptor.
    written : bool
        Whether the function may write it.
    """

    pointer: int
    descriptor: int | None
    written: bool


class Plan(NamedTuple):
    """The parameters of a function by name, without the handle.

    Attributes
    ----------
    operands : dict
        Tensors and other device memory.
    values : dict
        All else: the index, and the conversion to what ctypes takes.
    scratch : list of int
        The index of the workspace, and of its size where that is a parameter.
    query : str
        The function that tells the size; "" where there is none.
    asked, in_order : callable
        Give the arguments in order, of a dict by their places: those that the query takes before the size,
        and all.
    """

    operands: dict[str, Place]
    values: dict[str, tuple[int, Convert]]
    scratch: list[int]
    query: str
    asked: InOrder
    in_order: InOrder


@lru_cache(maxsize=None)
def plan_of(name: str) -> Plan:
    """Return the plan of a function of mlu_op.h.

    A tensor descriptor belongs to the address that follows it.
    """
    function = MLUOP[name]
    operands: dict[str, Place] = {}
    values: dict[str, tuple[int, Convert]] = {}
    names = function.parameter_names
    scratch = [names.index(name) for name in (WORKSPACE, WORKSPACE_SIZE) if name in names]
    described: int | None = None
    for index, (parameter, spelling) in enumerate(zip(function.parameter_names, function.parameter_types)):
        if index == 0 or index in scratch:
            continue
        if spelling.endswith("mluOpTensorDescriptor_t"):
            described = index
        elif spelling.endswith("*") and not spelling.endswith("char*"):
            operands[parameter] = Place(index, described, not spelling.startswith("const "))
            described = None
        else:
            values[parameter] = (index, _conversion(spelling))
    query = _query_of(function) if scratch else ""
    return Plan(operands, values, scratch, query, _asked(query, function), _at(*range(len(names))))


def operator_name(name: str) -> str:
    """Return the name of a C function that is an operator.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(f"name must be a str, as 'mluOpNmsRotated', not a {type(name).__name__}")
    if name not in MLUOP or not is_operator(MLUOP[name]):
        near = get_close_matches(name, [key for key in MLUOP if is_operator(MLUOP[key])], n=3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise ArgumentValueError(f"mlu_op.h has no operator {name!r}{hint}")
    return name


def is_operator(function: Function) -> bool:
    """Return whether a function is called on a handle, with addresses of device memory."""
    first, *rest = function.parameter_types or ("",)
    return first.endswith("mluOpHandle_t") and any("void*" in spelling for spelling in rest)


def _asked(query: str, function: Function) -> InOrder:
    names = MLUOP[query].parameter_names[1:-1] if query else ()
    return _at(0, *map(function.parameter_names.index, names))


def _at(*places: int) -> InOrder:
    if len(places) == 1:  # of which itemgetter makes no tuple
        return lambda arguments: (arguments[places[0]],)
    return operator.itemgetter(*places)


def _query_of(function: Function) -> str:
    """Return the name of the workspace query whose parameters are all of the function's."""
    plain = function.name[len("mluOp") :]
    first = plain[: -len("_v2")] if plain.endswith("_v2") else plain
    candidates = [f"mluOpGet{plain}WorkspaceSize", f"mluOpGet{first}WorkspaceSize"]
    candidates += [f"mluOpGet{plain}WorkspaceSize_v2", _MISSPELT_QUERIES.get(function.name, "")]
    for name in candidates:
        query = MLUOP.get(name)
        if query is not None and {*query.parameter_names[1:-1]} <= {*function.parameter_names}:
            return name
    return ""


def _conversion(spelling: str) -> Convert:
    if spelling.endswith("[]"):
        return _array_of(ctype(spelling[: -len("[]")]))
    kind = ctype(spelling)
    if kind is ctypes.c_bool:
        return _truth
    numbers = integers_of(spelling)
    if numbers is not None:
        return _whole_in(numbers, spelling)
    return _real if kind is ctypes.c_float else _as_is


def whole(name: str, value: Any) -> int:
    """Return an integer as Python's; an ArgumentTypeError names the argument where it is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"{name} must be an int, not {_shown(value)}") from None


def _whole_in(numbers: range, spelling: str) -> Convert:
    least, most = numbers[0], numbers[-1]

    def convert(name: str, value: Any) -> int:
        number = value if type(value) is int else whole(name, value)
        if not least <= number <= most:
            raise ArgumentValueError(f"{name}: {number} does not fit {spelling}")
        return number

    return convert


def _real(name: str, value: Any) -> float:
    if type(value) is float:
        return value
    if isinstance(value, (str, bytes)):
        raise ArgumentTypeError(f"{name} must be a number, not {_shown(value)}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentTypeError(f"{name} must be a number, not {_shown(value)}") from None


def _truth(name: str, value: Any) -> bool:
    if hasattr(value, "__index__") and value in (0, 1):
        return bool(value)
    if type(value).__name__ in ("bool_", "bool"):  # NumPy's, which is no index
        return bool(value)
    raise ArgumentTypeError(f"{name} must be a bool, not {_shown(value)}")


def _as_is(name: str, value: Any) -> Any:
    return value


def _array_of(element: Any) -> Convert:
    def convert(name: str, value: Any) -> Any:
        if isinstance(value, ctypes.Array):
            return value
        try:
            numbers = [operator.index(number) for number in value]
        except TypeError:
            raise ArgumentTypeError(f"{name} must be a sequence of integers, not {_shown(value)}") from None
        return (element * len(numbers))(*numbers)

    return convert


def _shown(value: Any) -> str:
    text = repr(value)
    return f"the {type(value).__name__} {text}" if len(text) < 40 else f"a {type(value).__name__}"
