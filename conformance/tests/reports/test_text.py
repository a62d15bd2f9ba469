"""The text report: what needs a look first, one plain line of counts last."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from mluops_conformance.judging.values import (
    UNWRITTEN_INT32,
    Element,
    GtestVerdict,
    OutputVerdict,
    Threshold,
)
from mluops_conformance.reports import render
from mluops_conformance.reports.text import case_block, summary_line
from mluops_conformance.support.formatting import first_sentence

GREPPED = re.compile(r"\b(success|fail|error|stable)\b", re.IGNORECASE)
"""Words that a vendor's CI takes for its own verdict."""


class TestSummary:
    def test_counts_stand_first_and_an_emulated_run_says_that_it_is_no_evidence(self, run_of, case):
        records = [case(), case(), case("failed", reason="why"), case("skipped", reason="no device")]
        assert summary_line(run_of(*records)) == (
            "2 passed, 1 failed, 1 skipped (emulated on MLU370: not evidence about hardware)"
        )

    def test_a_run_on_a_device_names_device_and_library(self, run_of, case):
        assert summary_line(run_of(case(), backend="device")) == "1 passed (on MLU370, libmluops 1.11.1)"

    def test_a_run_of_skips_alone_says_that_nothing_was_executed(self, run_of, case):
        skipped = case("skipped", reason="no device")
        assert summary_line(run_of(skipped, skipped)).startswith("0 executed, 2 skipped (")

    def test_a_run_that_was_cut_short_says_how_many_are_missing(self, run_of, case):
        assert summary_line(run_of(case(), missing=5)).startswith("1 passed, 5 without a record (")

    def test_it_is_the_last_line(self, run_of, case, failed):
        run = run_of(case(), failed, problems=("results.jsonl:9: not JSON; left out",))
        assert render(run, "text").splitlines()[-1] == summary_line(run)


class TestGtest:
    def test_cases_that_pass_and_that_gtest_would_fail_are_named(self, run_of, case):
        failing = OutputVerdict(
            "output", "passed", gtest=GtestVerdict(False, {"diff1": 1.0}, {"diff1": 0.25})
        )
        records = [case(case_id=f"nms_rotated/{number}", outputs=(failing,)) for number in range(7)]
        shown = ", ".join(f"nms_rotated/{number}" for number in range(5))
        assert f"gtest would fail 7 of the cases that passed: {shown} and 2 more\n" in render(
            run_of(*records), "text"
        )

    def test_where_they_agree_nothing_is_said(self, run_of, case):
        passing = OutputVerdict("output", "passed", gtest=GtestVerdict(True, {"diff1": 0.0}, {"diff1": 0.25}))
        assert "gtest" not in render(run_of(case(outputs=(passing,))), "text")


