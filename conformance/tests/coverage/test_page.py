"""docs/operators has a page for each operator, made of its data."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance.coverage.page import index, page
from mluops_conformance.operators import operator_names

FOLDER = Path(__file__).parents[3] / "docs/operators"
COMMAND = "python -m mluops_conformance.coverage.page docs/operators"


@pytest.mark.parametrize("name", operator_names())
def test_the_page_of_an_operator_is_up_to_date(name: str) -> None:
    written = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert written == page(name), f"run: {COMMAND}"


def test_the_list_of_operators_is_up_to_date() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == index(), f"run: {COMMAND}"


def test_the_list_names_an_operator_with_its_c_function_and_what_it_computes() -> None:
    row = "| [`nms_rotated`](nms_rotated.md) | `mluOpNmsRotated` | boxes in descending order of score"
    assert row in index()


def test_no_page_is_left_of_an_operator_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {"README", *operator_names()}


def test_a_page_says_what_the_operator_computes() -> None:
    assert "\nIt computes boxes in descending order of score, less those" in page("nms_rotated")


def test_a_page_shows_the_note_of_an_entry_as_its_purpose() -> None:
    row = "| `kept` | 7 | boundary | Nothing overlaps, so that all boxes are kept"
    assert row in page("nms_rotated")


def test_a_page_shows_the_statements_that_an_entry_without_a_note_checks() -> None:
    assert "| `batch` | 2 | refusal | The first dimension of feature is 1. |" in page("masked_im2col_forward")


def test_a_page_shows_what_the_library_does_against_its_document() -> None:
    row = "| 3.1 | A removed box is marked by the score 0. | It is marked by -Inf, so that"
    assert row in page("nms_rotated")


def test_a_page_shows_sizes_that_follow_from_the_device_and_known_issues() -> None:
    assert "\n| `core_boxes` | boxes that a core holds" in page("nms_rotated")
    assert "\n| A float32 hull with absolute tolerances" in page("nms_rotated")


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_a_readme_links_to_the_list_of_operators(readme: str) -> None:
    assert "(docs/operators/README.md)" in (FOLDER.parents[1] / readme).read_text(encoding="utf-8")
