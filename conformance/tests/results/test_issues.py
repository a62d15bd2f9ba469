"""The effect of a known issue on a record."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from mluops_conformance.execution.session import apply_issue
from mluops_conformance.language.known_issues import KnownIssue
from mluops_conformance.language.model import Origin

LAST_DAY = date(2027, 12, 31)
ISSUE = KnownIssue((), "It overflows.", ("https://host/1",), LAST_DAY, Origin("known.yaml", 1))
NAME = "It overflows. (https://host/1; until 2027-12-31)"


@pytest.fixture
def failed(started):
    return started().finished("failed", "output: diff1 is 1", failures=("values",))


def test_without_an_issue_a_record_stays_as_it_is(failed):
    assert apply_issue(failed, None, LAST_DAY) is failed


def test_what_the_issue_explains_is_xfailed_with_both_reasons(failed):
    record = apply_issue(failed, ISSUE, LAST_DAY)
    assert (record.outcome, record.issue) == ("xfailed", NAME)
    assert record.reason == f"{NAME}: output: diff1 is 1"


@pytest.mark.parametrize("failures", [("status",), ("memory", "values"), ("repetition",)])
def test_what_the_issue_does_not_explain_stays_a_failure(failed, failures):
    record = replace(failed, failures=failures)
    assert apply_issue(record, ISSUE, LAST_DAY) == record


def test_an_issue_can_explain_more(failed):
    issue = replace(ISSUE, explains=frozenset({"values", "memory"}))
    record = replace(failed, failures=("memory", "values"))
    assert apply_issue(record, issue, LAST_DAY).outcome == "xfailed"


@pytest.mark.parametrize("outcome", ["crashed", "timeout"])
def test_a_crash_or_timeout_is_explained_only_where_the_issue_says_so(started, outcome):
    record = started().finished(outcome, "it ended")
    assert apply_issue(record, ISSUE, LAST_DAY) == record
    assert apply_issue(record, replace(ISSUE, explains=frozenset({outcome})), LAST_DAY).outcome == "xfailed"


@pytest.mark.parametrize("outcome", ["error", "mistrusted", "skipped", "unsupported"])
def test_no_issue_explains_what_says_nothing_about_the_operator(started, outcome):
    record = started().finished(outcome, "why")
    assert apply_issue(record, ISSUE, LAST_DAY) == record


def test_a_pass_is_xpassed_where_the_case_always_fails(started):
    record = apply_issue(started().finished("passed"), ISSUE, LAST_DAY)
    assert (record.outcome, record.is_good) == ("xpassed", False)
    assert record.reason == f"it passed, although it is listed under: {NAME}"


def test_a_pass_is_a_pass_where_the_case_fails_sometimes_and_names_the_issue(started):
    record = apply_issue(started().finished("passed"), replace(ISSUE, fails="sometimes"), LAST_DAY)
    assert (record.outcome, record.issue) == ("passed", NAME)


def test_an_expired_issue_excuses_nothing_and_is_named(failed):
    record = apply_issue(failed, ISSUE, date(2028, 1, 1))
    assert (record.outcome, record.issue) == ("failed", "")
    assert record.reason == f"output: diff1 is 1; expired: {NAME}"


def test_a_pass_under_an_expired_issue_is_a_pass(started):
    record = started().finished("passed")
    assert apply_issue(record, ISSUE, date(2028, 1, 1)) == record
