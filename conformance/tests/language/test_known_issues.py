"""known_issues.yaml: which case stands under which entry, and which entries are of no use any more."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest
from mluops_conformance.language.known_issues import (
    KnownIssue,
    issue_of,
    known_issues,
    problems_with,
    read_known_issues,
)
from mluops_conformance.language.model import Case, DescriptorOverride, Origin

ENTRY = """\
- cases: [tag=hard]
  reason: It overflows.
  links: [https://host/1]
  expires: 2027-12-31
"""
CASE = Case(
    "nms_rotated/it", "nms_rotated", Origin("it.yaml", 3, 5), {}, {}, "float32", tags=frozenset({"hard"})
)
HERE = {"backend": "device", "devices": ("MLU365-D2", "MLU370"), "version": (1, 11, 1)}

Reader = Callable[[str], Tuple[List[KnownIssue], List[str]]]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)

    def read_text(text: str) -> tuple[list[KnownIssue], list[str]]:
        (tmp_path / "known.yaml").write_text(text, encoding="utf-8")
        issues, problems = read_known_issues([tmp_path / "known.yaml"])
        return issues, [str(problem) for problem in problems]

    return read_text


@pytest.fixture
def issue(read: Reader) -> KnownIssue:
    return read(ENTRY)[0][0]


def test_by_default_a_case_always_fails_by_its_values_alone_everywhere(issue: KnownIssue) -> None:
    assert (issue.fails, issue.explains, issue.backend, issue.library) == ("always", {"values"}, "", "")


def test_it_is_named_by_reason_links_and_last_day(issue: KnownIssue) -> None:
    assert str(issue) == "It overflows. (https://host/1; until 2027-12-31)"


def test_a_file_without_entries_is_right(read: Reader) -> None:
    assert read("# none\n") == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("  reason: It overflows.\n", "", "1:3: reason is missing: the fault, and its cause"),
        ("  links: [https://host/1]\n", "", "1:3: links is missing: links to its discussion"),
        ("  expires: 2027-12-31\n", "", "1:3: expires is missing: the last day of its validity"),
        ("[tag=hard]", "tag=hard", "1:10: cases needs a list of queries, got 'tag=hard'"),
        ("[tag=hard]", "[tag=]", "1:11: cases: tag= lacks a value"),
        ("https://host/1", "host", "3:11: links: 'host' is not a link, as https://host/path"),
        ("[https://host/1]", "[]", "3:10: links needs a link at least"),
        ("2027-12-31", "2027-13-31", "4:12: expires: '2027-13-31' is no day, as 2027-12-31"),
        ("expires", "expiry", "4:3: unknown field 'expiry' (did you mean 'expires'?)"),
        ("- cases", "- fails: never\n  cases", "1:10: unknown fails 'never' (there are: always, sometimes)"),
        ("- cases", "- explains: [value]\n  cases", "1:14: unknown word in explains: 'value' (did you mean"),
        ("- cases", "- cause: hull\n  cases", "1:10: unknown cause 'hull' (there are: float32-hull"),
        ("- cases", "cases", "1:1: a file of known issues needs a list of entries, got a mapping"),
    ],
)  # fmt: skip
def test_errors_name_their_place(read: Reader, old: str, new: str, problem: str) -> None:
    text = ENTRY.replace(old, new, 1)
    problems = read(text.replace("\n  ", "\n") if new == "cases" else text)[1]
    assert any(found.startswith(f"known.yaml:{problem}") for found in problems)


@pytest.mark.parametrize(
    ("restricted", "concerned"),
    [
        ({}, True),
        ({"backend": "device"}, True),
        ({"backend": "emulator"}, False),
        ({"backend": "cpu"}, False),
        ({"library": ">=1.11,<1.12"}, True),
        ({"library": "<1.11"}, False),
        ({"series": frozenset({"MLU5", "MLU3"})}, True),
        ({"series": frozenset({"MLU365"})}, True),
        ({"series": frozenset({"MLU5"})}, False),
        ({"cause": "float32-hull"}, False),
    ],
)
def test_an_entry_can_be_restricted(issue: KnownIssue, restricted: Any, concerned: bool) -> None:
    assert (issue_of(CASE, [replace(issue, **restricted)], **HERE) is not None) == concerned


@pytest.mark.parametrize(
    ("causes", "concerned"),
    [
        (("float32-hull",), True),
        (("scores-left-behind",), False),
        (("float32-hull", "other"), False),
        ((), False),
    ],
)
def test_an_entry_with_a_cause_concerns_what_this_alone_explains(
    issue: KnownIssue, causes: tuple[str, ...], concerned: bool
) -> None:
    found = issue_of(CASE, [replace(issue, cause="float32-hull")], causes=causes, **HERE)
    assert (found is not None) == concerned


def test_a_case_that_no_query_selects_stands_under_nothing(issue: KnownIssue) -> None:
    assert issue_of(replace(CASE, tags=frozenset()), [issue], **HERE) is None


def test_the_first_entry_that_concerns_a_case_counts(issue: KnownIssue) -> None:
    first = replace(issue, reason="first")
    assert issue_of(CASE, [replace(first, backend="emulator"), first, issue], **HERE) is first


def test_an_entry_is_valid_on_its_last_day_and_has_then_expired(issue: KnownIssue) -> None:
    assert list(problems_with([issue], [CASE], date(2027, 12, 31))) == []
    assert [str(problem) for problem in problems_with([issue], [CASE], date(2028, 1, 1))] == [
        "known.yaml:1:3: expired on 2027-12-31; look at it again, or remove it"
    ]


def test_each_query_must_concern_a_case(read: Reader) -> None:
    issues, _ = read(ENTRY.replace("[tag=hard]", "[tag=hard, tag=hrad]"))
    assert [str(problem) for problem in problems_with(issues, [CASE], date(2027, 1, 1))] == [
        "known.yaml:1:3: concerns nothing: no case has the tag 'hrad' (did you mean 'hard'?)"
    ]


def test_further_files_come_before_the_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "known.yaml").write_text(ENTRY)
    found = known_issues((str(tmp_path / "known.yaml"),))
    assert found[0].reason == "It overflows."
    assert found[1:] == known_issues()


@pytest.mark.parametrize("backend", ["", "device", "cpu"])
def test_an_issue_of_a_device_holds_on_a_cpu_too(issue: KnownIssue, backend: str) -> None:
    issue = replace(issue, backend=backend)
    assert issue_of(CASE, [issue], **{**HERE, "backend": "cpu"}) is issue


@pytest.mark.parametrize(
    ("explains", "stands"),
    [({"values"}, False), ({"values", "memory", "repetition"}, False), ({"values", "status"}, True)],
)
def test_an_issue_of_outputs_alone_concerns_no_case_that_must_be_refused(
    issue: KnownIssue, explains: set[str], stands: bool
) -> None:
    refused = replace(CASE, statuses=("BAD_PARAM",))
    issue = replace(issue, explains=frozenset(explains))
    assert (issue_of(refused, [issue], **HERE) is issue) == stands


ONE_CORE = "rotated_feature_align_backward/job:clusters=0,width=1"


@pytest.mark.parametrize(
    ("backend", "version", "stands"),
    [("device", (1, 11, 1), True), ("device", (1, 12, 0), False), ("emulator", (1, 11, 1), False)],
)
def test_v1_11_1_is_known_to_launch_no_cluster_under_a_block_job_limit(
    backend: str, version: tuple[int, ...], stands: bool
) -> None:
    case = replace(CASE, id=ONE_CORE, operator="rotated_feature_align_backward", tags=frozenset(), clusters=0)
    issue = issue_of(case, known_issues(), backend=backend, devices=("MLU590",), version=version)
    assert (issue is not None) == stands


@pytest.mark.parametrize(
    ("operator", "tensor", "shape", "stands"),
    [
        ("deform_roi_pool_forward", "input", (10, 6, 4), True),
        ("deform_roi_pool_forward", "output", (3, 2, 3, 4, 1), True),
        ("deform_roi_pool_backward", "grad_input", (2, 120), True),
        ("deform_roi_pool_backward", "input", (2, 5, 6, 1), False),
        ("deform_roi_pool_forward", "rois", (15,), False),
    ],
)
def test_v1_11_1_is_known_to_look_at_no_rank_of_a_map(
    operator: str, tensor: str, shape: tuple[int, ...], stands: bool
) -> None:
    changed = {tensor: DescriptorOverride(shape=shape)}
    case = replace(CASE, id=f"{operator}/it", operator=operator, descriptors=changed)
    assert (issue_of(case, known_issues(), **HERE) is not None) == stands
