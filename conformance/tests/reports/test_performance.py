"""Measured times in reports."""

from __future__ import annotations

import csv
import io
from xml.etree import ElementTree

import pytest
from mluops_conformance.performance.times import Competitor, Peaks
from mluops_conformance.reports import render
from mluops_conformance.reports.html import payload
from mluops_conformance.reports.performance import HEADERS, notes, table
from mluops_conformance.reports.text import WIDEST, case_block

V100 = Competitor("Tesla V100-SXM2-16GB, PyTorch 1.6.0", 40e-6, "the document, 3.7", 0.01, 0.02)


class TestTable:
    def test_a_row_has_the_figures_with_their_units(self, run_of, timed):
        headers, rows = table(run_of(timed(competitors=(V100,))))
        assert headers == HEADERS
        assert rows == [
            (
                *(
                    "op/a",
                    "20 us",
                    "20 us to 26 us",
                    "10.6 % (unsteady)",
                    "5 us",
                    "50 %",
                    "30 %",
                    "qualified",
                ),
                *("2.148 MiB", "40 us (0.5 x) on Tesla V100-SXM2-16GB"),
            )
        ]

    def test_columns_that_nothing_stands_in_are_left_out(self, run_of, timed):
        headers, _ = table(run_of(timed(operations=None), timed("op/b", operations=None)))
        assert "compute" not in headers
        assert "other device" not in headers

    def test_a_column_that_one_case_needs_stands_for_all(self, run_of, timed):
        headers, rows = table(run_of(timed(operations=None), timed("op/b")))
        assert [row[headers.index("compute")] for row in rows] == ["-", "30 %"]

    def test_a_network_case_has_a_grade(self, run_of, timed):
        assert "grade" in table(run_of(timed()))[0]

    def test_cases_that_were_not_measured_have_no_row(self, run_of, timed, case):
        _, rows = table(run_of(case(), timed()))
        assert [row[0] for row in rows] == ["op/a"]

    @pytest.mark.parametrize(("slowest", "variation"), [(26, "10.6 % (unsteady)"), (25, "8.94 %")])
    def test_a_variation_above_ten_per_cent_is_marked(self, run_of, timed, slowest, variation):
        headers, (row,) = table(run_of(timed(times=(20,) * 5 + (slowest,))))
        assert row[headers.index("variation")] == variation

    def test_too_few_times_have_no_interval(self, run_of, timed):
        headers, _ = table(run_of(timed(times=(20, 20))))
        assert "95 % interval" not in headers


class TestNotes:
    def test_a_measuring_error_is_told_with_its_case(self, run_of, timed):
        first, *_ = notes(run_of(timed(times=(20, 20, 20, 20, 20, 0))))
        assert first == "measuring error in op/a: hardware time: 1 of 6 are zero, negative or no number"

    def test_an_error_of_several_cases_is_told_once_with_the_first_of_them(self, run_of, timed):
        first, *others = notes(run_of(*(timed(f"op/{i}", times=(0,) * 6) for i in range(7))))
        assert first == (
            "measuring error in 7 cases, op/0, op/1, op/2, op/3, op/4 and 2 more: "
            "hardware time: 6 of 6 are zero, negative or no number"
        )
        assert not any("measuring error" in note for note in others)

    def test_times_that_are_too_short_for_the_peak_are_told_once_whatever_they_are(self, run_of, timed):
        told = notes(run_of(timed(times=(1,) * 6), timed("op/b", times=(2,) * 6)))
        assert [note.partition(":")[0] for note in told if "above 100 %" in note] == [
            "measuring error in 2 cases, op/a, op/b"
        ] * 2

    def test_what_holds_of_several_cases_is_told_once(self, run_of, timed):
        told = notes(run_of(timed(peaks=Peaks()), timed("op/b", peaks=Peaks())))
        assert [note.partition(":")[0] for note in told] == ["2 cases", "2 cases"]

    def test_each_peak_is_told_once_with_its_origin(self, run_of, timed):
        told = notes(run_of(timed(), timed("op/b")))
        assert told[:2] == ["IO: of 300 GB/s, told", "compute: of 1000 GOP/s, told"]

    def test_a_peak_that_no_case_is_a_part_of_is_not_told(self, run_of, timed):
        assert not any(note.startswith("compute") for note in notes(run_of(timed(operations=None))))

    def test_cases_are_counted_that_reach_what_is_wanted_of_them(self, run_of, timed):
        *_, last = notes(run_of(timed(), timed("op/b", network=False), timed("op/c", times=(10.5,) * 6)))
        wanted = "60 % in sizes of networks, 30 % in others"
        assert last == f"mlu-ops' acceptance standard ({wanted}) is met by 2 of 3 cases"

    def test_what_cannot_be_right_reaches_nothing(self, run_of, timed):
        told = notes(run_of(timed(times=(1,) * 6)))
        assert not any("acceptance standard" in note for note in told)