class TestCaseBlock:
    def test_it_leads_with_outcome_id_and_origin(self, failed):
        assert (
            case_block(failed).splitlines()[0]
            == "FAILED nms_rotated/bad  (cases/nms_rotated/network.yaml:12)"
        )

    def test_it_shows_each_judged_measure_with_its_threshold_and_origin(self, failed):
        assert "diff3  0.25   at most 0  static 0 (int32); the document, 1.5.1" in case_block(failed)

    def test_it_says_what_diff4_must_not_be(self, case):
        verdict = OutputVerdict(
            "output", "failed", measures={"diff4": 0.0}, thresholds={"diff4": Threshold(1, "o")}
        )
        assert "diff4  0  neither 0 nor 1  o" in case_block(case("failed", outputs=(verdict,)))

    def test_it_shows_the_worst_element_with_both_values(self, failed):
        assert "off by 1 at [3]: actual 5, expected 4" in case_block(failed)

    def test_an_integer_that_holds_the_poison_is_shown_as_not_written(self, failed):
        (output,) = failed.outputs
        unwritten = Element((7,), UNWRITTEN_INT32, 62, 2144567189.0)
        block = case_block(replace(failed, outputs=(replace(output, worst=(unwritten,)),)))
        assert "at [7]: not written, expected 62" in block

    @pytest.mark.parametrize(
        ("measures", "order"), [({}, "error"), ({"pointwise": 1.0}, "error over the local scale")]
    )
    def test_it_says_by_what_the_worst_elements_are_ordered(self, failed, measures, order):
        (output,) = failed.outputs
        output = replace(output, worst=output.worst * 2, measures=measures)
        assert f"  the worst, by their {order}:\n" in case_block(replace(failed, outputs=(output,)))

    def test_it_shows_special_values_and_how_many_more_there_are(self, failed):
        assert "special value at [7]: actual nan, expected 2.5" in case_block(failed)
        assert "and 2 more special values" in case_block(failed)

    def test_it_shows_what_gtest_would_say_where_that_differs(self, failed):
        passing = GtestVerdict(True, {"diff1": 0.125, "diff4": -1.0}, {"diff1": 0.25, "diff4": 1.0})
        (output,) = failed.outputs
        block = case_block(replace(failed, outputs=(replace(output, gtest=passing),)))
        assert "gtest would pass this: diff1 0.125, at most 0.25, diff4 -1, neither 0 nor 1" in block

    def test_it_says_why_gtest_does_not_see_it(self, failed):
        blind = GtestVerdict(True, {"diff1": 0.0}, {"diff1": 0.25}, "it compares nothing else then")
        (output,) = failed.outputs
        block = case_block(replace(failed, outputs=(replace(output, gtest=blind),)))
        assert "gtest would pass this: diff1 0, at most 0.25; it compares nothing else then" in block

    def test_it_is_silent_about_gtest_where_both_say_the_same(self, failed):
        (output,) = failed.outputs
        agreeing = replace(output, gtest=GtestVerdict(False, {"diff1": 1.0}, {"diff1": 0.25}))
        assert "gtest" not in case_block(replace(failed, outputs=(agreeing,)))

    def test_it_ends_with_what_was_checked_and_how_to_repeat_it(self, failed):
        assert case_block(failed).splitlines()[-2:] == [
            "  checks  nms_rotated/1.5.1/diff3",
            "  repeat  mluops-conformance run nms_rotated/bad --seed 7",
        ]

    def test_it_tells_why_data_were_left_out(self, failed):
        assert "\n  data    left out: no room\n" in case_block(replace(failed, left_out="no room"))

    def test_it_shows_measured_times(self, timed):
        assert "\n  times   " in case_block(timed())

    def test_many_requirements_are_listed_in_lines_of_readable_length(self, case):
        requirements = tuple(f"nms_rotated/1.5.1/requirement-{number}" for number in range(9))
        lines = case_block(replace(case("failed"), requirements=requirements)).splitlines()
        listed = [line[10:] for line in lines if line.startswith(("  checks", "    "))]
        assert " ".join(listed).split(", ") == list(requirements)
        assert max(map(len, lines)) <= 110

    def test_the_id_of_a_requirement_is_never_broken(self, case):
        long = "nms_rotated/1.5.1/" + "x" * 200
        assert f"  checks  {long}\n" in case_block(replace(case("failed"), requirements=(long,)))

    def test_it_has_what_the_library_logged_first(self, case):
        logged = replace(case("failed"), log="dims[1] must be 5 or 6\n\nsecond")
        assert [line for line in case_block(logged).splitlines() if line.startswith("  log")] == [
            "  log     dims[1] must be 5 or 6",
            "  log     second",
        ]

    def test_of_a_long_log_it_says_how_much_is_left_out(self, case):
        long = replace(case("crashed"), log="\n".join(map(str, range(9))))
        lines = [line for line in case_block(long).splitlines() if line.startswith("  log")]
        assert lines[4:] == ["  log     4", "  log     and 4 more lines, in results.jsonl"]

    def test_each_reason_has_a_line(self, case):
        reason = "y: diff1 is 1, above 0 (dynamic 10 x 0; floor 1e-5); y: diff2 is 1, above 0 (case)\nlast"
        assert case_block(case("failed", reason=reason)).splitlines()[1:4] == [
            "  why     y: diff1 is 1, above 0 (dynamic 10 x 0; floor 1e-5)",
            "  why     y: diff2 is 1, above 0 (case)",
            "  why     last",
        ]

    def test_the_first_reason_stands_for_the_others_where_room_is_short(self):
        assert first_sentence("a (b; c); d\ne") == "a (b; c) (and 2 more)"
        assert (first_sentence("a"), first_sentence("")) == ("a", "")

    def test_control_characters_are_shown_as_escapes(self, case):
        block = case_block(case("failed", reason="\x1b[31mboom\x1b[0m \x00 \ud800 \r"))
        assert r"\x1b[31mboom\x1b[0m \x00 \ud800 \x0d" in block


