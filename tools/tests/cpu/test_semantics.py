"""The table of semantics and the page that is made of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest
from mluops_tools.cpu.project import CXX
from mluops_tools.cpu.semantics import NO_INTRINSICS, SEMANTICS, page

ROOT = Path(__file__).resolve().parents[3]
LINE_OF_FILE = re.compile(r'# \d+ "([^"]*)"')
INTRINSIC = re.compile(r"\b__(?:bang_)?([a-z]\w*[a-z0-9]) *\(")
PATTERNS = [name for row in SEMANTICS if row.names not in NO_INTRINSICS for name in row.names.split(", ")]


@pytest.fixture(scope="module")
def intrinsics() -> set[str]:
    """Return the intrinsics that the headers declare, after the preprocessor."""
    if not shutil.which("g++"):
        pytest.skip("no g++")
    command = [
        "g++",
        "-std=c++17",
        "-E",
        "-x",
        "c++",
        f"-I{CXX}",
        f"-I{CXX / 'platform'}",
        CXX / "platform/mlu.h",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    ours, declared = False, set()
    for line in done.stdout.splitlines():
        place = LINE_OF_FILE.match(line)
        if place:
            ours = place[1].startswith(str(CXX))
        elif ours:
            declared.update(INTRINSIC.findall(line))
    return declared - {"attribute"}


def test_every_intrinsic_stands_in_the_table(intrinsics: set[str]) -> None:
    assert {name for name in intrinsics if not any(fnmatch(name, pattern) for pattern in PATTERNS)} == set()


def test_every_name_of_the_table_is_an_intrinsic(intrinsics: set[str]) -> None:
    assert [p for p in PATTERNS if not any(fnmatch(name, p) for name in intrinsics)] == []


def test_the_page_is_made_of_the_table() -> None:
    assert (ROOT / "docs/cpu-intrinsics.md").read_text(encoding="utf-8") == page()


def test_every_switch_of_the_sources_stands_in_the_table() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (CXX / "bang").glob("*.cpp"))
    models = {"=".join(words) for words in re.findall(r'model_is\("(\w+)", "(\w+)"\)', sources)}
    assert models == {word for row in SEMANTICS for word in re.findall(r"\b[a-z_]+=\w+", row.switch)}
