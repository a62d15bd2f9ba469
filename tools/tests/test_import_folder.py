"""`import-gtest` on files and folders, and `run --gtest-cases`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import pytest
from mluops_conformance.language.load import load


@pytest.fixture
def zoo(tmp_path: Path, gtest_case, monkeypatch) -> Callable[[str, str], Path]:
    """A folder of gtest cases, in which the test works."""
    monkeypatch.chdir(tmp_path)

    def add(name: str, text: str = "") -> Path:
        path = Path("zoo") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or gtest_case())
        return path

    return add


def test_a_folder_is_searched_and_each_case_becomes_a_file_of_its_operator(zoo, command):
    zoo("masked_im2col_forward/test_case/b.prototxt")
    zoo("masked_im2col_forward/test_case/a.prototxt")
    zoo("masked_im2col_forward/README.md", "no case")
    code, lines, error = command("import-gtest", "zoo", "-o", "out")
    assert code == 0
    assert lines == [
        f"zoo/masked_im2col_forward/test_case/{name}.prototxt -> out/masked_im2col_forward/{name}.yaml"
        for name in ("a", "b")
    ]
    assert error == "2 cases imported, 0 not, 0 of other operators\n"


def test_in_a_folder_invalid_cases_are_passed_over_as_gtest_does(zoo, command):
    zoo("a.prototxt")
    zoo("invalid/b.prototxt", "nonsense")
    assert command("import-gtest", "zoo", "-o", "out")[2].startswith("1 case imported, 0 not")


def test_a_case_that_is_not_imported_is_named_and_decides_the_exit_code(zoo, command):
    zoo("a.prototxt")
    path = zoo("b.prototxt", "op_name: 5")
    code, lines, _ = command("import-gtest", "zoo", "-o", "out")
    assert code == 1
    assert lines[-1] == f"{path}: not imported: line 1: '5' needs quotes"


def test_cases_of_other_operators_are_named_and_do_no_harm(zoo, command, gtest_case):
    zoo("a.prototxt")
    path = zoo("b.prototxt", 'op_name: "abs"')
    code, lines, error = command("import-gtest", "zoo", "-o", "out")
    assert code == 0
    assert lines[-1] == f"{path}: not imported: the operator abs is not tested here"
    assert error.endswith("1 of other operators\n")


def test_nothing_imported_is_an_exit_code_of_its_own(zoo, command):
    zoo("b.prototxt", 'op_name: "abs"')
    assert command("import-gtest", "zoo", "-o", "out")[0] == 5


def test_cases_of_one_name_are_numbered(zoo, command):
    zoo("2022/case_0.prototxt")
    zoo("2023/case_0.prototxt")
    command("import-gtest", "zoo", "-o", "out")
    assert [case.id for case in load([Path("out")])] == [
        "masked_im2col_forward/case_0-2",
        "masked_im2col_forward/case_0",
    ]


def test_a_name_that_is_no_id_is_made_one(zoo, command):
    command("import-gtest", zoo("dump 12:30 (1).prototxt"), "-o", "out")
    assert [case.id for case in load([Path("out")])] == ["masked_im2col_forward/dump-12-30-1-"]


def test_the_same_case_may_be_imported_again(zoo, command):
    path = zoo("a.prototxt")
    assert [command("import-gtest", path, "-o", "out")[0] for _ in range(2)] == [0, 0]


def test_another_cases_file_is_not_overwritten(zoo, command):
    command("import-gtest", zoo("x/a.prototxt"), "-o", "out")
    code, _, error = command("import-gtest", zoo("y/a.prototxt"), "-o", "out")
    assert code == 4
    assert "out/masked_im2col_forward/a.yaml exists and holds another case" in error


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("nowhere", "no such gtest case or folder: nowhere"),
        ("zoo", "zoo holds no gtest case (.prototxt, .pb)"),
    ],
)
def test_where_there_is_no_case_is_a_usage_error(zoo, command, path, complaint):
    zoo("README.md", "no case")
    code, _, error = command("import-gtest", path)
    assert code == 4
    assert complaint in error


def test_what_the_case_language_refuses_is_said_and_not_written(zoo, command, gtest_case):
    path = zoo("a.prototxt", gtest_case(("error_threshold: 0", "error_threshold: -1")))
    code, lines, _ = command("import-gtest", path, "-o", "out")
    assert code == 5
    assert lines == [f"{path}: not imported: thresholds.diff3 needs a finite number of 0 or more, got -1.0"]
    assert not Path("out/masked_im2col_forward/a.yaml").exists()


def run(command, *words: str) -> dict[str, dict]:
    command("run", *words, "--backend", "emulator", "--out", "results", "-n", "0")
    events = map(json.loads, Path("results/results.jsonl").read_text().splitlines())
    return {event["id"]: event for event in events if event["event"] == "finished"}


@pytest.mark.slow
def test_a_run_takes_gtest_cases_directly(zoo, command):
    zoo("a.prototxt")
    record = run(command, "--gtest-cases", "zoo")["masked_im2col_forward/a"]
    assert record["outcome"] == "passed"
    assert record["origin"] == "results/gtest-cases/masked_im2col_forward/a.yaml:4"
    assert record["repro"].endswith("masked_im2col_forward/a --backend emulator --cases results/gtest-cases")


@pytest.mark.slow
def test_a_run_says_which_gtest_cases_it_leaves_out(zoo, command):
    zoo("a.prototxt")
    zoo("b.prototxt", 'op_name: "abs"')
    error = command("run", "--gtest-cases", "zoo", "--backend", "emulator", "--out", "results", "-n", "0")[2]
    assert "zoo/b.prototxt: not imported: the operator abs is not tested here" in error


def test_a_run_of_gtest_cases_alone_needs_one(zoo, command):
    zoo("b.prototxt", 'op_name: "abs"')
    code, _, error = command("run", "--gtest-cases", "zoo", "--backend", "emulator")
    assert code == 4
    assert "none of the gtest cases can be run here" in error
