"""`mluops-conformance report`: from a folder to any format, on standard output or in a file."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree

import pytest


@pytest.fixture
def stored(command, cases, tmp_path):
    """The folder of a run with a failing case, and what the run printed."""
    done = command("run", "--cases", "cases.yaml", "--backend", "emulator", "--out", "r", "-n", "0")
    results = tmp_path / "r/results.jsonl"
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    results.write_text("".join(lines[:-1]), encoding="utf-8")  # as when the process ends in the last case
    return done


def test_text_is_what_run_prints_and_a_case_without_an_end_has_crashed(command, stored):
    done = command("report", "r")
    assert done.returncode == 0
    assert done.stdout.startswith("CRASHED masked_im2col_forward/refused")
    assert done.stdout.splitlines()[-1].startswith("2 passed, 1 crashed (emulated on MLU370")


def test_json(command, stored):
    assert json.loads(command("report", "r", "--format", "json").stdout)["counts"] == {
        "crashed": 1,
        "passed": 2,
    }


def test_csv(command, stored):
    rows = list(csv.DictReader(io.StringIO(command("report", "r", "--format", "csv").stdout)))
    assert sorted(row["outcome"] for row in rows) == ["crashed", "passed", "passed"]


def test_a_file_holds_what_would_be_printed(command, stored, tmp_path):
    done = command("report", "r", "--format", "junit", "-o", "out.xml")
    assert (done.returncode, done.stdout) == (0, "")
    assert len(list(ElementTree.parse(tmp_path / "out.xml").iter("error"))) == 1


def test_no_colour_where_nobody_looks(command, stored):
    assert "\x1b" not in command("report", "r").stdout


def test_a_folder_without_a_run_is_named(command):
    done = command("report", "nowhere")
    assert done.returncode == 4
    assert done.stderr == (
        "mluops-conformance: nowhere/results.jsonl: no run is stored here (No such file or directory)\n"
    )


def test_a_file_that_cannot_be_written_is_named(command, stored):
    done = command("report", "r", "-o", "nowhere/report.txt")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: nowhere/report.txt: No such file or directory\n",
    )
