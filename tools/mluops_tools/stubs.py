"""Write the stubs of packages that publish what they discover in their modules.

Type checkers cannot follow a discovery. `python -m mluops_tools.stubs` writes an `__init__.pyi` beside each
such package's `__init__.py`, from the `__all__` of its modules, or from their functions.
"""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path
from typing import Callable

from mluops_tools.operator_stub import operator_stub

LINE_LENGTH = 110


def package_folder(package: str) -> Path:
    """Return the folder of an importable package."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise LookupError(f"no package {package}")
    return Path(spec.origin).parent


def stub(folder: Path) -> str:
    """Return the text of the `__init__.pyi` that belongs into a package's folder."""
    published = {path.stem: published_by(path) for path in sorted(folder.glob("*.py"))}
    imports = [line for module, names in published.items() if names for line in _import(module, names)]
    return "\n".join([*imports, ""])


def published_by(path: Path) -> list[str]:
    """Return the names that a module lists in `__all__`, sorted; none where it has no such list."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and "__all__" in [
            getattr(target, "id", "") for target in node.targets
        ]:
            return sorted(ast.literal_eval(node.value))
    return []


def _import(module: str, names: list[str]) -> list[str]:
    exported = [f"{name} as {name}" for name in names]
    line = f"from .{module} import {', '.join(exported)}"
    if len(line) <= LINE_LENGTH:
        return [line]
    return [f"from .{module} import (", *(f"    {name}," for name in exported), ")"]


STUBS: dict[str, Callable[[Path], str]] = {"mluops_reference": stub, "mluops.operators": operator_stub}
"""The function that makes each package's stub from its folder."""


def main() -> None:
    for package, text_of in STUBS.items():
        folder = package_folder(package)
        (folder / "__init__.pyi").write_text(text_of(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
