"""Each outcome in each report, by a table of its own."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from mluops_conformance.reports import render
from mluops_conformance.reports.html import payload
from mluops_conformance.results.outcomes import OUTCOMES

RED, GREEN, YELLOW = "\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m"
TABLE = [
    # outcome, needs a look, exit code alone, colour
    ("failed", True, 1, RED),
    ("mistrusted", True, 1, YELLOW),
    ("crashed", True, 1, RED),
    ("timeout", True, 1, RED),
    ("error", True, 1, RED),
    ("xpassed", True, 1, YELLOW),
    ("xfailed", False, 0, ""),
    ("unsupported", False, 5, ""),
    ("skipped", False, 5, ""),
    ("passed", False, 0, GREEN),
]


@pytest.fixture
def run_with(run_of, case):
    return lambda outcome: run_of(case(outcome, "op/it", "why"))


def test_every_outcome_is_in_this_table_in_the_order_of_reports():
    assert [outcome for outcome, *_ in TABLE] == list(OUTCOMES)


@pytest.mark.parametrize(("outcome", "look", "code", "colour"), TABLE)
class TestReports:
    def test_text_shows_what_needs_a_look_in_full(self, run_with, outcome, look, code, colour):
        assert (f"{outcome.upper()} op/it" in render(run_with(outcome), "text")) is look

    def test_the_last_line_of_text_counts_it(self, run_with, outcome, look, code, colour):
        assert f"1 {outcome} (" in render(run_with(outcome), "text").splitlines()[-1]

    def test_text_paints_its_count(self, run_with, outcome, look, code, colour):
        last = render(run_with(outcome), "text", colour=True).splitlines()[-1]
        assert f"{colour}1 {outcome}" in last
        assert bool(colour) is ("\x1b" in last)

    def test_markdown_unfolds_what_needs_a_look(self, run_with, outcome, look, code, colour):
        assert (f"<b>{outcome}</b> op/it" in render(run_with(outcome), "markdown")) is look

    def test_markdown_has_a_column_of_it(self, run_with, outcome, look, code, colour):
        head = next(line for line in render(run_with(outcome), "markdown").splitlines() if "operator" in line)
        assert re.split(r"\s*\|\s*", head.strip("| ")) == ["operator", outcome, "cases", "seconds"]

    def test_json_has_the_exit_code_and_the_outcome(self, run_with, outcome, look, code, colour):
        document = json.loads(render(run_with(outcome), "json"))
        assert (document["exit_code"], document["cases"][0]["outcome"]) == (code, outcome)
        assert document["counts"] == {outcome: 1}

    def test_csv_has_the_outcome(self, run_with, outcome, look, code, colour):
        (row,) = csv.DictReader(io.StringIO(render(run_with(outcome), "csv")))
        assert row["outcome"] == outcome

    def test_html_has_the_exit_code_and_knows_what_needs_a_look(self, run_with, outcome, look, code, colour):
        values = payload(run_with(outcome))
        shown = values["outcomes"][values["cases"]["outcome"][0]]
        assert (values["run"]["exit_code"], shown["name"], not shown["good"]) == (code, outcome, look)
