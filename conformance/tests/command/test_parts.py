"""Runs that are interrupted, split or joined."""

from __future__ import annotations

import json
import os
import signal

import pytest

pytestmark = pytest.mark.slow


def finished(folder):
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return [event["id"] for event in map(json.loads, lines) if event["event"] == "finished"]


@pytest.fixture
def many(tmp_path):
    text = """\
operator: masked_im2col_forward
cases:
  - id: it
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2}
    matrix: {mask_cnt: [%s]}
"""
    path = tmp_path / "many.yaml"
    path.write_text(text % ", ".join(map(str, range(1, 201))), encoding="utf-8")
    return path


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_run_is_resumed_without_repeating_what_is_finished(command, begun, tmp_path, many, workers):
    words = ["run", "--cases", "many.yaml", "--out", "r", "-n", workers]
    results = tmp_path / "r/results.jsonl"
    run = begun(*words, until=lambda: results.exists() and results.read_text().count('"finished"') > 20)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    done = command("run", "--resume", "r")
    assert (done.returncode, done.stdout.splitlines()[-1][:10]) == (0, "200 passed")
    ids = finished(tmp_path / "r")
    assert (len(ids), len(set(ids))) == (200, 200)


def test_a_second_run_into_a_folder_is_refused_while_the_first_lives(command, begun, tmp_path, many):
    words = ["run", "--cases", "many.yaml", "--backend", "emulator", "--out", "r"]
    first = begun(*words, until=(tmp_path / "r/lock").exists)
    second = command("run", "--resume", "r") if (tmp_path / "r/results.jsonl").exists() else command(*words)
    first.communicate()
    assert first.returncode == 0
    assert second.returncode == 4
    assert "another run writes to this folder" in second.stderr or "already holds a run" in second.stderr


@pytest.fixture
def interrupted(command, many, tmp_path):
    """A run of which the last half of the events is lost."""
    command("run", "--cases", "many.yaml", "--out", "r", "masked_im2col_forward/it:mask_cnt=1*", "-n", "0")
    path = tmp_path / "r/results.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    return path


def test_cases_that_were_edited_since_are_named_and_the_run_is_not_resumed(command, many, interrupted):
    before = interrupted.read_bytes()
    many.write_text(many.read_text().replace("channels: 2", "channels: 3"), encoding="utf-8")
    done = command("run", "--resume", "r")
    assert done.returncode == 4
    assert "--resume r: masked_im2col_forward/it:mask_cnt=1, masked_im2col_forward/it:mask_cnt=10, " in (
        done.stderr
    )
    assert "and 106 more changed since the run began; --rerun-changed runs what changed again" in done.stderr
    assert interrupted.read_bytes() == before


def test_cases_that_were_edited_since_run_again_on_demand(command, many, interrupted):
    many.write_text(many.read_text().replace("channels: 2", "channels: 3"), encoding="utf-8")
    done = command("run", "--resume", "r", "--rerun-changed")
    assert (done.returncode, done.stdout.splitlines()[-1][:10]) == (0, "111 passed")


def test_the_option_to_run_changed_cases_again_wants_a_run(command):
    done = command("run", "--rerun-changed")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: --rerun-changed goes with --resume DIR\n",
    )


def test_parts_of_edited_cases_are_not_merged(command, many):
    words = ["run", "--cases", "many.yaml", "masked_im2col_forward/it:mask_cnt=1"]
    command(*words, "--shard", "1/2", "--out", "a")
    many.write_text(many.read_text().replace("channels: 2", "channels: 3"), encoding="utf-8")
    command(*words, "--shard", "2/2", "--out", "b")
    done = command("merge", "a", "b", "--out", "c")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: these are not parts of one run: "
        "a and b differ in cases (masked_im2col_forward/it:mask_cnt=1)\n",
    )


def test_a_finished_run_is_resumed_by_reporting_it_again(command, tmp_path, cases):
    command("run", "--cases", "cases.yaml", "--out", "r")
    done = command("run", "--resume", "r")
    assert (done.returncode, done.stdout.splitlines()[-1][:8]) == (0, "3 passed")
    assert len(finished(tmp_path / "r")) == 3


def test_sigterm_leaves_valid_files_and_says_interrupted(begun, tmp_path, many):
    words = ["run", "--cases", "many.yaml", "--out", "r"]
    results = tmp_path / "r/results.jsonl"
    run = begun(*words, until=lambda: results.exists() and '"finished"' in results.read_text())
    run.terminate()
    output, _ = run.communicate(timeout=60)
    assert run.returncode == 2
    assert "of 200 planned cases have no record" in output
    assert (tmp_path / "r/junit.xml").exists()


def test_shards_are_disjoint_complete_and_join_into_one_run(command, tmp_path, many):
    for part in ("1", "2", "3"):
        command("run", "--cases", "many.yaml", "--shard", f"{part}/3", "--out", f"part-{part}")
    done = command("merge", "part-1", "part-2", "part-3", "--out", "whole")
    assert (done.returncode, done.stdout.splitlines()[-1][:10]) == (0, "200 passed")
    ids = finished(tmp_path / "whole")
    assert (len(ids), len(set(ids))) == (200, 200)


