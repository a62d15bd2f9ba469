"""Results on disk: what another campaign continues with, what it tries again, and the report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mluops_conformance.errors import UserError
from mluops_tools.mutation.store import Result, Store, Suite, report

SUITE = Suite("add", "s1", "c1", {"add/one": 0.1}, {"add/half": "xfailed"})
CAUGHT = Result("add.cpp:1:1: x", "add", "branch", "caught", 1, "add/one", "values", "far", 1.0, "s1", "c1")
SURVIVED = replace(CAUGHT, id="add.cpp:2:1: y", verdict="survived", tried=7, case="", how="", reason="")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    store = Store(tmp_path)
    for entry in (SUITE, CAUGHT, SURVIVED):
        store.add(entry)
    return tmp_path


def test_entries_are_read_as_they_were_written(folder: Path) -> None:
    store = Store(folder)
    assert store.suite("add", "s1", "c1") == SUITE
    assert [store.result(result.id, SUITE) for result in (CAUGHT, SURVIVED)] == [CAUGHT, SURVIVED]


def test_an_unfinished_line_is_no_entry_and_the_next_one_follows(folder: Path) -> None:
    path = folder / "mutation.jsonl"
    path.write_text(path.read_text()[:-9])
    store = Store(folder)
    assert store.result(SURVIVED.id, SUITE) is None
    store.add(SURVIVED)
    assert Store(folder).result(SURVIVED.id, SUITE) == SURVIVED


def test_a_survivor_of_other_cases_is_tried_again(folder: Path) -> None:
    store, now = Store(folder), replace(SUITE, digest="c2")
    assert store.result(SURVIVED.id, now) is None
    assert store.result(CAUGHT.id, now) == CAUGHT


def test_a_fault_whose_case_is_gone_is_tried_again(folder: Path) -> None:
    assert Store(folder).result(CAUGHT.id, replace(SUITE, digest="c2", seconds={})) is None


def test_faults_of_other_sources_are_tried_again(folder: Path) -> None:
    assert Store(folder).result(CAUGHT.id, replace(SUITE, sources="s2")) is None
    assert Store(folder).suite("add", "s2", "c1") is None


SEARCH = Suite("add", "s1", "d1", {}, {}, search=10)
FOUND = replace(CAUGHT, case="add/special-float32-0-17", suite="d1", spent=0.5, search=10)
MISSED = replace(SURVIVED, suite="d1", spent=10.1, search=10)


def test_a_search_is_continued(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.add(FOUND)
    store.add(MISSED)
    assert [Store(tmp_path).result(result.id, SEARCH) for result in (FOUND, MISSED)] == [FOUND, MISSED]


@pytest.mark.parametrize("search", [replace(SEARCH, search=20), replace(SEARCH, digest="d2")])
def test_a_longer_or_another_search_tries_again_what_survived(search: Suite) -> None:
    assert [search.holds(result) for result in (FOUND, MISSED)] == [True, False]


def test_a_search_and_written_cases_do_not_count_for_each_other() -> None:
    assert not SEARCH.holds(replace(CAUGHT, suite="d1"))
    assert not SUITE.holds(replace(FOUND, case="add/one", suite="c1"))


@pytest.mark.parametrize("text", ["", "{}\n", "no JSON\n", '{"event": "campaign", "format": 0}\n'])
def test_the_file_of_another_program_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "mutation.jsonl").write_text(text)
    with pytest.raises(UserError, match=r"mutation\.jsonl: no results of this version of mutate"):
        Store(tmp_path)


def test_a_report_counts_folders_and_kinds_and_names_survivors() -> None:
    others = [replace(CAUGHT, verdict=verdict) for verdict in ("equivalent", "not compiled")]
    assert report([CAUGHT, SURVIVED, replace(CAUGHT, kind="check"), *others]).splitlines() == [
        "folder, or kind      caught    survived    equivalent    not compiled",
        "add                       2           1             1               1",
        "branch                    1           1             1               1",
        "check                     1           0             0               0",
        "",
        "SURVIVED add.cpp:2:1: y (7 cases tried)",
        "3 faults: 2 caught (66.7 %), 1 survived; not counted: 1 equivalent, 1 not compiled",
    ]
