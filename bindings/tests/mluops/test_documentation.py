"""The examples of docs/binding.md run."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "binding.md"
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not PAGE.exists(), reason="needs a checkout")
@pytest.mark.parametrize("load", ['load("emulator")', "load()"], ids=["emulator", "device"])
def test_the_examples_run_one_after_the_other(load: str) -> None:
    if load == "load()" and "MLUOPS_LIBRARY" not in os.environ:
        pytest.skip("MLUOPS_LIBRARY names no library")
    program = "\n".join(EXAMPLE.findall(PAGE.read_text(encoding="utf-8")))
    assert program.count('library = mluops.load("emulator")') == 1
    program = program.replace('library = mluops.load("emulator")', f"library = mluops.{load}")
    exec(compile(program, str(PAGE), "exec"), {})


@pytest.mark.skipif(not PAGE.exists(), reason="needs a checkout")
def test_the_chinese_page_has_the_same_sections_and_examples() -> None:
    english = PAGE.read_text(encoding="utf-8")
    chinese = (PAGE.parent / "zh-CN" / PAGE.name).read_text(encoding="utf-8")
    assert EXAMPLE.findall(chinese) == EXAMPLE.findall(english)
    assert len(re.findall("^## ", chinese, re.MULTILINE)) == len(re.findall("^## ", english, re.MULTILINE))
