"""The table of semantics and the page that is made of it."""

from __future__ import annotations

import re
from pathlib import Path

from mluops_tools.cpu.project import CXX
from mluops_tools.cpu.semantics import SEMANTICS, page

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_is_made_of_the_table() -> None:
    assert (ROOT / "docs/cpu-intrinsics.md").read_text(encoding="utf-8") == page()


def test_every_switch_of_the_sources_stands_in_the_table() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (CXX / "bang").glob("*.cpp"))
    models = {"=".join(words) for words in re.findall(r'model_is\("(\w+)", "(\w+)"\)', sources)}
    assert models == {word for row in SEMANTICS for word in re.findall(r"\b[a-z_]+=\w+", row.switch)}