def test_a_shard_that_is_none_is_refused(command, cases):
    done = command("run", "--cases", "cases.yaml", "--shard", "3/2")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: --shard 3/2: write i/N, counted from 1, as 2/4\n",
    )


def test_runs_that_overlap_are_not_merged(command, cases):
    command("run", "--cases", "cases.yaml", "--out", "a")
    command("run", "--cases", "cases.yaml", "--out", "b")
    done = command("merge", "a", "b", "--out", "c")
    assert done.returncode == 4
    assert "stands in a and in b" in done.stderr


def test_the_native_log_of_a_case_that_is_not_good_stays_with_its_record(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(
        "operator: nms_rotated\ncases:\n  - {id: it, dims: {N: 3}, descriptors: {boxes: {dtype: HALF}}}\n"
    )
    command("run", "--cases", "cases.yaml", "--out", "r")
    events = map(json.loads, (tmp_path / "r/results.jsonl").read_text().splitlines())
    (record,) = [event for event in events if event["event"] == "finished"]
    assert "mluOpNmsRotated" in record["log"]


def test_an_incomplete_set_of_shards_is_not_merged(command, many):
    command(
        "run", "--cases", "many.yaml", "--shard", "1/2", "--out", "a", "masked_im2col_forward/it:mask_cnt=1*"
    )
    done = command("merge", "a", "--out", "c")
    assert (done.returncode, done.stderr) == (4, "mluops-conformance: these parts are missing: 2/2\n")


@pytest.mark.parametrize("option", [["--threshold", "diff3=1"], ["--static-thresholds"]], ids=lambda o: o[0])
def test_parts_that_were_judged_by_other_thresholds_are_not_merged(command, many, option):
    words = ["run", "--cases", "many.yaml", "masked_im2col_forward/it:mask_cnt=1*"]
    command(*words, "--shard", "1/2", "--out", "a")
    command(*words, "--shard", "2/2", "--out", "b", *option)
    done = command("merge", "a", "b", "--out", "c")
    assert (done.returncode, " ".join(option) in done.stderr) == (4, True)


def test_parts_of_other_builds_of_the_library_are_not_merged(command, tmp_path, many):
    for part, digest in (("1", "01234567"), ("2", "89abcdef")):
        command("run", "--cases", "many.yaml", "--shard", f"{part}/2", "--out", part)
        path = tmp_path / part / "environment.json"
        environment = json.loads(path.read_text(encoding="utf-8"))
        environment["library"]["sha256"] = 8 * digest
        path.write_text(json.dumps(environment), encoding="utf-8")
    done = command("merge", "1", "2", "--out", "c")
    assert done.returncode == 4
    assert "1 (01234567 as libmluops), 2 (89abcdef as libmluops)" in done.stderr


def test_a_run_that_was_not_split_is_named(command, many):
    words = ["run", "--cases", "many.yaml", "masked_im2col_forward/it:mask_cnt=1*"]
    command(*words, "--shard", "1/2", "--out", "a")
    command(*words, "--out", "b")
    done = command("merge", "a", "b", "--out", "c")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: not parts of a split run: started without --shard: b\n",
    )


@pytest.mark.parametrize(
    ("query", "shard", "told"),
    [
        ("masked_im2col_forward/it:mask_cnt=1", "2/3", "a (2 parts in all), b (3 parts in all)"),
        (
            "masked_im2col_forward/it:mask_cnt=2",
            "2/2",
            "a (masked_im2col_forward/it:mask_cnt=1 --cases many.yaml), "
            "b (masked_im2col_forward/it:mask_cnt=2 --cases many.yaml)",
        ),
    ],
)
def test_parts_of_other_plans_are_told_apart(command, many, query, shard, told):
    words = ["run", "--cases", "many.yaml"]
    command(*words, "masked_im2col_forward/it:mask_cnt=1", "--shard", "1/2", "--out", "a")
    command(*words, query, "--shard", shard, "--out", "b")
    done = command("merge", "a", "b", "--out", "c")
    assert (done.returncode, done.stderr) == (
        4,
        f"mluops-conformance: these are not parts of one run: {told}\n",
    )


def test_a_shard_without_a_case_is_a_valid_part(command, tmp_path, cases):
    words = ["run", "--cases", "cases.yaml", "masked_im2col_forward/refused"]
    assert command(*words, "--shard", "1/2", "--out", "a").returncode == 0
    assert command(*words, "--shard", "2/2", "--out", "b").returncode == 5
    assert command("merge", "a", "b", "--out", "c").returncode == 0


def test_a_resumed_run_takes_no_other_options(command, cases):
    command("run", "--cases", "cases.yaml", "--out", "r")
    done = command("run", "--resume", "r", "--backend", "device", "tag=tiny")
    assert done.returncode == 4
    assert "--resume uses the options of the run; leave out: backend, query" in done.stderr
