"""The list of modules in docs/architecture.md says what the modules say."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_tools.module_index import BLOCK, refreshed, summary

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def page() -> str:
    """A page with an old list, and with the list of the modules of this checkout in its place."""
    return refreshed("before\n<!-- modules -->\nold\n<!-- end -->\nafter\n", CHECKOUT)


def test_the_page_lists_every_module_as_it_is(page: str) -> None:
    text = (CHECKOUT / "docs/architecture.md").read_text(encoding="utf-8")
    listed = BLOCK.search(page)
    assert listed is not None
    assert listed[0] in text, "python -m mluops_tools.module_index docs/architecture.md"


def test_a_list_of_old_is_replaced(page: str) -> None:
    assert page.startswith("before\n<!-- modules -->\n\n### bindings/mluops\n")
    assert page.endswith("<!-- end -->\nafter\n")
    assert "/judging/tally.py` | One pass over an output and its expectation: the sums" in page
    assert "old" not in page.splitlines()


def test_files_of_single_operators_are_left_out(page: str) -> None:
    assert "nms_rotated.py`" not in page
    assert "/_wrong_boxes.py`" in page


def test_a_module_is_summed_up_by_its_first_sentence(tmp_path: Path) -> None:
    module = tmp_path / "some.py"
    module.write_text('"""One thing, by mlu_op.h\nv1.11.1. More of it.\n\nA second paragraph.\n"""\n')
    assert summary(module) == "One thing, by mlu_op.h v1.11.1"
