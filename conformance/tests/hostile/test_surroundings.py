"""A process that starts with odd variables, without room on its disk, or in a language without letters."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import load_run

pytestmark = pytest.mark.slow

BYTES = 8 << 10


@pytest.fixture
def command(here):
    """The command in a process of its own, with some variables changed."""

    def call(*words, limit=None, **variables):
        given = {**os.environ, **variables}
        return subprocess.run(
            [sys.executable, "-m", "mluops_conformance", *words],
            cwd=here,
            env={name: value for name, value in given.items() if value is not None},
            capture_output=True,
            text=True,
            preexec_fn=limit,
            timeout=120,
        )

    return call


VARIABLES = {
    "ASCII, no columns": {"PYTHONIOENCODING": "ascii", "COLUMNS": "0", "TERM": "dumb"},
    "the plainest locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "warnings as errors, no terminal": {
        "PYTHONWARNINGS": "error",
        "TERM": None,
        "COLUMNS": "x",
        "LINES": "-1",
        "NO_COLOR": "1",
    },
    "options of pytest": {"PYTEST_ADDOPTS": "--no-such-option", "PYTEST_PLUGINS": "no_such_plugin"},
    "no home, no temporary folder": {"HOME": None, "TMPDIR": "/nonexistent", "USER": None},
    "odd devices, an odd home of Neuware": {
        "MLU_VISIBLE_DEVICES": "-1,\u00e9",
        "CNRT_DEFAULT_DEVICE": "x",
        "NEUWARE_HOME": "/dev/null\n/\u202e",
        "MLUOPS_LIBRARY": "",
    },
}


@pytest.mark.parametrize("kind", VARIABLES)
def test_no_variable_changes_what_a_run_finds(command, tmp_path, kind):
    done = command("run", "--cases", "cases.yaml", "--out", str(tmp_path / "r"), "-n", "1", **VARIABLES[kind])
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert load_run(tmp_path / "r").counts == {"passed": 3}


@pytest.mark.parametrize(
    ("variables", "code", "words"),
    [
        ({"MLUOPS_BACKEND": "gpu"}, 4, "MLUOPS_BACKEND is 'gpu'"),
        ({"MLUOPS_LIBRARY": "/dev/zero"}, 6, "MLUOPS_LIBRARY: /dev/zero: no regular file"),
        ({"MLUOPS_LIBRARY": "/"}, 6, "MLUOPS_LIBRARY: /libmluops.so: no such file"),
        ({"MLUOPS_CNRT_LIBRARY": __file__}, 6, "invalid ELF header"),
    ],
)
def test_a_variable_that_leads_nowhere_is_named(command, variables, code, words):
    done = command("run", "--cases", "cases.yaml", "--out", "unused", **variables)
    assert done.returncode == code
    assert words in done.stderr


@pytest.mark.parametrize("words", ["--help", "run --help", "replay --help", "show */tiny:dtype=float16"])
def test_ascii_is_enough_for_every_page(command, words):
    done = command(*words.split(), "--cases", "cases.yaml", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["-a 'b'", "@two\nlines\u202e"])
def test_cases_and_results_may_have_any_name(command, here, name):
    (here / name).mkdir()
    (here / name / "cases.yaml").write_bytes((here / "cases.yaml").read_bytes())
    done = command("run", f"--cases={name}", f"--out={name}/r", "-n", "1", "--backend", "emulator")
    assert done.returncode == 0
    assert load_run(here / name / "r").counts == {"passed": 3}


@pytest.mark.parametrize("name", ["a[0]", "a::b", "a\udcff"])
def test_a_name_that_the_engine_would_misread_is_refused(attempt, here, name):
    (here / f"{name}.yaml").write_bytes((here / "cases.yaml").read_bytes())
    answer = attempt("run", "--cases", f"{name}.yaml", "--out", "unused")
    assert answer.code == 4
    assert answer.err.endswith("rename it\n")


def test_a_folder_for_results_whose_name_is_not_utf_8_is_refused_by_its_option(attempt):
    answer = attempt("run", "--out", "a\udcff")
    assert answer.code == 4
    assert "mluops-conformance run: --out=a" in answer.err or answer.err.startswith(
        "mluops-conformance: --out=a"
    )


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_full_disk_ends_a_run_with_what_it_stored_and_no_case_has_crashed(command, tmp_path, workers):
    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))

    out, many = tmp_path / "r", tmp_path / "many.yaml"
    many.write_text(f"operator: nms_rotated\ncases: [{{id: a, matrix: {{N: {list(range(1, 30))}}}}}]\n")
    done = command("run", "--cases", str(many), "--out", str(out), "-n", workers, limit=little_room)
    assert done.returncode == 3
    assert f"the run was aborted: {out / 'results.jsonl'} cannot be written: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert exit_code(load_run(out)) != 0
    assert set(load_run(out).counts) <= {"passed", "skipped"}


def test_a_disk_without_room_for_the_beginning_of_a_run_is_told(command, tmp_path):
    def no_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = command("run", "--cases", "cases.yaml", "--out", str(tmp_path / "r"), limit=no_room)
    assert done.returncode == 3
    assert done.stderr.endswith("lock cannot be written: File too large\n")
    assert "Traceback" not in done.stderr
