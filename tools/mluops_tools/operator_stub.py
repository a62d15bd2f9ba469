"""The stub of `mluops.operators`: each operator overloaded for arrays of the host and of the device.

Type checkers cannot follow a discovery, and a wrapper's own signature does not say that arrays in give
arrays out. Both are written into `operators/__init__.pyi` from the wrappers' signatures.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Iterator, NamedTuple

HEAD = '''"""The operators with their types, written by `python -m mluops_tools.stubs`."""

from typing import Any, Literal, overload

from numpy.typing import ArrayLike, NDArray

from mluops.array import DeviceArray, Operand
from mluops.handle import Handle
{imports}from mluops.selection import Selection
from mluops.workspace import Scratch

__all__ = [
{names}
]
'''
FUTURE = "Selection"
"""The result of an operator that does not wait, if the device decides the result's size."""


class Form(NamedTuple):
    """One overload: what stands for an operand, for `out`, for `synchronize`, and the result."""

    operand: str
    out: str
    synchronize: str
    result: str


PLAIN = (
    Form("ArrayLike", "NDArray[Any]", "Literal[True] = True", "NDArray[Any]"),
    Form("DeviceArray", "DeviceArray", "bool = True", "DeviceArray"),
    Form("Operand", "Operand", "Literal[True] = True", "Operand"),
)
COUNTED = (
    PLAIN[0],
    Form("DeviceArray", "DeviceArray", "Literal[True] = True", "DeviceArray"),
    Form("DeviceArray", "DeviceArray | Selection", "Literal[False]", FUTURE),
    PLAIN[2],
)


def operator_stub(folder: Path) -> str:
    """Return the text of the stub for the wrappers in a folder."""
    wrappers = [wrapper_in(path) for path in sorted(folder.glob("*.py")) if not path.name.startswith("_")]
    names = "\n".join(f'    "{wrapper.name}",' for wrapper in wrappers)
    imports = "".join(
        f"from mluops.operators.{wrapper.name} import {result_of(wrapper)}\n"
        for wrapper in wrappers
        if has_several(wrapper)
    )
    parts = [
        HEAD.format(names=names, imports=imports),
        *("".join(overloads(wrapper)) for wrapper in wrappers),
    ]
    return "\n".join(parts)


def wrapper_in(path: Path) -> ast.FunctionDef:
    """Return the function of a module that has the module's name.

    Raises
    ------
    LookupError
        There is none.
    """
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == path.stem:
            return node
    raise LookupError(f"{path} has no function {path.stem}")


def overloads(wrapper: ast.FunctionDef) -> Iterator[str]:
    """Return the overloads of a wrapper."""
    for form in _forms(wrapper):
        yield f"@overload\ndef {wrapper.name}(\n"
        yield from (f"    {parameter},\n" for parameter in _parameters(wrapper.args, form))
        yield f") -> {form.result}: ...\n"


def result_of(wrapper: ast.FunctionDef) -> str:
    """Return the annotation of what a wrapper returns."""
    assert wrapper.returns is not None, f"{wrapper.name} has no annotation of its result"
    return ast.unparse(wrapper.returns)


def has_several(wrapper: ast.FunctionDef) -> bool:
    """Return whether a wrapper returns several outputs, as a named tuple of its module."""
    return "Operand" not in result_of(wrapper)


def _forms(wrapper: ast.FunctionDef) -> tuple[Form, ...]:
    result = result_of(wrapper)
    if has_several(wrapper):
        return tuple(form._replace(out=result, result=result) for form in PLAIN)
    return COUNTED if FUTURE in result else PLAIN


def _parameters(arguments: ast.arguments, form: Form) -> Iterator[str]:
    missing = len(arguments.args) - len(arguments.defaults)
    defaults = [None] * missing + [ast.unparse(default) for default in arguments.defaults]
    for argument, default in zip(arguments.args, defaults):
        yield _parameter(argument, default, form)
    if arguments.kwonlyargs:
        yield "*"
    for argument, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        yield _parameter(argument, None if value is None else ast.unparse(value), form)


def _parameter(argument: ast.arg, default: str | None, form: Form) -> str:
    if argument.arg == "synchronize":
        return f"synchronize: {form.synchronize}"
    if argument.arg == "out":
        return f"out: {form.out} | None = None"
    assert argument.annotation is not None, f"{argument.arg} has no annotation"
    annotation = ast.unparse(argument.annotation).replace("Operand", form.operand)
    return f"{argument.arg}: {annotation}" + (f" = {default}" if default else "")
