"""Cases that go wrong in the same way are one cause."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mluops_conformance.judging.values import OutputVerdict
from mluops_conformance.results.outcomes import cause_of, causes

RETURNED = "mluOpNmsRotated returned MLUOP_STATUS_NOT_SUPPORTED (7), expected MLUOP_STATUS_BAD_PARAM (3)"


@pytest.fixture
def bad(started):
    """Makes a record that needs a look, by id, reason, outcome, outputs and size."""

    def make(case_id="nms_rotated/a", reason="why", outcome="failed", outputs=(), size=0):
        return replace(started(case_id), size=size).finished(outcome, reason, outputs=tuple(outputs))

    return make


def wrong(name="output", fault="values", reasons=("diff1 is 1, above 0",), outcome="failed", **more):
    return OutputVerdict(name, outcome, reasons=reasons, fault=fault, **more)


class TestCauseOf:
    def test_a_status_by_what_came_and_what_was_expected(self, bad):
        assert cause_of(bad(reason=RETURNED)) == (
            "mluOpNmsRotated returned MLUOP_STATUS_NOT_SUPPORTED, expected MLUOP_STATUS_BAD_PARAM"
        )

    @pytest.mark.parametrize(
        ("fault", "words"),
        [
            ("all zero", "`output` is all zero"),
            ("constant", "`output` holds one value everywhere"),
            ("NaN or infinity", "`output` has NaN or infinity at wrong places"),
            ("values", "`output` has wrong values"),
            ("", "`output` has wrong values"),
        ],
    )
    def test_an_output_by_its_fault(self, bad, fault, words):
        record = bad(reason="output: diff1 is 1, above 0", outputs=[wrong(fault=fault)])
        assert cause_of(record) == words

    def test_an_output_stored_without_a_fault_by_its_special_values(self, bad):
        record = bad(reason="output: diff1 is 1", outputs=[wrong(fault="", mismatched=2)])
        assert cause_of(record) == "`output` has NaN or infinity at wrong places"

    def test_memory_beside_an_output(self, bad):
        reason = "memory of `output`: byte 12 behind it was written; output: diff1 is 1"
        assert cause_of(bad(reason=reason, outputs=[wrong()])) == (
            "memory of `output`: byte … behind it was written; `output` has wrong values"
        )

    def test_the_numbers_of_a_case_do_not_set_it_apart(self, bad):
        first, second = (
            bad(reason=f"`output` was not written from element {n} of {2 * n} on") for n in (3, 8)
        )
        assert cause_of(first) == cause_of(second) == "`output` was not written from element … of … on"

    def test_a_name_with_digits_stays_whole(self, bad):
        assert (
            cause_of(bad(reason="mluOpRoiAwarePool3dBackward: broken"))
            == "mluOpRoiAwarePool3dBackward: broken"
        )

    def test_a_crash_by_its_signal(self, bad):
        record = bad(reason="its process was ended by SIGSEGV", outcome="crashed")
        assert cause_of(record) == "its process was ended by SIGSEGV"

    def test_a_mistrusted_output_by_its_reason(self, bad):
        output = wrong(fault="", reasons=("a wrong output would pass as well: zeros",), outcome="mistrusted")
        record = bad(reason="output: a wrong ...", outcome="mistrusted", outputs=[output])
        assert cause_of(record) == "`output` a wrong output would pass as well: zeros"

    def test_a_good_case_has_none(self, bad):
        assert cause_of(bad(reason="", outcome="passed")) == ""


class TestCauses:
    def test_cases_that_are_wrong_in_the_same_way_are_one(self, bad):
        (cause,) = causes([bad("nms_rotated/a"), bad("nms_rotated/b")])
        assert [record.id for record in cause.records] == ["nms_rotated/a", "nms_rotated/b"]

    def test_the_smallest_case_comes_first_then_the_first_id(self, bad):
        cases = [bad("nms_rotated/a", size=9), bad("nms_rotated/c", size=2), bad("nms_rotated/b", size=2)]
        (cause,) = causes(cases)
        assert [record.id for record in cause.records] == ["nms_rotated/b", "nms_rotated/c", "nms_rotated/a"]
        assert cause.smallest.id == "nms_rotated/b"

    @pytest.mark.parametrize(
        "other",
        [
            {"case_id": "masked_im2col_forward/a"},
            {"reason": "another"},
            {"outcome": "crashed"},
        ],
    )
    def test_another_operator_reason_or_outcome_is_another_cause(self, bad, other):
        assert len(causes([bad(), bad(**{"case_id": "nms_rotated/b", **other})])) == 2

    def test_they_come_by_outcome_then_operator(self, bad):
        found = causes(
            [bad("b/x"), bad("a/x"), bad("c/x", outcome="crashed"), bad("d/x", outcome="mistrusted")]
        )
        assert [(cause.outcome, cause.operator) for cause in found] == [
            ("failed", "a"),
            ("failed", "b"),
            ("mistrusted", "d"),
            ("crashed", "c"),
        ]

    def test_good_cases_have_no_cause(self, bad):
        assert causes([bad(outcome="passed"), bad("nms_rotated/b", outcome="xfailed")]) == ()
