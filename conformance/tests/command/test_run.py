"""`mluops-conformance run`: what it prints, writes and returns."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import pytest


def records(path):
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [event for event in events if event["event"] == "finished"]


@pytest.fixture(scope="module")
def folder(command_in, case_text, tmp_path_factory):
    """The runs `plain`, with what it printed in `out` and `err`, and `seeded`, of the same cases."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "cases.yaml").write_text(case_text, encoding="utf-8")
    run = ("run", "--cases", "cases.yaml", "--out")
    done = command_in(folder, *run, "plain")
    (folder / "out").write_text(done.stdout, encoding="utf-8")
    (folder / "err").write_text(done.stderr, encoding="utf-8")
    command_in(folder, *run, "seeded", "--seed", "3", "--emulated-device", "MLU590")
    return folder


@pytest.mark.parametrize("workers", ["0", pytest.param("1", marks=pytest.mark.slow), "2"])
def test_a_run_executes_every_case_once(command, tmp_path, cases, workers):
    done = command("run", "--cases", "cases.yaml", "--backend", "emulator", "--out", "r", "-n", workers)
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert sorted(record["id"] for record in records(tmp_path / "r/results.jsonl")) == [
        "masked_im2col_forward/refused",
        "masked_im2col_forward/tiny:dtype=float16",
        "masked_im2col_forward/tiny:dtype=float32",
    ]


def test_the_last_line_counts_and_says_that_it_was_emulated(folder):
    last = (folder / "out").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "3 passed (emulated on MLU370: not evidence about hardware)"
    told = (folder / "err").read_text(encoding="utf-8")
    assert "EMULATED MLU370: nothing in this run is evidence about hardware" in told


def test_every_record_has_its_backend_place_seed_and_repro_line(folder):
    for record in records(folder / "seeded/results.jsonl"):
        assert (record["backend"], record["device"], record["seed"]) == ("emulator", "MLU590", 3)
        assert record["origin"].startswith("cases.yaml:")
        assert shlex.split(record["repro"])[:3] == ["mluops-conformance", "run", record["id"]]


def test_a_repro_line_repeats_the_case_alone(folder, command_in):
    record = records(folder / "seeded/results.jsonl")[0]
    command_in(folder, *shlex.split(record["repro"])[1:], "--out", "again")
    (again,) = records(folder / "again/results.jsonl")
    assert {**again, "seconds": {}} == {**record, "seconds": {}}


def test_each_started_event_goes_before_its_end(folder):
    results = folder / "plain/results.jsonl"
    events = [json.loads(line) for line in results.read_text().splitlines()]
    for record in records(results):
        kinds = [event["event"] for event in events if event.get("id") == record["id"]]
        assert kinds == ["started", "finished"]


def test_junit_and_environment_are_written(folder):
    assert len(list(ElementTree.parse(folder / "plain/junit.xml").iter("testcase"))) == 3
    assert json.loads((folder / "plain/environment.json").read_text())["library"]["backend"] == "emulator"


def test_a_threshold_that_nothing_meets_fails_the_run_and_is_named(command, tmp_path):
    case = """
operator: rotated_feature_align_backward
cases:
  - id: it
    dims: {batch: 1, height: 4, width: 5, channels: 3}
"""
    (tmp_path / "cases.yaml").write_text(case)
    done = command("run", "--cases", "cases.yaml", "--out", "r", "--threshold", "diff1=0")
    assert done.returncode == 1
    assert "command line" in done.stdout
    assert "repeat  mluops-conformance run rotated_feature_align_backward/it" in done.stdout


def test_no_device_is_no_skip(command, cases):
    done = command("run", "--cases", "cases.yaml", "--backend", "device", "--out", "r")
    assert done.returncode == 6
    assert "MLUOPS_LIBRARY: not set" in done.stderr


def test_a_library_that_was_named_is_never_replaced_by_the_emulator(command, cases):
    done = command("run", "--cases", "cases.yaml", "--library", "/nowhere/libmluops.so")
    assert done.returncode == 6
    assert "/nowhere/libmluops.so" in done.stderr


def test_every_error_of_a_case_file_comes_at_once_and_nothing_is_run(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(
        "operator: nms_rotated\ncases:\n  - id: one\n    dims: {N: 4}\n    dtype: flaot32\n    colour: red\n"
    )
    done = command("run", "--cases", "cases.yaml", "--out", "r")
    assert done.returncode == 4
    assert "cases.yaml:5:12: unknown dtype 'flaot32' (did you mean 'float32'?)" in done.stderr
    assert "cases.yaml:6:5: unknown field 'colour'" in done.stderr
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("tag=network", "no case has the tag 'network'"),
        ("operator=nms", "no case has the operator 'nms'"),
        ("nowhere", "nowhere"),
    ],
)
def test_an_unknown_query_says_what_there_is(command, cases, query, words):
    done = command("run", query, "--cases", "cases.yaml", "--out", "r")
    assert done.returncode == 4
    assert words in done.stderr


def test_results_are_never_overwritten(folder, command_in):
    done = command_in(folder, "run", "--cases", "cases.yaml", "--out", "plain")
    assert done.returncode == 4
    assert "already holds a run" in done.stderr


