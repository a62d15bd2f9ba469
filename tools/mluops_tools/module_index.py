"""Write the list of modules in docs/architecture.md from their docstrings.

    python -m mluops_tools.module_index docs/architecture.md

Files that have the name of an operator are left out: they follow one pattern, and a new one changes no page.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Iterator

from mluops_conformance.language.page import table
from mluops_conformance.operators import operator_names

ROOTS = (
    "bindings/mluops",
    "bindings/mluops_emulator",
    "reference/mluops_reference",
    "conformance/mluops_conformance",
    "tools/mluops_tools",
)
BLOCK = re.compile(r"(?<=<!-- modules -->\n).*?(?=<!-- end -->)", re.DOTALL)
SENTENCE = re.compile(r"(.+?)(?:\.\s.*|\.?$)", re.DOTALL)


def refreshed(page: str, checkout: Path) -> str:
    """Return the page with the list between `<!-- modules -->` and `<!-- end -->` as it must be now."""
    return BLOCK.sub(lambda _: "".join(_sections(checkout)), page)


def _sections(checkout: Path) -> Iterator[str]:
    for root in ROOTS:
        for folder in sorted(path.parent for path in (checkout / root).rglob("__init__.py")):
            place = folder.relative_to(checkout).as_posix()
            rows = [(f"`{place}/{path.name}`", summary(path)) for path in _listed(folder)]
            if rows:
                yield f"\n### {place}\n\n{summary(folder / '__init__.py')}.\n\n"
                yield f"{table(('module', 'contents'), rows)}\n"


def _listed(folder: Path) -> list[Path]:
    hidden = {"__init__", "__main__", *operator_names()}
    return [path for path in sorted(folder.glob("*.py")) if path.stem not in hidden]


def summary(path: Path) -> str:
    """Return the first sentence of a module's docstring, without its end; empty where it has none."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    found = SENTENCE.match(" ".join(text.partition("\n\n")[0].split()))
    return found[1] if found else ""


if __name__ == "__main__":
    for name in sys.argv[1:]:
        file = Path(name)
        text = refreshed(file.read_text(encoding="utf-8"), file.resolve().parents[1])
        file.write_text(text, encoding="utf-8")
