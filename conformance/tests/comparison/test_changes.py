"""The change of each case between two runs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mluops_conformance.comparison.changes import changes
from mluops_conformance.comparison.compare import compare
from mluops_conformance.comparison.formats import verdict
from mluops_conformance.results.basis import Basis
from mluops_conformance.results.outcomes import OUTCOMES

ABSENT = "absent"


@pytest.fixture
def kind_of(case, run_of):
    """The kind of change of one case by its outcomes; None where it is no change."""

    def kind(before, after):
        runs = [
            run_of(*([] if outcome == ABSENT else [case("op/a", outcome)])) for outcome in (before, after)
        ]
        found = changes(*runs)
        return found[0].kind if found else None

    return kind


@pytest.mark.parametrize("outcome", [*OUTCOMES, ABSENT])
def test_the_same_outcome_is_no_change(kind_of, outcome):
    assert kind_of(outcome, outcome) is None


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("passed", "failed", "newly failing"),
        ("passed", "mistrusted", "newly failing"),
        ("xfailed", "crashed", "newly failing"),
        ("xfailed", "xpassed", "newly failing"),
        ("skipped", "failed", "newly failing"),
        (ABSENT, "timeout", "newly failing"),
        ("passed", "skipped", "gone"),
        ("passed", "unsupported", "gone"),
        ("failed", "skipped", "gone"),
        ("failed", ABSENT, "gone"),
        ("failed", "passed", "newly passing"),
        ("crashed", "xfailed", "newly passing"),
        ("failed", "crashed", "changed"),
        ("passed", "xfailed", "newly failing"),
        ("xfailed", "passed", "newly passing"),
        ("xfailed", "failed", "newly failing"),
        ("failed", "mistrusted", "changed"),
        ("skipped", "passed", "new"),
        (ABSENT, "passed", "new"),
        ("skipped", "unsupported", None),
        (ABSENT, "skipped", None),
        ("skipped", ABSENT, None),
    ],
)
def test_a_change_is_of_one_kind(kind_of, before, after, kind):
    assert kind_of(before, after) == kind


def test_the_worst_kind_comes_first(case, run_of):
    pairs = [("failed", "passed"), ("passed", "skipped"), ("failed", "crashed"), ("passed", "failed")]
    base = run_of(*(case(f"op/{i}", before) for i, (before, _) in enumerate(pairs)))
    new = run_of(*(case(f"op/{i}", after) for i, (_, after) in enumerate(pairs)), case("op/new"))
    kinds = [change.kind for change in changes(base, new)]
    assert kinds == ["newly failing", "gone", "newly passing", "changed", "new"]


def test_cases_of_a_kind_are_in_the_order_of_their_ids_whichever_finished_first(case, run_of):
    base, new = (run_of(*(case(f"op/{name}", outcome) for name in "bca")) for outcome in ("passed", "failed"))
    assert [change.id for change in changes(base, new)] == ["op/a", "op/b", "op/c"]


def test_a_change_tells_why_and_how_to_repeat_it(case, run_of):
    (change,) = changes(run_of(case("op/a")), run_of(case("op/a", "failed")))
    assert (change.before, change.after, change.reason, change.repro) == (
        "passed",
        "failed",
        "why it failed",
        "mluops-conformance run op/a",
    )


def test_only_common_leaves_out_what_one_run_did_not_execute(case, run_of):
    base = run_of(case("op/a"), case("op/b"), case("op/c"))
    new = run_of(case("op/a", "failed"), case("op/b", "skipped"), case("op/d", "failed"))
    assert [change.id for change in changes(base, new, only_common=True)] == ["op/a"]


@pytest.mark.parametrize("outcomes", [("passed", "xfailed"), ("xfailed", "passed")])
def test_a_known_issue_that_shows_sometimes_is_neither_better_nor_worse(case, run_of, outcomes):
    base, new = (run_of(replace(case("op/a", outcome), issue="It races.")) for outcome in outcomes)
    assert [change.kind for change in changes(base, new)] == ["changed"]


def test_cases_of_one_cause_stand_together_the_rarest_cause_and_the_smallest_case_first(case, run_of):
    failed = [
        replace(case(f"op/{name}", "failed"), reason=reason, size=size)
        for name, reason, size in (("a", "x", 9), ("b", "y", 9), ("c", "x", 1), ("d", "x", 4))
    ]
    base = run_of(*(case(record.id) for record in failed))
    assert [change.id for change in changes(base, run_of(*failed))] == ["op/b", "op/c", "op/d", "op/a"]


class TestEditedCases:
    @pytest.fixture
    def pair(self, case, run_of):
        """A run before and after a case was edited, which fails since, as another one does."""
        base = run_of(case("op/a"), case("op/b"))
        new = run_of(case("op/a", "failed"), case("op/b", "failed"))
        return [
            replace(run, header=replace(run.header, basis=Basis(cases={"op/a": "1", "op/b": digest})))
            for run, digest in ((base, "2"), (new, "9"))
        ]

    def test_they_are_named_and_are_no_regression(self, pair):
        assert [(change.id, change.kind) for change in changes(*pair)] == [
            ("op/a", "newly failing"),
            ("op/b", "edited"),
        ]

    def test_they_are_not_counted(self, pair):
        found = compare(*pair)
        assert (found.compared, found.regressions["newly failing"]) == (1, 1)

    def test_the_same_cases_are_not_named(self, pair):
        assert changes(pair[0], pair[0]) == []

    def test_the_verdict_counts_them(self, pair):
        assert verdict(compare(*pair)).startswith(
            "1 regression: 1 newly failing (1 case and 0 times compared, 1 edited case left out"
        )
