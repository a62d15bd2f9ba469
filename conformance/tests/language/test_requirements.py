"""requirements.yaml: what a document states, and what becomes of each statement."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Tuple

import pytest
from mluops_conformance.language import requirements
from mluops_conformance.language.load import read as read_cases
from mluops_conformance.language.model import Case, CaseFileError, Origin
from mluops_conformance.language.requirements import (
    Requirement,
    contradictions,
    own_requirements,
    problems_with,
    read_requirements,
    requirement_files,
)
from mluops_conformance.operators import operator_names

HEAD = "operator: nms_rotated\ndocument: the document\nrequirements:\n"
TESTED = '  - {id: nms_rotated/1.1/a, section: "1.1", text: It holds., status: tested}\n'
UNTESTABLE = """\
  - {id: nms_rotated/1.1/b, section: "1.1", text: It may., status: not-testable, reason: Nobody knows.}
"""
CONTRADICTED = """\
  - {id: nms_rotated/library/c, section: library, text: It is., status: contradicted, library: It is 2.}
"""

Reader = Callable[[str], Tuple[List[Requirement], List[str]]]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)

    def read_text(text: str) -> tuple[list[Requirement], list[str]]:
        (tmp_path / "requirements.yaml").write_text(text, encoding="utf-8")
        found, problems = read_requirements(requirement_files([tmp_path]))
        return list(found.values()), [str(problem) for problem in problems]

    return read_text


@pytest.fixture
def known(read: Reader) -> dict[str, Requirement]:
    found, _ = read(HEAD + TESTED + UNTESTABLE + CONTRADICTED)
    return {requirement.id: requirement for requirement in found}


def case_that_checks(*names: str) -> Case:
    return Case("nms_rotated/it", "nms_rotated", Origin("it.yaml", 3, 5), {}, {}, "float32", checks=names)


def test_a_statement_has_its_document_place_and_explanation(known: dict[str, Requirement]) -> None:
    requirement = known["nms_rotated/library/c"]
    assert (requirement.operator, requirement.document) == ("nms_rotated", "the document")
    assert str(requirement.origin) == "requirements.yaml:6:5"
    assert [known[name].explanation for name in known] == ["", "Nobody knows.", "It is 2."]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            "nms_rotated\n",
            "nms_rotate\n",
            "1:11: unknown operator 'nms_rotate' (did you mean 'nms_rotated'?)",
        ),
        ("document: the document\n", "", "1:1: document is missing: title and version of the document"),
        ('"1.1"', "1.1", "4:38: section needs text, got 1.1; quote it"),
        ("tested}", "testd}", "4:70: unknown status 'testd' (did you mean 'tested'?)"),
        ("/1.1/a", "/1.2/a", "4:10: id 'nms_rotated/1.2/a' needs 'nms_rotated/1.1/' before its own word"),
        ("tested}", "not-testable}", "4:70: status not-testable needs 'reason'"),
        ("tested}", "contradicted}", "4:70: status contradicted needs 'library'"),
        ("}", ", reason: Why}", "4:78: reason goes with the status not-testable"),
        ("text:", "texts:", "4:45: unknown field 'texts' (did you mean 'text'?)"),
    ],
)
def test_errors_name_their_place(read: Reader, old: str, new: str, problem: str) -> None:
    assert f"requirements.yaml:{problem}" in read((HEAD + TESTED).replace(old, new, 1))[1]


def test_ids_are_unique(read: Reader) -> None:
    assert read(HEAD + TESTED + TESTED)[1] == [
        "requirements.yaml:5:5: id nms_rotated/1.1/a is taken, by requirements.yaml:4:5"
    ]


CASES = """\
operator: nms_rotated
cases:
  - id: a
    checks: [nms_rotated/1.1/a, {checked}]
    matrix: {{N: [1, 2]}}{more}
"""


@pytest.fixture
def read_case(tmp_path: Path, known: dict[str, Requirement]) -> Callable[..., list[str]]:
    def problems(checked: str, more: str = "") -> list[str]:
        file = tmp_path / "it.yaml"
        file.write_text(CASES.format(checked=checked, more=more), encoding="utf-8")
        return [str(problem) for problem in read_cases([file], stated=known)[1]]

    return problems


def test_a_case_may_check_only_what_a_document_states(read_case: Callable[..., list[str]]) -> None:
    assert read_case("nms_rotated/library/c") == []
    assert read_case("nms_rotated/1.1/x") == [
        "it.yaml:4:33: checks 'nms_rotated/1.1/x', which no requirements file has "
        "(did you mean 'nms_rotated/1.1/b'?)"
    ]


def test_another_operator_has_not_the_statement_that_was_meant(read_case: Callable[..., list[str]]) -> None:
    assert read_case("nms/1.1/a") == [
        "it.yaml:4:33: checks 'nms/1.1/a', which no requirements file has (no requirements.yaml is of 'nms')"
    ]


def test_a_case_cannot_check_what_is_not_testable(read_case: Callable[..., list[str]]) -> None:
    assert read_case("nms_rotated/1.1/b") == [
        "it.yaml:4:33: checks 'nms_rotated/1.1/b', which is not-testable, says requirements.yaml:5:5"
    ]


def test_other_mistakes_are_told_beside_what_is_not_stated(read_case: Callable[..., list[str]]) -> None:
    stated, other = read_case("nms_rotated/1.1/b", "\n    note: 3")
    assert "which is not-testable" in stated
    assert other == "it.yaml:6:11: note needs text, got 3; quote it"


def test_only_what_is_tested_needs_a_case(known: dict[str, Requirement]) -> None:
    assert [str(problem) for problem in problems_with([], known)] == [
        "requirements.yaml:4:5: no case checks 'nms_rotated/1.1/a'"
    ]
    assert list(problems_with([case_that_checks("nms_rotated/1.1/a")], known)) == []


def test_contradictions_are_those_that_cases_check(known: dict[str, Requirement]) -> None:
    assert contradictions([case_that_checks("nms_rotated/library/c")], known) == {
        "nms_rotated/library/c": {"document": "It is.", "library": "It is 2."}
    }
    assert contradictions([case_that_checks("nms_rotated/1.1/a")], known) == {}


def test_a_wrong_file_of_the_operators_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "requirements.yaml").write_text(HEAD + TESTED.replace("status: tested", "status: sure"))
    monkeypatch.setattr(requirements, "case_folders", lambda: (tmp_path,))
    with pytest.raises(CaseFileError, match="unknown status 'sure'"):
        own_requirements()


def test_the_documents_of_all_operators_are_read() -> None:
    assert {name.partition("/")[0] for name in own_requirements()} == set(operator_names())
