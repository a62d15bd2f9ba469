"""`mluops-conformance compare`: from two folders to an exit code."""

from __future__ import annotations

import json
import shutil
from functools import partial

import pytest

RUN = ["run", "--cases", "cases.yaml", "--out"]


@pytest.fixture(scope="module")
def folder(command_in, case_text, tmp_path_factory):
    """The runs `base` and `again` of the same cases, and `worse`, in which one of them fails."""
    folder = tmp_path_factory.mktemp("compare")
    (folder / "cases.yaml").write_text(case_text, encoding="utf-8")
    for name in ("base", "again"):
        command_in(folder, *RUN, name, "--backend", "emulator")
    shutil.copytree(folder / "base", folder / "worse")
    results = folder / "worse/results.jsonl"
    events = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    for event in events:
        if event.get("outcome") and event["id"].endswith("float16"):
            event.update(outcome="failed", reason="data_col: diff3 is 1")
    results.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return folder


@pytest.fixture
def command(command_in, folder):
    return partial(command_in, folder)


def test_what_got_worse_is_named_and_decides_the_exit_code(command):
    done = command("compare", "base", "worse")
    assert done.returncode == 1
    assert "masked_im2col_forward/tiny:dtype=float16  passed    failed   data_col: diff3 is 1" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 regression: 1 newly failing (3 cases")


def test_the_other_way_round_nothing_got_worse(command):
    done = command("compare", "worse", "base")
    assert done.returncode == 0
    assert "newly passing (1)" in done.stdout


def test_two_runs_of_one_build_are_quiet(command):
    done = command("compare", "base", "again")
    assert done.returncode == 0
    assert "nothing got worse (3 cases and 0 times compared" in done.stdout


def test_runs_without_a_common_case_exit_with_5(command):
    command(*RUN, "refused", "masked_im2col_forward/refused")
    command(*RUN, "tiny", "tag=tiny")
    assert command("compare", "refused", "tiny").returncode == 5


def test_another_series_is_refused_unless_asked_for(command):
    command(*RUN, "other", "--emulated-device", "MLU590")
    done = command("compare", "base", "other")
    assert done.returncode == 4
    assert "different device series: MLU370 in base, MLU590 in other; --mixed" in done.stderr
    assert command("compare", "base", "other", "--mixed").returncode == 0


def test_limits_can_be_chosen(command, folder):
    done = command("compare", "base", "worse", "--drift", "1.5", "--format", "json", "-o", "out.json")
    limits = json.loads((folder / "out.json").read_text(encoding="utf-8"))["limits"]
    assert (done.returncode, limits["drift"], limits["time_rule"]) == (1, 1.5, "ranks")
