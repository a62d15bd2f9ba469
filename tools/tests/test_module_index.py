"""The list of modules in docs/architecture.md says what the modules say."""

from __future__ import annotations

from pathlib import Path

from mluops_tools.module_index import refreshed, summary

CHECKOUT = Path(__file__).resolve().parents[2]


def test_the_page_lists_every_module_as_it_is() -> None:
    text = (CHECKOUT / "docs/architecture.md").read_text(encoding="utf-8")
    assert refreshed(text, CHECKOUT) == text, "python -m mluops_tools.module_index docs/architecture.md"


def test_a_list_of_old_is_replaced() -> None:
    page = refreshed("before\n<!-- modules -->\nold\n<!-- end -->\nafter\n", CHECKOUT)
    assert page.startswith("before\n<!-- modules -->\n\n### bindings/mluops\n")
    assert page.endswith("<!-- end -->\nafter\n")
    assert "/judging/tally.py` | One pass over an output and its expectation: the sums" in page
    assert "old" not in page.splitlines()


def test_files_of_single_operators_are_left_out() -> None:
    page = refreshed("<!-- modules -->\n<!-- end -->\n", CHECKOUT)
    assert "nms_rotated.py`" not in page
    assert "/_wrong_boxes.py`" in page


def test_a_module_is_summed_up_by_its_first_sentence(tmp_path: Path) -> None:
    module = tmp_path / "some.py"
    module.write_text('"""One thing, by mlu_op.h\nv1.11.1. More of it.\n\nA second paragraph.\n"""\n')
    assert summary(module) == "One thing, by mlu_op.h v1.11.1"
