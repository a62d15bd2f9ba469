"""The permitted imports between packages; the emulator and the reference stay independent of each other."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path
from typing import Callable, Iterator

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


@lru_cache(maxsize=None)
def tree_of(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements directly below a node; expressions, most of a tree, are left out."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        yield from getattr(node, field, ())


def all_statements(node: ast.AST) -> Iterator[ast.AST]:
    for child in statements(node):
        yield child
        yield from all_statements(child)


@lru_cache(maxsize=None)
def imported_modules(package: str) -> frozenset[str]:
    nodes = [node for path in PACKAGES[package].rglob("*.py") for node in all_statements(tree_of(path))]
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0}
    return frozenset(whole | parts)


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


HARNESS = PACKAGES["mluops_conformance"]
PAGE = ROOT / "docs/architecture.md"
ARROWS = {
    "support": "",
    "fills": "support",
    "performance": "",
    "judging": "support",
    "operators": "fills judging support",
    "language": "fills judging operators performance support",
    "results": "judging performance support",
    "coverage": "language operators support",
    "execution": "fills judging language operators performance results support",
    "reports": "judging language performance results support",
    "artefacts": "execution judging language operators results support",
    "comparison": "judging performance reports results support",
    "history": "artefacts comparison performance reports results support",
    "engine": "artefacts execution language operators reports results support",
    "selftest": "engine execution language operators results support",
    "commands": "artefacts comparison coverage engine execution history language operators reports results "
    "selftest support",
}
"""The packages of the harness, and which each may import; those below come first."""
FOR_TYPES_ALONE = {"fills": {"language"}, "judging": {"operators"}}
"""Imports against the order, which only a type checker follows."""


def is_for_types_alone(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imports_in(node: ast.AST) -> Iterator[str]:
    """Return the modules that a tree imports when it runs."""
    for child in statements(node):
        if isinstance(child, ast.ImportFrom) and child.level == 0:
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        elif not is_for_types_alone(child):
            yield from imports_in(child)


def all_imports_in(node: ast.AST) -> Iterator[str]:
    for child in all_statements(node):
        if isinstance(child, ast.ImportFrom) and child.level == 0:
            yield from (f"{child.module}.{alias.name}" for alias in child.names)


@lru_cache(maxsize=None)
def trees_of(package: str) -> tuple[ast.AST, ...]:
    return tuple(map(tree_of, (HARNESS / package).rglob("*.py")))


def packages_imported_by(package: str, read: Callable[[ast.AST], Iterator[str]]) -> set[str]:
    modules = [module.split(".") for tree in trees_of(package) for module in read(tree)]
    found = {parts[1] for parts in modules if parts[0] == "mluops_conformance"}
    return (found & set(ARROWS)) - {package}


def test_every_package_of_the_harness_has_its_arrows() -> None:
    assert {path.parent.name for path in HARNESS.glob("*/__init__.py")} == set(ARROWS)


@pytest.mark.parametrize("package", ARROWS)
def test_a_package_of_the_harness_imports_only_those_of_its_arrows(package: str) -> None:
    assert packages_imported_by(package, imports_in) - set(ARROWS[package].split()) == set()


@pytest.mark.parametrize("package", ARROWS)
def test_types_alone_are_imported_against_the_arrows_only_where_known(package: str) -> None:
    against = packages_imported_by(package, all_imports_in) - set(ARROWS[package].split())
    assert against == FOR_TYPES_ALONE.get(package, set())


def test_every_arrow_leads_to_a_package_that_stands_before() -> None:
    order = list(ARROWS)
    later = [
        (package, other)
        for package, others in ARROWS.items()
        for other in others.split()
        if order.index(other) >= order.index(package)
    ]
    assert later == []


def test_the_page_shows_the_arrows() -> None:
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\|([^|]*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    shown = {package: set(re.findall(r"`(\w+)`", others)) for package, others in rows}
    expected = {package: set(others.split()) for package, others in ARROWS.items()}
    expected["commands"] = (
        set(ARROWS) - expected["commands"] - {"commands"}
    )  # the page names what is left out
    assert shown == expected
    assert [package for package, _ in rows] == list(ARROWS)


@pytest.mark.parametrize("package", sorted(set(ARROWS) - {"support", "commands"}))
def test_a_package_says_what_may_import_it(package: str) -> None:
    text = (HARNESS / package / "__init__.py").read_text(encoding="utf-8")
    contents, importers = str(ast.get_docstring(ast.parse(text))).split("\n\n")
    assert contents.endswith(".")
    assert importers.endswith(" may import it.")
    named = set(re.findall(r"`(\w+)`", importers)) - {"cli", "plugin"}
    assert named == {other for other, others in ARROWS.items() if package in others.split()}


def named_files() -> list[str]:
    """Return the paths on the page of the architecture, from the root of the repository."""
    by_hand = PAGE.read_text(encoding="utf-8").partition("<!-- modules -->")[0]
    names = re.findall(r"`([\w./]+(?:\.pyi?|\.yaml|/))`", by_hand)
    roots = ("bindings/", "cases/", "conformance/", "reference/", "tools/")
    return [name if name.startswith(roots) else f"conformance/mluops_conformance/{name}" for name in names]


def test_the_page_of_the_architecture_names_files_that_exist() -> None:
    assert len(named_files()) > 50
    assert [name for name in named_files() if not (ROOT / name).exists()] == []


def test_the_page_of_the_architecture_has_ten_stops() -> None:
    stops = re.findall(r"^(\d+)\. ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert stops == [str(number) for number in range(1, 11)]


def test_the_links_of_the_pages_lead_to_pages() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("README*.md")]
    links = [
        (page.name, link)
        for page in pages
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert links == []


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


RIDDLE = re.compile(r"(What|How|Where|Whether|Of|Which|Why|That|Who|Whose|When|If)\b")


def docstrings_in(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each docstring, and of each string below a constant or an attribute."""
    for node in all_statements(tree_of(path)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, value.value.strip()


@pytest.mark.parametrize("folder", ["bindings", "reference", "conformance", "tools"])
def test_a_docstring_begins_as_a_statement(folder: str) -> None:
    riddles = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, text in docstrings_in(path)
        if RIDDLE.match(text)
    ]
    assert riddles == []