@pytest.mark.parametrize("name", ["text", "markdown", "csv", "html"])
def test_a_run_without_times_says_nothing_of_them(run_of, case, name):
    assert "interface" not in render(run_of(case()), name).partition("<script type=")[0]


def test_the_text_report_keeps_the_counts_last(run_of, timed):
    lines = render(run_of(timed()), "text").splitlines()
    assert lines[0].split()[:2] == ["case", "hardware"]
    assert lines[-1].startswith("1 passed")


def test_where_the_text_table_is_wide_ids_and_other_devices_have_lines_of_their_own(run_of, timed):
    wide = "op/" + "dimension=1000," * 6
    text = render(run_of(timed(wide, competitors=(V100,)), timed("op/b")), "text")
    lines = text.partition("\n\n")[0].splitlines()
    assert max(map(len, lines)) <= WIDEST
    assert [lines[place] for place in (0, 3, 6)] == ["case", wide, "op/b"]
    assert [lines[place].split()[0] for place in (1, 4, 7)] == ["hardware", "20", "20"]
    assert lines[5].strip() == "other device 40 us (0.5 x) on Tesla V100-SXM2-16GB"


def test_a_narrow_table_has_one_line_a_case(run_of, timed):
    lines = render(run_of(timed(), timed("op/b")), "text").splitlines()
    assert [line.split()[0] for line in lines[2:4]] == ["op/a", "op/b"]


def test_a_case_by_itself_has_its_figures(timed):
    block = " ".join(case_block(timed(times=(20, 20, 20, 20, 20, 0))).split())
    assert "times hardware 20 us, 95 % interval 0 us to 20 us" in block
    assert "measuring error: hardware time: 1 of 6 are zero, negative or no number" in block


def test_markdown_escapes_what_stands_in_the_table(run_of, timed):
    assert "op/a\\|b" in render(run_of(timed("op/a|b")), "markdown")


def test_csv_has_seconds_and_parts_in_columns_of_their_own(run_of, timed, case):
    rows = csv.DictReader(io.StringIO(render(run_of(timed(), case()), "csv")))
    other, measured = sorted(rows, key=lambda row: row["hardware median"])
    assert float(measured["hardware median"]) == pytest.approx(20e-6)
    assert float(measured["IO efficiency"]) == pytest.approx(0.5)
    assert (measured["operations"], measured["peak bandwidth"]) == ("6000000.0", "300000000000.0")
    assert (other["hardware median"], other["outcome"]) == ("", "passed")


def test_junit_has_gtest_s_names_and_units(run_of, timed):
    root = ElementTree.fromstring(render(run_of(timed()), "junit"))
    found = {entry.get("name"): entry.get("value") for entry in root.iter("property")}
    assert float(found["hardware_time_mlu"]) == pytest.approx(20)  # us
    assert float(found["io_bandwidth"]) == 300  # GB/s
    assert float(found["io_efficiency_mlu"]) == pytest.approx(0.5)
    assert (found["theory_ops"], found["hardware_time_grade"]) == ("6000000.0", "qualified")


def test_the_page_has_the_table_and_the_notes(run_of, timed):
    run = run_of(timed())
    headers, rows = table(run)
    assert payload(run)["times"] == {"headers": headers, "rows": [list(rows[0])], "notes": notes(run)}
