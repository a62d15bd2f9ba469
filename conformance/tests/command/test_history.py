"""`mluops-conformance history`: from folders of runs to the first bad one."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def three(command, cases, tmp_path):
    """Folders `runs/1` to `runs/3` of runs; a case fails from the second on."""
    command("run", "--cases", "cases.yaml", "--backend", "emulator", "--out", "runs/1", "-n", "0")
    events = [json.loads(line) for line in (tmp_path / "runs/1/results.jsonl").read_text().splitlines()]
    for day in ("2", "3"):
        for event in events:
            if event["event"] == "run":
                event["started"] = f"2999-01-0{day}T00:00:00+00:00"
            elif event.get("outcome") and event["id"].endswith("float16"):
                event.update(outcome="failed", reason="data_col: diff3 is 1")
        (tmp_path / "runs" / day).mkdir()
        text = "".join(json.dumps(event) + "\n" for event in events)
        (tmp_path / "runs" / day / "results.jsonl").write_text(text, encoding="utf-8")
    return command("history", "add", "runs")


def test_a_folder_of_runs_is_added_as_a_whole(three):
    assert (three.returncode, three.stdout) == (0, "3 indexed, 3 in all\n")


def test_the_first_bad_run_is_named_with_its_cases(command, three):
    done = command("history", "first-bad")
    assert done.returncode == 1
    assert "first bad in run 2, begun 2999-01-02T00:00:00+00:00" in done.stdout
    assert "masked_im2col_forward/tiny:dtype=float16  failed  last good in run 1" in done.stdout


def test_runs_with_planted_faults_are_no_evidence_and_are_counted(command, three, tmp_path):
    results = tmp_path / "runs/2/results.jsonl"
    results.write_text(results.read_text().replace('"MLU370"', '"MLU370 with planted faults (op/a)"'))
    command("history", "add", "runs/2")
    done = command("history", "first-bad")
    assert done.stdout.startswith("first bad in run 3,")
    assert "of 2 comparable runs; 1 with other planted faults left out" in done.stdout.splitlines()[-1]


def test_two_runs_can_be_named_by_number_or_folder(command, three):
    assert command("history", "first-bad", "2", "runs/3").returncode == 0
    assert command("history", "first-bad", "runs/1", "2").returncode == 1
    done = command("history", "first-bad", "3", "1")
    assert done.returncode == 4
    assert "run 3 did not begin before run 1" in done.stderr


def test_a_case_is_shown_over_time(command, three):
    done = command("history", "show", "masked_im2col_forward/tiny:dtype=float16")
    assert [line for line in done.stdout.splitlines() if line.endswith("passed -> failed")]
    unknown = command("history", "show", "masked_im2col_forward/tiny")
    assert unknown.returncode == 4
    assert "did you mean masked_im2col_forward/tiny:dtype=float" in unknown.stderr


def test_html_shows_the_past(command, three, tmp_path):
    words = ("--format", "html", "--history", "runs/history.sqlite", "-o", "report.html")
    assert command("report", "runs/3", *words).returncode == 0
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_pruning_forgets_the_oldest_and_deletes_when_told_to(command, three, tmp_path):
    assert command("history", "prune", "--keep", "2").stdout == "1 forgotten, 0 gone, 0 folders deleted\n"
    assert (tmp_path / "runs/1").is_dir()
    assert command("history", "prune", "--keep", "1", "--delete").stdout == (
        "1 forgotten, 0 gone, 1 folders deleted\n"
    )
    assert not (tmp_path / "runs/2").exists()


def test_runs_whose_folders_are_gone_are_forgotten(command, three, tmp_path):
    (tmp_path / "runs/2/results.jsonl").unlink()
    (tmp_path / "runs/2").rmdir()
    assert command("history", "prune").stdout == "0 forgotten, 1 gone, 0 folders deleted\n"


def test_without_an_index_it_says_how_to_make_one(command):
    done = command("history", "list")
    assert done.returncode == 4
    assert "`history add DIR` makes one" in done.stderr


def test_a_folder_without_runs_is_named(command, cases):
    done = command("history", "add", ".")
    assert done.returncode == 4
    assert "no run is stored here, nor in a folder below" in done.stderr
