"""Every statement of a document has a case or a reason, and every case says what it checks."""

from __future__ import annotations

from functools import lru_cache

import pytest
import yaml
from mluops_conformance.language.load import load_cases
from mluops_conformance.operators import operator_names
from mluops_conformance.support.files import cases_root

EXTRA_FIELD = {"tested": set(), "not-testable": {"reason"}, "contradicted": {"library"}}

OPERATORS = pytest.mark.parametrize("name", operator_names())


@lru_cache(maxsize=None)
def requirements_of(name):
    with open(cases_root() / name / "requirements.yaml", encoding="utf-8") as file:
        document = yaml.safe_load(file)
    assert document["operator"] == name
    return document["requirements"]


@pytest.fixture(scope="module")
def cases():
    return load_cases((cases_root(),))


@OPERATORS
def test_ids_name_the_operator_and_the_section(name):
    misnamed = [
        row["id"] for row in requirements_of(name) if row["id"].split("/")[:2] != [name, row["section"]]
    ]
    assert misnamed == []


@OPERATORS
def test_ids_are_unique(name):
    ids = [row["id"] for row in requirements_of(name)]
    assert len(set(ids)) == len(ids)


@OPERATORS
def test_what_is_not_plainly_tested_says_why(name):
    for row in requirements_of(name):
        assert set(row) == {"id", "section", "text", "status"} | EXTRA_FIELD[row["status"]], row["id"]


@OPERATORS
def test_every_requirement_but_the_untestable_is_checked_by_a_case(name, cases):
    checked = {requirement for case in cases for requirement in case.checks}
    wanted = {row["id"] for row in requirements_of(name) if row["status"] != "not-testable"}
    assert wanted - checked == set()


@OPERATORS
def test_cases_check_requirements_that_can_be_tested(name, cases):
    testable = {row["id"] for row in requirements_of(name) if row["status"] != "not-testable"}
    checked = {requirement for case in cases if case.operator == name for requirement in case.checks}
    assert checked - testable == set()


def test_every_case_says_what_it_checks(cases):
    assert [case.id for case in cases if not case.checks] == []
