"""Coverage as it is printed."""

from __future__ import annotations

import pytest
from mluops_conformance.coverage.facets import render
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators import the_operator

ORIGIN = Origin("nms.yaml", 1)


def requirement(slug, status="tested", **explanation):
    name = f"nms_rotated/1.1/{slug}"
    return Requirement(name, "nms_rotated", "the document", "1.1", "It holds.", status, ORIGIN, **explanation)


def case(name, *checks, **fields):
    dims, params = {"N": fields.get("N", 3), "box_dim": 5}, {"iou_threshold": fields.get("iou", 0.5)}
    checks = tuple(f"nms_rotated/1.1/{slug}" for slug in checks)
    return Case(f"nms_rotated/{name}", "nms_rotated", ORIGIN, dims, params, "float32", checks=checks)


@pytest.fixture
def rows():
    """Renders, and finds the lines that begin with a word."""

    def find(cases, requirements, word, outcomes=None):
        text = render(cases, {"nms_rotated": the_operator("nms_rotated")}, requirements, outcomes)
        return [" ".join(line.split()) for line in text.splitlines() if line.startswith(word)]

    return find


def test_a_statement_stands_with_the_entries_that_check_it(rows):
    cases = [case("a:N=1", "x"), case("a:N=2", "x"), case("b", "x")]
    assert rows(cases, [requirement("x")], "1.1/x") == ["1.1/x It holds. a (2), b"]


def test_the_last_outcome_of_each_entry_shows_where_it_is_not_passed(rows):
    cases = [case("a:N=1", "x"), case("a:N=2", "x"), case("b", "x"), case("c", "x")]
    outcomes = {"nms_rotated/a:N=1": "passed", "nms_rotated/a:N=2": "failed", "nms_rotated/b": "passed"}
    assert rows(cases, [requirement("x")], "1.1/x", outcomes) == [
        "1.1/x It holds. a (2: 1 failed), b, c (1 not run) 2 passed, 1 failed, 1 not run"
    ]


def test_what_has_no_case_gives_its_reason(rows):
    assert rows([case("a")], [requirement("x", "not-testable", reason="Nobody knows.")], "1.1/x") == [
        "1.1/x It holds. not-testable: Nobody knows."
    ]


def test_what_the_library_contradicts_says_how_and_which_cases_judge_by_the_library(rows):
    requirements = [requirement("x", "contradicted", library="It does not.")]
    assert rows([case("a", "x")], requirements, "1.1/x") == ["1.1/x It holds. contradicted: It does not."]
    assert rows([case("a", "x")], requirements, "  ")[:1] == ["a"]


def test_what_has_neither_is_named_in_the_last_line(rows):
    assert rows([case("a")], [requirement("x"), requirement("y", "not-testable", reason="So.")], "2 req") == [
        "2 requirements (1 tested, 1 not-testable): without a case or a reason: nms_rotated/1.1/x"
    ]


def test_functions_stand_with_the_statuses_that_cases_expect(rows):
    assert rows([case("a")], [], "mluOpNmsRotated") == ["mluOpNmsRotated v0.4.2 SUCCESS 1"]


def test_few_values_are_listed_with_their_number_of_cases(rows):
    cases = [case("a", iou=float("nan")), case("b"), case("c", iou=-1)]
    assert rows(cases, [], "nms_rotated.iou") == ["nms_rotated.iou_threshold -1 (1), 0.5 (1), nan (1)"]


def test_of_many_values_the_ends_are_shown(rows):
    cases = [case(f"a:N={size}", N=size) for size in range(1, 40)]
    assert rows(cases, [], "nms_rotated.N") == ["nms_rotated.N 39 values from 1 to 39"]
