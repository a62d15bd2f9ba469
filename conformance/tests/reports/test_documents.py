"""JSON, Markdown and CSV reports."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from mluops_conformance.reports import FORMATS, render
from mluops_conformance.reports.markdown import UNFOLDABLE


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_renders_an_empty_run_and_a_full_one(run_of, case, failed, name):
    assert render(run_of(), name)
    assert "bad" in render(run_of(case(), failed), name) or name == "text"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_written_as_utf8(run_of, case, name):
    assert render(run_of(case("failed", "op/\ud800", "\ud800 \uffff")), name).encode("utf-8")


@pytest.mark.parametrize("name", FORMATS)
def test_a_runs_own_name_can_be_anything(run_of, case, name):
    run = run_of(case())
    run = replace(run, header=replace(run.header, run="\ud800 \x1b", command=("run", "\ud800")))
    assert render(run, name).encode("utf-8")


def test_an_unknown_format_is_named_with_those_that_exist(run_of):
    with pytest.raises(ValueError, match="no report format is called 'pdf'; there are text, junit"):
        render(run_of(), "pdf")


class TestJson:
    def test_it_holds_counts_exit_code_and_the_records(self, run_of, case, failed):
        document = json.loads(render(run_of(case(), failed), "json"))
        assert (document["schema"], document["exit_code"]) == (1, 1)
        assert document["counts"] == {"failed": 1, "passed": 1}
        assert [entry["id"] for entry in document["cases"]] == ["nms_rotated/network-34", "nms_rotated/bad"]
        assert document["emulated"] is True

    def test_special_numbers_are_strings(self, run_of, failed):
        document = json.loads(render(run_of(failed), "json"))
        assert document["cases"][0]["outputs"][0]["mismatches"][0]["actual"] == "nan"


class TestMarkdown:
    def test_a_table_of_counts_by_operator(self, run_of, case, failed):
        lines = render(run_of(case(), failed), "markdown").splitlines()
        row = next(line for line in lines if line.startswith("| nms"))
        assert [cell.strip() for cell in row.strip("|").split("|")] == ["nms\\_rotated", "1", "1", "2", "1.5"]

    def test_what_needs_a_look_is_folded(self, run_of, failed):
        text = render(run_of(failed), "markdown")
        assert "<details><summary><b>failed</b> nms_rotated/bad: output: diff3 is 0.25" in text
        assert "off by 1 at [3]" in text

    def test_texts_cannot_break_the_page(self, run_of, case):
        text = render(run_of(case("failed", "op/a|b", "</details> <script>")), "markdown")
        assert "<script>" not in text
        assert text.count("</details>") == 1

    def test_a_long_list_is_cut_and_says_so(self, run_of, case):
        records = [case("failed", f"op/{i}", "why") for i in range(UNFOLDABLE + 3)]
        assert "and 3 more that need a look" in render(run_of(*records), "markdown")


class TestCsv:
    def rows(self, run):
        return list(csv.DictReader(io.StringIO(render(run, "csv"))))

    def test_one_row_an_output(self, run_of, case, failed):
        rows = self.rows(run_of(failed, case("skipped", reason="no device")))
        assert [(row["outcome"], row["output"]) for row in rows] == [("failed", "output"), ("skipped", "")]

    def test_measures_thresholds_and_the_worst_element_have_columns(self, run_of, failed):
        (row,) = self.rows(run_of(failed))
        assert (row["diff3"], row["diff3 threshold"]) == ("0.25", "0.0")
        assert (row["worst index"], row["worst actual"], row["worst expected"]) == ("3", "5", "4")