def test_what_needs_a_look_comes_before_what_was_not_run(run_of, case, failed):
    text = render(run_of(case("skipped", "nms_rotated/a", "no device"), case(), failed), "text")
    assert text.index("FAILED nms_rotated/bad") < text.index("1 skipped: no device")


def test_failures_come_before_other_bad_outcomes(run_of, case, failed):
    text = render(
        run_of(case("xpassed", "nms_rotated/x", "known"), case("crashed", "nms_rotated/c"), failed), "text"
    )
    places = [text.index(word) for word in ("FAILED", "CRASHED", "XPASSED")]
    assert places == sorted(places)


def test_cases_of_one_outcome_stand_in_the_order_of_their_ids_whichever_finished_first(run_of, case):
    records = [case("failed", f"nms_rotated/{name}", "why") for name in "cab"]
    assert render(run_of(*records), "text") == render(run_of(*records[::-1]), "text")


def test_reasons_not_to_run_cases_stand_in_the_same_order_whichever_finished_first(run_of, case):
    records = [case("skipped", f"nms_rotated/{name}", f"reason {name}") for name in "cab"]
    assert render(run_of(*records), "text") == render(run_of(*records[::-1]), "text")


def test_reasons_not_to_run_are_counted_together(run_of, case):
    records = [case("skipped", f"nms_rotated/{i}", "no device") for i in range(3)]
    assert "3 skipped: no device" in render(run_of(*records), "text").splitlines()


def test_passing_cases_take_no_line(run_of, case):
    assert render(run_of(case(), case()), "text").count("\n") == 0


def test_a_run_that_is_green_has_none_of_the_words_that_ci_greps_for(run_of, case):
    records = [case(), case("xfailed", reason="known"), case("skipped", reason="no device")]
    assert not GREPPED.search(render(run_of(*records), "text"))


def test_contradictions_between_document_and_library_stand_before_the_counts(run_of, case):
    run = run_of(case())
    said = {"nms_rotated/1.3/x": {"document": "It is a pointer.", "library": "It is a value."}}
    run = replace(run, header=replace(run.header, contradictions=said))
    assert render(run, "text").splitlines()[:3] == [
        "judged by the library, which contradicts the document:",
        "  nms_rotated/1.3/x: It is a pointer.",
        "    library: It is a value.",
    ]
    assert render(run, "text", brief=True).splitlines()[0] == (
        "1 requirement is judged by the library, which contradicts the document; `report` names them"
    )


def test_a_known_issue_is_told_once_with_the_cases_in_which_it_showed(run_of, case):
    known = [
        replace(case(outcome, reason="known: off by 1"), issue="It overflows.")
        for outcome in ("xfailed", "passed")
    ]
    first, second, *_ = render(run_of(*known), "text").splitlines()
    assert first == "known issue, showed in 1 of 2 cases: It overflows."
    assert second == f"  {known[0].id}"


def test_a_case_tells_the_sizes_that_follow_from_the_device(run_of, failed):
    assert "\n  sizes   N 48, K 3\n" in render(run_of(replace(failed, sizes={"N": 48, "K": 3})), "text")


@pytest.mark.parametrize(("count", "cases"), [(1, "1 case was"), (2, "2 cases were")])
def test_cases_whose_data_were_left_out_are_counted(run_of, failed, count, cases):
    records = [replace(failed, id=f"op/{number}", left_out="no room") for number in range(count)]
    assert f"the data of {cases} left out, the first because no room" in render(run_of(*records), "text")
