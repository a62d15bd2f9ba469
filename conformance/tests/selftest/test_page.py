"""docs/faults.md names faults that there are."""

from __future__ import annotations

import re
from fnmatch import filter as matching
from pathlib import Path

import pytest
from mluops_emulator.faults import FAULTS

PAGE = Path(__file__).resolve().parents[3] / "docs/faults.md"

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="the page is not part of an installation")


def test_every_fault_that_the_page_names_can_be_planted():
    page = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"(?:`|--fault )((?:\w+|\*)/[a-z0-9*-]+)(?=[`\s])", page)
    assert len(named) > 40
    assert [name for name in named if not matching(FAULTS, name)] == []
