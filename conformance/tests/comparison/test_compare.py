"""The decisions of a comparison, its refusals, and its report."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from mluops_conformance.comparison.changes import Limits
from mluops_conformance.comparison.compare import compare, differences, refuse_mixture, series
from mluops_conformance.comparison.formats import FORMATS, render, verdict
from mluops_conformance.errors import UserError
from mluops_conformance.results.basis import Basis

SLOW, FAST = [2.0 + i / 100 for i in range(6)], [1.0 + i / 100 for i in range(6)]


@pytest.fixture
def worse(case, run_of):
    """A comparison with one regression of each kind, and one change of each kind that is none."""
    base = run_of(
        case("op/broken"),
        case("op/gone"),
        case("op/rough", measures={"diff1": 1e-6}),
        case("op/slow", samples={"hardware": FAST}),
        case("op/mended", "failed"),
        environment={"library": {"version": "1.11.0"}},
    )
    new = run_of(
        case("op/broken", "failed"),
        case("op/rough", measures={"diff1": 5e-6}),
        case("op/slow", samples={"hardware": SLOW}),
        case("op/mended"),
        case("op/fresh"),
        name="new",
        environment={"library": {"version": "1.11.1"}},
        problems=("results.jsonl:9: not JSON; left out",),
    )
    return compare(base, new)


class TestDecision:
    def test_every_kind_of_regression_counts(self, worse):
        assert worse.regressions == {"newly failing": 1, "gone": 1, "less accurate": 1, "slower": 1}
        assert worse.exit_code == 1

    @pytest.mark.parametrize(
        ("before", "after"),
        [("failed", "passed"), ("failed", "xfailed"), ("failed", "crashed"), ("failed", "failed")],
    )
    def test_what_did_not_get_worse_does_not_count(self, case, run_of, before, after):
        assert compare(run_of(case("op/a", before)), run_of(case("op/a", after))).exit_code == 0

    def test_better_measures_and_times_do_not_count(self, case, run_of):
        base = run_of(case("op/a", measures={"diff1": 5e-6}, samples={"hardware": SLOW}))
        new = run_of(case("op/a", measures={"diff1": 1e-6}, samples={"hardware": FAST}))
        found = compare(base, new)
        assert (len(found.drifts), len(found.timings), found.exit_code) == (1, 1, 0)

    def test_a_run_against_itself_is_quiet(self, worse):
        for run in (worse.base, worse.new):
            found = compare(run, run)
            assert (found.exit_code, found.changes, found.drifts, found.timings) == (0, (), (), ())

    def test_nothing_in_common_is_not_green(self, case, run_of):
        assert compare(run_of(case("op/a")), run_of(case("op/b"))).exit_code == 5
        assert compare(run_of(case("op/a")), run_of(case("op/a", "skipped"))).exit_code == 5

    def test_further_runs_add_to_the_times(self, case, run_of):
        base = run_of(case("op/a"))
        found = compare(base, base, more_base=[base] * 4, more_new=[base] * 4)
        assert (found.timed, compare(base, base).timed) == (1, 0)


class TestSurroundings:
    def test_facts_that_differ_are_named_by_their_path(self, worse):
        assert [(fact.name, fact.before, fact.after) for fact in worse.differences] == [
            ("library.version", "1.11.0", "1.11.1")
        ]

    def test_another_seed_is_a_difference(self, case, run_of):
        (found,) = differences(run_of(case("op/a")), run_of(case("op/a", seed=3)))
        assert (found.name, found.before, found.after) == ("seed", "0", "3")

    @pytest.mark.parametrize(
        ("other", "what"),
        [({"backend": "device"}, "backend: emulator in runs/base, device"), ({"device": "MLU590"}, "MLU590")],
    )
    def test_backends_and_series_are_not_mixed(self, run_of, other, what):
        with pytest.raises(UserError, match=what):
            refuse_mixture(run_of(), run_of(name="new", **other))

    def test_cards_of_one_series_can_be_compared(self, run_of):
        refuse_mixture(run_of(device="MLU370-X8"), run_of(device="MLU370-S4"))

    @pytest.mark.parametrize(("device", "name"), [("MLU370-X8", "MLU370"), ("MLU590", "MLU590"), ("x", "x")])
    def test_the_series_is_how_a_device_begins(self, device, name):
        assert series(device) == name


class TestFormats:
    @pytest.mark.parametrize("name", FORMATS)
    def test_every_format_names_every_case_that_got_worse(self, worse, name):
        document = render(worse, name).replace("\\", "").replace("<wbr>", "")
        for case_id in ("op/broken", "op/gone", "op/rough", "op/slow", "op/mended", "op/fresh"):
            assert case_id in document

    @pytest.mark.parametrize("name", FORMATS)
    def test_every_format_says_what_is_wrong_with_the_stored_runs(self, worse, name):
        assert "results.jsonl:9: not JSON" in render(worse, name).replace("<wbr>", "")

    def test_the_last_line_of_text_is_the_verdict(self, worse):
        assert render(worse, "text").splitlines()[-1] == (
            "4 regressions: 1 newly failing, 1 gone, 1 less accurate, 1 slower "
            "(4 cases and 1 time compared; emulated: not evidence about hardware)"
        )

    def test_colour_is_for_what_got_worse(self, worse):
        text = render(worse, "text", colour=True)
        assert "\x1b[1;31mnewly failing (1)\x1b[0m" in text
        assert "\x1b" not in render(worse, "text")

    def test_quiet_is_said_plainly(self, case, run_of):
        run = run_of(case("op/a"), backend="device")
        assert verdict(compare(run, run)) == "nothing got worse (1 case and 0 times compared)"

    def test_ids_are_whole_and_reasons_are_cut(self, case, run_of):
        ids = [f"op/{'x' * 100}:dtype={dtype}" for dtype in ("float16", "float32")]
        base, new = (run_of(*(case(name, outcome) for name in ids)) for outcome in ("passed", "failed"))
        new = replace(new, records=tuple(replace(record, reason="y" * 200) for record in new.records))
        text = render(compare(base, new), "text")
        assert [line.split()[0] for line in text.splitlines() if line.startswith("  op/")] == ids
        assert "y" * 77 + "..." in text
        assert "y" * 78 not in text

    @pytest.mark.parametrize(("outcome", "is_told"), [("passed", True), ("failed", False)])
    def test_where_cases_are_gone_and_nothing_else_got_worse_the_option_is_told(
        self, case, run_of, outcome, is_told
    ):
        base, new = run_of(case("op/a"), case("op/b")), run_of(case("op/a", outcome))
        assert ("1 gone; --only-common leaves out what is gone (" in verdict(compare(base, new))) is is_told

    def test_a_long_section_says_how_much_is_left_out(self, case, run_of):
        base, new = (
            run_of(*(case(f"op/{i}", outcome) for i in range(99))) for outcome in ("passed", "failed")
        )
        for name, left in (("text", 59), ("markdown", 49)):
            assert f"and {left} more" in render(compare(base, new), name)

    def test_json_has_everything_and_no_number_that_json_lacks(self, case, run_of):
        base = run_of(case("op/a", measures={"diff1": 0.0}))
        document = json.loads(render(compare(base, run_of(case("op/a", measures={"diff1": 5e-6}))), "json"))
        (drift,) = document["drifts"]
        assert (document["schema"], document["exit_code"], drift["factor"]) == (1, 1, "inf")
        assert document["limits"]["drift"] == Limits().drift

    def test_texts_cannot_break_a_page(self, case, run_of):
        base, new = run_of(case("op/<script>|x")), run_of(case("op/<script>|x", "failed"))
        for name in ("markdown", "html"):
            assert "<script>" not in render(compare(base, new), name)

    def test_a_page_may_break_ids_behind_their_parts_and_numbers_nowhere(self, case, run_of):
        base, new = run_of(case("op_a/b:N=1,M=1.5e-6")), run_of(case("op_a/b:N=1,M=1.5e-6", "failed"))
        assert "<td>op_<wbr>a/<wbr>b:<wbr>N=1,<wbr>M=1.5e-6</td>" in render(compare(base, new), "html")

    @pytest.mark.parametrize("name", FORMATS)
    def test_any_name_can_be_written_as_utf8(self, case, run_of, name):
        base, new = run_of(case("op/\ud800"), name="\ud800\x1b"), run_of(case("op/\ud800", "failed"))
        assert "\x1b" not in render(compare(base, new), name).encode("utf-8").decode("utf-8")


def test_other_rules_of_judging_are_named(case, run_of):
    base, new = run_of(case("op/a")), run_of(case("op/a"))
    base, new = (
        replace(run, header=replace(run.header, basis=Basis("0.1.0", {}, issues, "limits")))
        for run, issues in ((base, "old"), (new, "new"))
    )
    found = compare(base, new).differences
    assert [(entry.name, entry.before, entry.after) for entry in found] == [("known issues", "old", "new")]
