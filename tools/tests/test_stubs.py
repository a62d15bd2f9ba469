"""Stubs of packages that discover what they publish."""

from __future__ import annotations

import sys

import pytest
from mluops_tools.stubs import STUBS, package_folder, published_by, stub


@pytest.mark.skipif(sys.version_info < (3, 9), reason="writing stubs needs Python 3.9")
@pytest.mark.parametrize("package", STUBS)
def test_the_stub_says_what_the_package_publishes(package):
    folder = package_folder(package)
    found = (folder / "__init__.pyi").read_text(encoding="utf-8")
    assert found == STUBS[package](folder), "run `python -m mluops_tools.stubs`"


def test_names_come_from_the_modules_own_list(tmp_path):
    (tmp_path / "one.py").write_text('__all__ = ["pool", "Pool"]\nother = 1\n')
    (tmp_path / "helper.py").write_text("hidden = 1\n")
    assert published_by(tmp_path / "one.py") == ["Pool", "pool"]
    assert stub(tmp_path) == "from .one import Pool as Pool, pool as pool\n"
