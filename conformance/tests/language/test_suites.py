"""suites.yaml gives queries a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance.language.load import read_suites
from mluops_conformance.language.model import CaseFileError
from mluops_conformance.language.query import parse_query


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "suites.yaml"


def test_each_name_stands_for_its_queries(file: Path) -> None:
    file.write_text('smoke: [tag=smoke, "tag=network N<100"]\nfull: ["tag!=large"]\n')
    assert read_suites(file) == {
        "smoke": (parse_query("tag=smoke"), parse_query("tag=network N<100")),
        "full": (parse_query("tag!=large"),),
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("smoke: tag=smoke\n", "1:8: smoke needs a list of queries, got 'tag=smoke'"),
        ("smoke: [1]\n", "1:9: smoke needs text, got 1; quote it"),
        ("a: []\nb: [tag=]\n", "2:5: b: tag= lacks a value"),
        ("a: []\nb: [suite=a]\n", "2:5: b: there is no suite 'a' (there are none)"),
        ("- a\n", "1:1: a file of suites needs a mapping, got a list"),
    ],
)
def test_errors_name_their_place(file: Path, text: str, problem: str) -> None:
    file.write_text(text)
    with pytest.raises(CaseFileError) as raised:
        read_suites(file)
    assert str(raised.value) == f"suites.yaml:{problem}"
