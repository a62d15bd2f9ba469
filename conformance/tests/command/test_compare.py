"""`mluops-conformance compare`: from two folders to an exit code."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def two(command, cases, tmp_path):
    """Runs `base` and `worse` of the same cases; in the second one a case fails."""
    for name in ("base", "worse"):
        command("run", "--cases", "cases.yaml", "--backend", "emulator", "--out", name, "-n", "0")
    results = tmp_path / "worse/results.jsonl"
    events = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    for event in events:
        if event.get("outcome") and event["id"].endswith("float16"):
            event.update(outcome="failed", reason="data_col: diff3 is 1")
    results.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")


def test_what_got_worse_is_named_and_decides_the_exit_code(command, two):
    done = command("compare", "base", "worse")
    assert done.returncode == 1
    assert "masked_im2col_forward/tiny:dtype=float16  passed    failed   data_col: diff3 is 1" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 regression: 1 newly failing (3 cases")


def test_the_other_way_round_nothing_got_worse(command, two):
    done = command("compare", "worse", "base")
    assert done.returncode == 0
    assert "newly passing (1)" in done.stdout


def test_two_runs_of_one_build_are_quiet(command, cases, tmp_path):
    for name in ("a", "b"):
        command("run", "--cases", "cases.yaml", "--backend", "emulator", "--out", name)
    done = command("compare", "a", "b")
    assert done.returncode == 0
    assert "nothing got worse (3 cases and 0 times compared" in done.stdout


def test_runs_without_a_common_case_exit_with_5(command, cases):
    command("run", "masked_im2col_forward/refused", "--cases", "cases.yaml", "--out", "a", "-n", "0")
    command("run", "tag=tiny", "--cases", "cases.yaml", "--out", "b", "-n", "0")
    assert command("compare", "a", "b").returncode == 5


def test_another_series_is_refused_unless_asked_for(command, cases):
    command("run", "--cases", "cases.yaml", "--backend", "emulator", "--out", "a", "-n", "0")
    command("run", "--cases", "cases.yaml", "--emulated-device", "MLU590", "--out", "b", "-n", "0")
    done = command("compare", "a", "b")
    assert done.returncode == 4
    assert "different device series: MLU370 in a, MLU590 in b; --mixed" in done.stderr
    assert command("compare", "a", "b", "--mixed").returncode == 0


def test_limits_can_be_chosen(command, two, tmp_path):
    done = command("compare", "base", "worse", "--drift", "1.5", "--format", "json", "-o", "out.json")
    limits = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["limits"]
    assert (done.returncode, limits["drift"], limits["time_rule"]) == (1, 1.5, "ranks")
