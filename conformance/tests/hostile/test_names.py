"""Names of files that lead nowhere, never end, or mean something to a terminal."""

from __future__ import annotations

import os

import pytest

READING = """\
list --cases @
show x --cases @
lint @
lint cases.yaml --known-issues @
coverage --cases @
coverage --run @
report @
report run --format html --history @
compare run @
compare @ run
compare run run --more-new @
history add @ --index new.sqlite
history list --index @
history prune --index @
replay @
diff @
diff data.npz @
merge @ --out merged
run --cases @
run --known-issues @
run --resume @
run --shard 1/2 --times @ --cases cases.yaml
run --gtest-cases @
selftest --cases @
check-abi @
bench reference --against @
bench --profile @
import-gtest @ -o imported
export-gtest x --cases @ -o exported
"""
WRITING = """\
report run -o @
compare run run -o @
history add run --index @
merge run --out @
replay data.npz --unpack @
show */tiny:dtype=float16 --cases cases.yaml --data @
run --cases cases.yaml --out @
run --cases cases.yaml --cache @ --out unused
import-gtest case.prototxt -o @
export-gtest *tiny* --cases cases.yaml -o @
"""
NAMES = {
    "missing": "none",
    "below a file": "cases.yaml/none",
    "a pipe": "pipe",
    "a device": "/dev/zero",
    "a circle of links": "circle",
    "below a circle": "circle/none",
    "too long": "n" * 300,
    "too deep": "/".join(["n" * 200] * 30),
    "no UTF-8": "none\udcff",
    "a line break": "none\nat all",
    "an escape": "none\x1b[2J",
    "a pattern": "*[",
}


@pytest.fixture
def named(here):
    """The folder with what the names are of."""
    if not (here / "pipe").exists():
        os.mkfifo(here / "pipe")
        (here / "circle").symlink_to("circle")
    return here


@pytest.fixture
def code_of(attempt):
    """The exit code of a line whose @ is a name of one kind."""

    def code(line, kind):
        return attempt(*(NAMES[kind] if word == "@" else word for word in line.split())).code

    return code


@pytest.mark.parametrize("line", READING.splitlines())
def test_nothing_is_read_where_nothing_can_be(named, code_of, line):
    codes = {kind: code_of(line, kind) for kind in NAMES}
    assert {kind: code for kind, code in codes.items() if code not in (4, 5)} == {}


@pytest.mark.parametrize("line", WRITING.splitlines())
def test_nothing_is_written_where_nothing_can_be(named, code_of, line):
    codes = {kind: code_of(line, kind) for kind in ("below a file", "below a circle", "too long", "too deep")}
    assert set(codes.values()) == {4}, codes


@pytest.mark.parametrize("words", [("lint", ""), ("run", "--out="), ("list", "--cases", "")])
def test_an_empty_value_is_no_name(here, attempt, words):
    assert "is a variable not set?" in attempt(*words).err


def test_a_current_folder_that_is_gone_is_said(tmp_path, monkeypatch, attempt):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert "the current folder cannot be used" in attempt("lint").err
    os.chdir(tmp_path)


def test_a_missing_index_is_not_made_by_asking_it(named, attempt):
    attempt("report", "run", "--format", "html", "--history", "none.sqlite")
    assert not (named / "none.sqlite").exists()
