"""`mluops-conformance report`: from a folder to any format, on standard output or in a file."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from functools import partial

import pytest


@pytest.fixture(scope="module")
def folder(command_in, case_text, tmp_path_factory):
    """A folder with the run `r`, which its process left in the last case."""
    folder = tmp_path_factory.mktemp("report")
    (folder / "cases.yaml").write_text(case_text, encoding="utf-8")
    command_in(folder, "run", "--cases", "cases.yaml", "--backend", "emulator", "--out", "r")
    results = folder / "r/results.jsonl"
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    results.write_text("".join(lines[:-1]), encoding="utf-8")
    return folder


@pytest.fixture
def command(command_in, folder):
    return partial(command_in, folder)


def test_text_is_what_run_prints_and_a_case_without_an_end_has_crashed(command):
    done = command("report", "r")
    assert done.returncode == 0
    assert done.stdout.startswith("CRASHED masked_im2col_forward/refused")
    assert done.stdout.splitlines()[-1].startswith("2 passed, 1 crashed (emulated on MLU370")


def test_json(command):
    assert json.loads(command("report", "r", "--format", "json").stdout)["counts"] == {
        "crashed": 1,
        "passed": 2,
    }


def test_csv(command):
    rows = list(csv.DictReader(io.StringIO(command("report", "r", "--format", "csv").stdout)))
    assert sorted(row["outcome"] for row in rows) == ["crashed", "passed", "passed"]


def test_a_file_holds_what_would_be_printed(command, folder):
    done = command("report", "r", "--format", "junit", "-o", "out.xml")
    assert (done.returncode, done.stdout) == (0, "")
    assert len(list(ElementTree.parse(folder / "out.xml").iter("error"))) == 1


def test_no_colour_where_nobody_looks(command):
    assert "\x1b" not in command("report", "r").stdout


def test_a_folder_without_a_run_is_named(command):
    done = command("report", "nowhere")
    assert done.returncode == 4
    assert done.stderr == (
        "mluops-conformance: nowhere/results.jsonl: no run is stored here (No such file or directory)\n"
    )


def test_a_file_that_cannot_be_written_is_named(command):
    done = command("report", "r", "-o", "nowhere/report.txt")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: nowhere/report.txt: No such file or directory\n",
    )
