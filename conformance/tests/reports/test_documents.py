"""JSON, Markdown and CSV reports."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from mluops_conformance.judging.values import GtestVerdict, OutputVerdict
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
    with pytest.raises(ValueError, match="unknown report format 'pdf'; there are text, junit"):
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

    def test_each_reason_not_to_run_cases_is_counted_once(self, run_of, case):
        records = [case("skipped", f"op/{i}", "no `device`") for i in range(3)]
        lines = render(run_of(case(), *records), "markdown").splitlines()
        assert lines[-1] == r"- 3 skipped: no \`device\`"

    def test_reasons_beyond_what_fits_are_counted(self, run_of, case):
        records = [case("skipped", f"op/{i}", f"reason {i}") for i in range(UNFOLDABLE + 3)]
        assert (
            render(run_of(*records), "markdown").splitlines()[-1] == "- and 3 more reasons not to run cases"
        )

    def test_a_known_issue_stands_with_the_cases_in_which_it_showed(self, run_of, case):
        known = replace(case("xfailed", "op/a", "known: off by 1"), issue="It overflows.")
        text = render(run_of(known), "markdown")
        assert "- known issue, showed in 1 of 1 case: It overflows.<br>  op/a\n" in text

    def test_what_gtest_would_fail_is_told(self, run_of, case):
        failing = OutputVerdict("out", "passed", gtest=GtestVerdict(False, {"diff1": 1.0}, {"diff1": 0.25}))
        text = render(run_of(case(case_id="op/a", outputs=(failing,))), "markdown")
        assert "- gtest would fail 1 of the cases that passed: op/a\n" in text

    def test_what_is_wrong_with_the_run_is_told(self, run_of, case):
        text = render(run_of(case(), problems=("the run was cut short",)), "markdown")
        assert text.splitlines()[-1] == "- the run was cut short"

    def test_contradictions_between_document_and_library_are_folded(self, run_of, case):
        run = run_of(case())
        said = {"op/1.3/x": {"document": "dx < 0.", "library": "dx > 0."}}
        run = replace(run, header=replace(run.header, contradictions=said))
        assert render(run, "markdown").endswith(
            "<details><summary>judged by the library, which contradicts the document:</summary>\n\n"
            "<pre>  op/1.3/x: dx &lt; 0.\n    library: dx &gt; 0.</pre>\n\n</details>\n"
        )

    def test_a_run_of_which_nothing_is_to_be_said_has_its_counts_alone(self, run_of, case):
        assert len(render(run_of(case()), "markdown").splitlines()) == 5

    def test_a_long_list_is_cut_and_says_so(self, run_of, case):
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
        records = [case("failed", f"op/{sign}", f"why {sign}") for sign in letters[: UNFOLDABLE + 3]]
        assert "and 3 more causes" in render(run_of(*records), "markdown")


class TestCsv:
    def rows(self, run):
        return list(csv.DictReader(io.StringIO(render(run, "csv"))))

    def test_one_row_an_output(self, run_of, case, failed):
        rows = self.rows(run_of(failed, case("skipped", reason="no device")))
        assert [(row["outcome"], row["output"]) for row in rows] == [("failed", "output"), ("skipped", "")]

    def test_rows_come_by_id_whichever_case_ended_first(self, run_of, case):
        rows = self.rows(run_of(case(case_id="nms_rotated/b"), case(case_id="nms_rotated/a")))
        assert [row["id"] for row in rows] == ["nms_rotated/a", "nms_rotated/b"]

    def test_measures_thresholds_and_the_worst_element_have_columns(self, run_of, failed):
        (row,) = self.rows(run_of(failed))
        assert (row["diff3"], row["diff3 threshold"]) == ("0.25", "0.0")
        assert (row["worst index"], row["worst actual"], row["worst expected"]) == ("3", "5", "4")
