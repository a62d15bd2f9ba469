"""docs/case-language.md shows what the checker knows."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from mluops_conformance.fills.registry import GENERIC
from mluops_conformance.language import page as page_module
from mluops_conformance.language.fields import FIELDS
from mluops_conformance.language.kinds import KINDS
from mluops_conformance.language.page import HOLDS, refreshed, tables

PAGE = Path(__file__).parents[3] / "docs/case-language.md"


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == refreshed(page), "run: python -m mluops_conformance.language.page docs/case-language.md"


def test_every_table_stands_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in tables() if f"<!-- table: {name} -->" not in page] == []


def test_every_kind_is_put_in_words() -> None:
    assert {*KINDS, *(field.kind for field in FIELDS)} - set(HOLDS) == set()


def test_a_table_has_a_row_for_each_field() -> None:
    assert "| `id`, required | id |" in tables()["fields of case"]
    assert "| `expires`, required | year-month-day |" in tables()["fields of known issue"]


def test_a_fill_is_followed_by_its_options_with_their_defaults() -> None:
    assert (
        "| `constant` |  | any data |  | one value everywhere |\n"
        "|  | `value` | number | must be given | the value of every element |\n"
    ) in tables()["generic fills"]
    assert tables()["generic fills"].count("\n| `") == len(GENERIC)


def test_the_tables_of_operators_stand_under_their_names() -> None:
    assert "\n\nroiaware_pool3d_backward\n\n| fill |" in tables()["fills of operators"]
    assert "\n\nnms_rotated\n\n| limit |" in tables()["limits of operators"]


def test_what_stood_in_a_table_is_replaced() -> None:
    page = "before\n<!-- table: fields of expect -->\nold\n<!-- end -->\nafter\n"
    table = tables()["fields of expect"]
    assert refreshed(page) == f"before\n<!-- table: fields of expect -->\n{table}\n<!-- end -->\nafter\n"


def test_the_module_refreshes_the_files_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "page.md"
    file.write_text("<!-- table: fields of expect -->\nold\n<!-- end -->\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["page", str(file)])
    runpy.run_path(str(page_module.__file__), run_name="__main__")
    assert file.read_text(encoding="utf-8").splitlines()[1].startswith("| field | holds |")


def test_a_table_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError, match="fields of nothing"):
        refreshed("<!-- table: fields of nothing -->\n<!-- end -->")
