"""What became of each case."""

from __future__ import annotations

import pytest
from mluops_conformance.comparison.changes import changes
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
        ("passed", "xfailed", "changed"),
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
    pairs = [("failed", "passed"), ("passed", "skipped"), ("passed", "xfailed"), ("passed", "failed")]
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
