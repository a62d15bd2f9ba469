"""Find operators outside of this package: in folders that are named, and in installed packages.

Such a folder holds a module for each operator, and beside the modules a folder `cases`.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
import traceback
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Iterable, Iterator, Mapping

from mluops.signatures import MLUOP

from mluops_conformance.errors import OperatorError, UserError
from mluops_conformance.operators.base import Operator
from mluops_conformance.support.files import OPERATORS_VARIABLE, named_operator_folders

__all__ = ["GROUP", "Source", "installed", "line_of_operator", "load", "outside_folders", "sources_in"]

GROUP = "mluops_conformance.operators"
"""Group of entry points; each names a package with operators."""
HERE = Path(__file__).parent
HELPERS = frozenset({"__init__", "base", "discovery", "limits"})
"""Modules of this package that define no operator, beside those that begin with an underscore."""
GIVEN_BY_THE_HARNESS = frozenset({"handle", "workspace", "workspace_size"})


@dataclass(frozen=True)
class Source:
    """A module that defines an operator.

    Parameters
    ----------
    file : Path
    module : str
        The name to import it by.
    """

    file: Path
    module: str


def outside_folders() -> Mapping[Path, str]:
    """Return the folders of operators outside of this package, and the package name of each.

    Raises
    ------
    UserError
        `MLUOPS_OPERATORS` names no folder, or an entry point names no package.
    """
    folders = dict(installed())
    for text in named_operator_folders():
        if not Path(text).is_dir():
            raise UserError(f"{OPERATORS_VARIABLE} names {text}: no such folder")
        folders.setdefault(Path(text), _package_of(Path(text)))
    return folders


@lru_cache(maxsize=None)
def installed() -> tuple[tuple[Path, str], ...]:
    """Return the folders of operators that entry points name, and the package of each."""
    return tuple((Path(os.path.realpath(_folder_of(entry))), entry.value) for entry in _entry_points())


def _entry_points() -> Iterable[Any]:
    if sys.version_info >= (3, 10):
        return metadata.entry_points(group=GROUP)
    return metadata.entry_points().get(GROUP, ())


def _folder_of(entry: Any) -> str:
    try:
        spec = find_spec(entry.value)
    except Exception as error:  # a parent package is code of others
        reason = f"{type(error).__name__}: {error}"
    else:
        if spec is not None and spec.submodule_search_locations:
            return str(next(iter(spec.submodule_search_locations)))
        reason = "no such package"
    raise UserError(f"entry point {entry.name} = {entry.value} of {GROUP}: {reason}")


def _package_of(folder: Path) -> str:
    """Return a package name for a folder, so that its modules may import each other by `from ._name`."""
    name = "mluops_operators_" + hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name


def sources_in(folder: Path, package: str) -> Iterator[tuple[str, Source]]:
    """Yield the operators of a folder by name, alphabetically, without importing any."""
    for file in sorted(folder.glob("*.py")):
        if not file.stem.startswith("_") and not (folder == HERE and file.stem in HELPERS):
            yield file.stem, Source(file, f"{package}.{file.stem}")


def load(source: Source) -> Operator:
    """Import an operator's definition.

    Raises
    ------
    OperatorError
        The module raises, defines no `OPERATOR`, or one that does not fit its name or its C function.
    """
    module = _imported(source)
    operator: Any = getattr(module, "OPERATOR", None)
    if operator is None:
        raise OperatorError(
            f"{source.file}:1: no OPERATOR; define one, or begin the name of a helper module with '_'"
        )
    is_one = isinstance(operator, Operator)
    kind = type(operator).__name__
    complaint = (
        _complaint(operator, source.file.stem) if is_one else f"OPERATOR must be an Operator, not {kind}"
    )
    if complaint:
        raise OperatorError(f"{source.file}:{line_of_operator(source.file)}: {complaint}")
    definition: Operator = operator
    return definition


def _imported(source: Source) -> ModuleType:
    try:
        return importlib.import_module(source.module)
    except (Exception, SystemExit) as error:  # the module is code of others
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise OperatorError(f"{_place(error, source.file)}: {reason}") from None


def _place(error: BaseException, file: Path) -> str:
    """Return the line of a module's folder in which the error arose."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == file.parent]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else f"{file}:1"


def _complaint(operator: Operator, name: str) -> str:
    if operator.name != name:
        return f"OPERATOR has the name '{operator.name}'; the module's is '{name}'"
    functions = (*operator.functions, *operator.workspace_functions)
    return next(filter(None, (_misfit(operator, function) for function in functions)), "")


def _misfit(operator: Operator, function: str) -> str:
    """Return what a C function needs and the definition lacks; empty where nothing is missing."""
    if function not in MLUOP:
        return f"OPERATOR calls {function}, which mlu_op.h does not declare"
    given = {dim.name for dim in operator.dims} | {param.name for param in operator.params}
    given |= {tensor.name for tensor in operator.tensors}
    given |= {f"{tensor.name}_desc" for tensor in operator.tensors if tensor.described}
    missing = [name for name in MLUOP[function].parameter_names if name not in given | GIVEN_BY_THE_HARNESS]
    return f"OPERATOR gives no value to {', '.join(missing)} of {function}" if missing else ""


def line_of_operator(file: Path) -> int:
    """Return the line on which a module defines `OPERATOR`; 1 where no line begins so."""
    text = file.read_text(encoding="utf-8")
    found = re.search(r"^OPERATOR\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
