"""Which package may import which; the emulator and the reference must stay independent of each other."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Iterator

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "mluops": ROOT / "bindings/mluops",
    "mluops_emulator": ROOT / "bindings/mluops_emulator",
    "mluops_reference": ROOT / "reference/mluops_reference",
    "mluops_conformance": ROOT / "conformance/mluops_conformance",
    "mluops_tools": ROOT / "tools/mluops_tools",
}
MAY_IMPORT = {
    "mluops": {"mluops", "mluops_emulator"},
    "mluops_emulator": {
        "mluops_emulator",
        "mluops.signatures",
        "mluops.types",
        "mluops.constants",
        "mluops.dtypes",
    },
    "mluops_reference": {"mluops_reference"},
    "mluops_conformance": {"mluops_conformance", "mluops", "mluops_emulator", "mluops_reference"},
    "mluops_tools": set(PACKAGES),
}
THIRD_PARTY = {
    "mluops": {"numpy"},
    "mluops_emulator": {"numpy"},
    "mluops_reference": {"numpy"},
    "mluops_conformance": {"numpy", "pytest", "yaml", "tabulate", "xdist"},
    "mluops_tools": {"numpy", "pytest", "tabulate", "yaml", "google", "grpc_tools"},
}


def imported_modules(package: str) -> Iterator[str]:
    for path in PACKAGES[package].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                yield node.module or ""


def is_within(module: str, allowed: set[str]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in allowed)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_the_packages_below_it(package: str) -> None:
    ours = {module for module in imported_modules(package) if module.split(".")[0] in PACKAGES}
    assert {module for module in ours if not is_within(module, MAY_IMPORT[package])} == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_its_declared_dependencies(package: str) -> None:
    known = {
        "numpy",
        "pytest",
        "yaml",
        "tabulate",
        "xdist",
        "hypothesis",
        "jinja2",
        "matplotlib",
        "google",
        "grpc_tools",
        "scipy",
    }
    foreign = {module.split(".")[0] for module in imported_modules(package)} & known
    assert foreign <= THIRD_PARTY[package]


def arrows_between_packages() -> dict[str, set[str]]:
    """Which packages of the harness each of them imports."""
    root = PACKAGES["mluops_conformance"]
    arrows: dict[str, set[str]] = {}
    for path in root.glob("*/**/*.py"):
        package = path.relative_to(root).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mluops_conformance."):
                other = str(node.module).split(".")[1]
                if other != package and (root / other).is_dir():
                    arrows.setdefault(package, set()).add(other)
    return arrows


def reachable(start: str, arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = set(arrows.get(start, ()))
    while pending:
        package = pending.pop()
        found.add(package)
        pending |= arrows.get(package, set()) - found
    return found


@pytest.mark.parametrize("package", ["engine", "execution", "artefacts", "results", "selftest", "support"])
def test_no_way_of_imports_leads_from_a_package_back_to_it(package: str) -> None:
    assert package not in reachable(package, arrows_between_packages())


def test_the_binding_names_the_emulator_in_one_place() -> None:
    places = [
        path.name
        for path in PACKAGES["mluops"].rglob("*.py")
        if "mluops_emulator import" in path.read_text(encoding="utf-8")
    ]
    assert places == ["loading.py"]


def test_every_operator_of_the_binding_is_exported_by_name() -> None:
    import mluops

    modules = {path.stem for path in (PACKAGES["mluops"] / "operators").glob("[a-z]*.py")}
    assert modules == set(mluops.operators.__all__)


def test_every_operator_has_its_five_parts() -> None:
    import mluops_reference
    from mluops_conformance.operators import operator_names

    for name in operator_names():
        assert (PACKAGES["mluops"] / f"operators/{name}.py").is_file()
        assert (PACKAGES["mluops_emulator"] / f"operators/{name}.py").is_file()
        assert callable(getattr(mluops_reference, name, None))
        assert (ROOT / "cases" / name / "requirements.yaml").is_file()