def test_what_else_pytest_would_load_does_not_change_a_run(command, tmp_path, cases):
    (tmp_path / "conftest.py").write_text("def pytest_addoption(parser): parser.addoption('--device')\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    done = command("run", "--cases", "cases.yaml", "--out", "r", PYTEST_ADDOPTS="--also-no-option")
    assert done.returncode == 0


def test_durations_stand_behind_the_report(command, cases):
    run = command("run", "-n", "0", "--backend", "emulator", "--cases", str(cases), "--durations", "2")
    report, where, slowest = run.stdout.rstrip().split("\n\n")[-3:]
    assert report.startswith("3 passed")
    assert [line.split()[0] for line in where.splitlines()[1:]] == [
        *("fill", "reference", "copy", "call", "judge", "report")
    ]
    assert len(slowest.splitlines()) == 2 + 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--threshold", "diff9=1"], "no such measure"),
        (["--threshold", "diff1"], "write MEASURE=VALUE"),
        (["--threshold", "diff1=abc"], "write MEASURE=VALUE"),
        (["--threshold", "diff1=nan"], "not negative"),
        (["--timeout", "0"], "seconds above 0"),
        (["--timeout", "nan"], "not negative"),
        (["--timeout", "abc"], "write a number"),
        (["-n", "many"], "a number of workers, or auto"),
        (["--out", "cases.yaml"], "the folder cannot be made"),
        (["--out", "cases.yaml/below"], "the folder cannot be made"),
    ],
)
def test_a_wrong_option_is_a_usage_error_before_anything_runs(command, cases, words, message):
    done = command("run", "--cases", "cases.yaml", *words)
    assert (done.returncode, done.stdout) == (4, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_plugin_alone_refuses_wrong_options_as_well(tmp_path, cases):
    words = ("-p", "mluops_conformance.plugin", "--mluop-perf-repeats", "0", str(cases))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.returncode, "--perf-repeats 0: write 6 or more" in done.stderr) == (4, True)


def test_the_backend_of_the_environment_is_no_suggestion(command, cases):
    assert command("run", "--cases", "cases.yaml", MLUOPS_BACKEND="device").returncode == 6
    done = command("run", "--cases", "cases.yaml", MLUOPS_BACKEND="devise")
    assert (done.returncode, "MLUOPS_BACKEND is 'devise'" in done.stderr) == (4, True)


def test_the_command_line_replaces_the_backend_of_the_environment(command, cases):
    words = ("run", "--cases", "cases.yaml", "--backend", "auto")
    assert command(*words, MLUOPS_BACKEND="device").returncode == 0


def test_a_library_named_by_the_environment_is_never_replaced_either(command, cases):
    done = command("run", "--cases", "cases.yaml", MLUOPS_LIBRARY="/etc/passwd")
    assert done.returncode == 6
    assert "A library was named, so the emulator does not replace it." in done.stderr


def test_a_conftest_above_the_cases_is_not_loaded(command, tmp_path, cases):
    (tmp_path / "conftest.py").write_text("import no_such_module\n")
    assert command("run", "--cases", "cases.yaml", "--out", "r").returncode == 0


@pytest.mark.slow
def test_numpy_starts_with_one_thread():
    program = """
import os, sys

class Watch:
    def find_spec(name, path, target=None):
        if name == "numpy":
            print("threads:", os.environ.get("OPENBLAS_NUM_THREADS"))

sys.meta_path.insert(0, Watch)
from mluops_conformance.cli import main

main(["run", "--resume", "nothing"])
"""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert "threads: 1\n" in done.stdout


def test_workers_reuse_freed_memory_unless_the_environment_says_otherwise(tmp_path):
    program = """
import os

import pytest
from mluops_conformance.cli import main

names = "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"
pytest.main = lambda *words, **more: print(*(f"{name}={os.environ[name]}" for name in names)) or 2
main(["run", "--backend", "emulator", "masked_im2col_forward/case1*", "--out", "r"])
"""
    environment = {**os.environ, "MALLOC_TRIM_THRESHOLD_": "1000"}
    environment.pop("MALLOC_MMAP_THRESHOLD_", None)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert "MALLOC_TRIM_THRESHOLD_=1000 MALLOC_MMAP_THRESHOLD_=268435456\n" in done.stdout


@pytest.mark.slow
def test_a_reader_that_leaves_does_not_change_the_verdict(tmp_path, cases):
    words = [
        sys.executable,
        "-m",
        "mluops_conformance",
        "run",
        "--cases",
        "cases.yaml",
        "--threshold",
        "diff3=0",
    ]
    (tmp_path / "cases.yaml").write_text(
        "operator: nms_rotated\ncases:\n  - {id: it, dims: {N: 2}, descriptors: {boxes: {dtype: HALF}}}\n"
    )
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(words, cwd=tmp_path, stdout=writing, stderr=subprocess.DEVNULL, timeout=120)
    os.close(writing)
    assert done.returncode == 1


@pytest.mark.slow
def test_a_limit_in_the_only_process_is_a_timeout(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(
        "operator: nms_rotated\ncases:\n  - {id: it, dims: {N: 20000}, timeout: 0.01}\n"
    )
    done = command("run", "--cases", "cases.yaml", "--out", "r", "-n", "0")
    assert [record["outcome"] for record in records(tmp_path / "r/results.jsonl")] == ["timeout"]
    assert done.returncode == 1


@pytest.mark.slow
def test_a_run_leaves_what_its_references_gave_to_the_next(command, cases, tmp_path):
    words = ("run", "-n", "2", "--backend", "emulator", "--cases", str(cases), "--cache", "kept")
    assert command(*words).returncode == 0
    entries = {path: path.read_bytes() for path in (tmp_path / "kept").iterdir()}
    assert len(entries) == 2  # the refused case has none
    assert command(*words).returncode == 0
    assert {path: path.read_bytes() for path in (tmp_path / "kept").iterdir()} == entries


def test_a_cache_that_cannot_be_made_is_said_before_anything_runs(command, cases):
    run = command("run", "--backend", "emulator", "--cases", str(cases), "--cache", f"{cases}/below")
    assert run.returncode == 4
    assert "the folder cannot be used" in run.stderr
