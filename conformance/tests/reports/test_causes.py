"""Causes in every report: many failures are mostly few faults."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from mluops_conformance.reports import render
from mluops_conformance.reports.html import payload
from mluops_conformance.reports.text import LISTED


@pytest.fixture
def run(run_of, case):
    """A run with two causes: `returned 7` of three cases, the smallest is `op/b`; and a crash."""
    failed = [
        replace(case("failed", f"op/{name}", "f returned 7"), size=size)
        for name, size in (("a", 9), ("b", 1), ("c", 4))
    ]
    return run_of(case(), *failed, case("crashed", "op/d", "its process ended"))


class TestText:
    def test_the_smallest_case_stands_in_full_and_the_others_by_their_ids(self, run):
        lines = render(run, "text").splitlines()
        assert [line.split()[1] for line in lines if line.startswith(("FAILED", "CRASHED"))] == [
            "op/b",
            "op/d",
        ]
        at = lines.index("  also    op/c")
        assert lines[at + 1] == "          op/a"

    def test_the_causes_stand_above_the_counts(self, run):
        *_, title, first, second, empty, last = render(run, "text").splitlines()
        assert title == "4 bad cases with 2 causes:"
        assert (first.split(), second.split()) == (
            ["3", "failed", "op:", "f", "returned", "…"],
            ["1", "crashed", "op:", "its", "process", "ended"],
        )
        assert (empty, last[:8]) == ("", "1 passed")

    def test_every_case_stands_in_full_where_that_is_wanted(self, run):
        text = render(run, "text", every=True)
        assert [line.split()[1] for line in text.splitlines() if line.startswith("FAILED")] == [
            "op/b",
            "op/c",
            "op/a",
        ]
        assert "  also " not in text

    def test_without_a_common_cause_there_is_no_list_of_them(self, run_of, case):
        run = run_of(case("failed", "op/a", "one"), case("failed", "op/b", "other"))
        assert "cause" not in render(run, "text")

    def test_of_many_cases_the_rest_is_counted(self, run_of, case):
        run = run_of(*(case("failed", f"op/{number:02}", "why") for number in range(LISTED + 4)))
        assert "          and 3 more of this cause; `report --every-case` has each in full" in render(
            run, "text"
        )

    def test_the_arguments_that_a_refused_case_changes_are_shown(self, run_of, case):
        changed = replace(case("failed", "op/a", "why"), changed=("`boxes`: pointer NULL", "clusters: 0"))
        assert render(run_of(changed), "text").splitlines()[1:4] == [
            "  why     why",
            "  changed `boxes`: pointer NULL",
            "  changed clusters: 0",
        ]


def test_markdown_has_a_row_a_cause_and_unfolds_the_smallest_case(run):
    text = render(run, "markdown")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "|" in line
    ]
    assert ["3", "failed", "op", "f returned …"] in rows
    assert "<summary><b>failed</b> op/b: f returned 7 (and 2 more of this cause)</summary>" in text
    assert text.count("<details>") == 2


def test_json_has_the_causes_with_their_cases(run):
    assert json.loads(render(run, "json"))["causes"] == [
        {"outcome": "failed", "operator": "op", "what": "f returned …", "cases": ["op/b", "op/c", "op/a"]},
        {"outcome": "crashed", "operator": "op", "what": "its process ended", "cases": ["op/d"]},
    ]


def test_csv_has_a_column_of_causes(run):
    rows = csv.DictReader(io.StringIO(render(run, "csv")))
    assert {row["id"]: row["cause"] for row in rows} == {
        "nms_rotated/network-34": "",
        "op/a": "f returned …",
        "op/b": "f returned …",
        "op/c": "f returned …",
        "op/d": "its process ended",
    }


def test_junit_has_a_property_of_each_case_that_needs_a_look(run):
    root = ElementTree.fromstring(render(run, "junit").encode("utf-8"))
    found = {
        testcase.get("name"): entry.get("value")
        for testcase in root.iter("testcase")
        for entry in testcase.iter("property")
        if entry.get("name") == "cause"
    }
    assert found == {
        "op/a": "f returned …",
        "op/b": "f returned …",
        "op/c": "f returned …",
        "op/d": "its process ended",
    }


def test_html_has_the_causes_with_the_places_of_their_cases(run):
    assert payload(run)["causes"] == [
        {"outcome": 0, "operator": "op", "what": "f returned …", "cases": [2, 3, 1]},
        {"outcome": 2, "operator": "op", "what": "its process ended", "cases": [4]},
    ]
