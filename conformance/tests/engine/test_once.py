"""A run reads each file once, makes one plan and opens one back end."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

COUNTING = """
import json, os, sys
opened, calls = [], []

def watch(event, arguments):
    by_open = arguments[1:2] != (None,)  # not by os.open, which the pathlib of Python 3.8 calls within open
    if event == "open" and by_open and str(arguments[0]).endswith(".yaml"):
        opened.append(os.path.realpath(arguments[0]))

sys.addaudithook(watch)
import mluops
import mluops_conformance.engine.plan as planning
from mluops_conformance.cli import main

def counted(name, function):
    def call(*arguments, **more):
        calls.append(name)
        return function(*arguments, **more)
    return call

mluops.load = counted("back end", mluops.load)
planning.plan = counted("plan", planning.plan)
code = main(sys.argv[1:])
print(json.dumps({"code": code, "opened": opened, "calls": calls}))
"""


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("once")
    words = ["run", "nms_rotated/network-34*", "-n", "0", "--backend", "emulator", "--out", "r"]
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_the_run_passes(counts):
    assert counts["code"] == 0


def test_no_file_is_read_twice(counts):
    assert [file for file, times in Counter(counts["opened"]).items() if times > 1] == []


def test_case_files_are_read(counts):
    assert any(file.endswith("nms_rotated/network.yaml") for file in counts["opened"])


def test_one_plan_is_made(counts):
    assert counts["calls"].count("plan") == 1


def test_one_back_end_is_opened(counts):
    assert counts["calls"].count("back end") == 1


@pytest.mark.slow
def test_the_command_limits_the_threads_of_blas_before_numpy_is_loaded():
    program = "import sys, mluops_conformance.commands.run; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
