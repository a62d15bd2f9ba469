"""The pages in Chinese have the headings, the commands and the fields of the English pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGES = (
    *("binding.md", "case-language.md", "ci.md", "comparing.md", "cpu.md", "numerics.md"),
    "reading-a-report.md",
)
BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r" +# .*$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="needs a checkout")


def levels(text: str) -> list[int]:
    """Return the levels of the headings of a page, in order."""
    return [len(marks) for marks in re.findall(r"^(#+) ", BLOCK.sub("", text), re.MULTILINE)]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rows(page: str, mark: str) -> dict[str, list[list[str]]]:
    """Return the code spans of each row of each marked table of a page, by the table's name."""
    tables = re.findall(rf"<!-- {mark}: (.+?) -->\n(.*?)<!-- end -->", page, re.DOTALL)
    return {name: [sorted(re.findall("`.*?`", row)) for row in table.splitlines()] for name, table in tables}


def test_the_pages_in_chinese_are_these() -> None:
    assert sorted(path.name for path in (DOCS / "zh-CN").glob("*.md")) == sorted(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_chinese_has_the_headings_of_the_english_page(name: str) -> None:
    english = (DOCS / name).read_text(encoding="utf-8")
    assert levels((DOCS / "zh-CN" / name).read_text(encoding="utf-8")) == levels(english)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_chinese_has_the_code_blocks_of_the_english_page(name: str) -> None:
    english = (DOCS / name).read_text(encoding="utf-8")
    assert BLOCK.findall((DOCS / "zh-CN" / name).read_text(encoding="utf-8")) == BLOCK.findall(english)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(DOCS)))
def test_a_link_to_a_heading_leads_to_one(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    wrong = [
        f"{file}#{anchor}"
        for file, anchor in links
        if anchor not in anchors((page.parent / file if file else page).read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_the_readme_in_chinese_has_the_headings_and_the_commands_of_the_english_one() -> None:
    english, chinese = (
        (DOCS.parent / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md")
    )
    assert levels(chinese) == levels(english)
    assert [COMMENT.sub("", block) for block in BLOCK.findall(chinese)] == [
        COMMENT.sub("", block) for block in BLOCK.findall(english)
    ]


def test_a_translated_table_has_the_rows_of_the_english_table() -> None:
    english = rows((DOCS / "case-language.md").read_text(encoding="utf-8"), "table")
    chinese = rows((DOCS / "zh-CN/case-language.md").read_text(encoding="utf-8"), "translated")
    assert sorted(set(english) - set(chinese)) == ["fills of operators", "limits of operators"]
    assert chinese == {name: english[name] for name in chinese}
