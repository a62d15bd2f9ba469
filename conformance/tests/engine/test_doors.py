"""pytest's own routes to cases: the plugin by name, node ids, workers, and plugins that are missing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

CASES = """\
operator: masked_im2col_forward
cases:
  - id: tiny
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
    matrix: {dtype: [float32, float16]}
  - id: refused
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
    params: {kernel_h: 0}
    expect: {status: BAD_PARAM}
"""
OF_OTHERS = {
    "compose.yaml": "services: &all\n  web: {image: nginx}\n",
    "chart/values.yaml": "name: {{ .Values.name }}\n---\nmore: 1\n",
    "empty.yml": "",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "n.yaml").write_text(CASES, encoding="utf-8")
    for name, text in OF_OTHERS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def own(folder):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["MLUOPS_BACKEND"] = "emulator"

    def run(*words, **more):
        plugin = ["-p", "mluops_conformance.plugin", "-p", "no:cacheprovider"]
        return subprocess.run(
            [sys.executable, "-m", "pytest", *plugin, *words],
            cwd=folder,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


def told(done):
    return re.sub(r" in [0-9.:s() ]+", "", done.stdout.splitlines()[-1]).strip("= ")


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (["."], {}),
        ([], {}),
        (["n.yaml"], {}),
        ([".", "-n", "2"], {}),
        ([".", "-p", "no:timeout", "--strict-markers"], {}),
        ([".", "-p", "no:xdist"], {}),
        (["."], {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}),
    ],
    ids=lambda value: " ".join(value) or "-",
)
def test_pytest_runs_the_cases_of_a_folder_and_leaves_other_yaml_alone(own, words, more):
    done = own(*words, **more)
    assert (done.returncode, told(done)) == (0, "3 passed")
    assert "EMULATED MLU370" in done.stdout


@pytest.mark.parametrize("workers", [[], ["-n", "1"]], ids=["alone", "worker"])
def test_a_node_id_names_one_case(own, workers):
    done = own("n.yaml::masked_im2col_forward/refused", *workers)
    assert (done.returncode, told(done)) == (0, "1 passed")


def test_a_printed_node_id_is_taken_again(own, folder):
    printed = own("chart/..", "--collect-only", "-q").stdout.splitlines()[0]
    assert told(own(printed)) == "1 passed"


def test_an_id_that_no_case_has_is_refused_in_one_line(own):
    done = own("n.yaml::masked_im2col_forward/refuse")
    assert done.returncode == 4
    assert done.stderr.strip() == (
        "ERROR: n.yaml has no case masked_im2col_forward/refuse "
        "(did you mean 'masked_im2col_forward/refused'?)"
    )


def test_a_run_without_time_limits_says_so(own):
    assert (
        "no time limits of cases: pytest-timeout is not loaded"
        in own("n.yaml", "-p", "no:timeout").stdout.splitlines()
    )


def test_tests_of_other_kinds_run_beside_cases(own, folder):
    (folder / "test_other.py").write_text("def test_it(): pass\n", encoding="utf-8")
    assert told(own(".")) == "4 passed"
    assert told(own("test_other.py")) == "1 passed"


def test_a_wrong_case_file_is_an_error_without_a_traceback(own, folder):
    (folder / "wrong.yaml").write_text("operator: masked_im2col_forward\ncasse: []\n", encoding="utf-8")
    done = own(".")
    assert (done.returncode, "wrong.yaml:2:1: unknown field 'casse'" in done.stderr) == (4, True)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["alone", "workers"])
def test_what_pytest_leaves_out_is_not_missing_in_a_stored_run(own, folder, workers):
    done = own(".", "-k", "tiny", "--mluop-out", "r", *workers)
    assert done.returncode == 0
    events = [json.loads(line) for line in (folder / "r/results.jsonl").read_text().splitlines()]
    assert [event["planned"] for event in events if event["event"] == "run"][-1] == 2
    assert sorted(event["outcome"] for event in events if event["event"] == "finished") == ["passed"] * 2


def test_the_line_that_repeats_a_case_names_its_file(own, folder):
    own("n.yaml", "--mluop-out", "r")
    events = [json.loads(line) for line in (folder / "r/results.jsonl").read_text().splitlines()]
    assert "--cases n.yaml" in events[-1]["repro"]
