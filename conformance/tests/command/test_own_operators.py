"""A team keeps operators in a folder of its own; `--operators`, a variable or an entry point finds them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
from mluops_conformance import cli, exit_codes
from mluops_conformance.operators import case_folders, discovery, operator_names, the_operator
from mluops_conformance.support.files import OPERATORS_VARIABLE, use_operators

DEFINITION = """\
import numpy as np
from mluops_conformance.operators.base import Criteria, Dim, Expectation, Operator, Tensor


def reference(inputs, scalars):
    return Expectation({"y": np.abs(inputs["x"].astype(np.float64))})


OPERATOR = Operator(
    name="abs",
    functions=("mluOpAbs",),
    dtypes=("float32",),
    dims=(Dim("n", "elements"),),
    params=(),
    inputs=(Tensor("x", ("n",), "values", fill={"fill": "uniform", "low": -1, "high": 1}),),
    outputs=(Tensor("y", ("n",), "absolute values"),),
    criteria=Criteria(measures=("diff1",), static={"float32": 0.0}, source="a test"),
    reference=reference,
    scale=reference,
)
"""
CASES = """\
operator: abs
source: a test
defaults: {tags: [network], checks: [abs/1/each]}
cases:
  - id: some
    matrix: {n: [1, 7]}
"""
REQUIREMENTS = """\
operator: abs
document: a test
requirements:
  - {id: abs/1/each, section: "1", status: tested, text: Each element becomes its absolute value.}
"""


@pytest.fixture(autouse=True)
def no_operators_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPERATORS_VARIABLE, "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ours = tmp_path / "kernels"
    (ours / "cases/abs").mkdir(parents=True)
    (ours / "abs.py").write_text(DEFINITION)
    (ours / "cases/abs/network.yaml").write_text(CASES)
    (ours / "cases/abs/requirements.yaml").write_text(REQUIREMENTS)
    return ours


@pytest.fixture
def told(folder: Path, capsys: Any) -> Callable[..., tuple[int, str]]:
    """Run a command with the folder in this process: its exit code and all that it says."""

    def call(*words: str) -> tuple[int, str]:
        code = cli.main([*words, "--operators", str(folder)])
        return code, "".join(capsys.readouterr())

    return call


def test_show_describes_a_case_of_the_folder(told):
    code, text = told("show", "abs/some:n=7")
    assert (code, "mluOpAbs" in text) == (exit_codes.PASSED, True)


def test_list_finds_the_cases_of_the_folder(told):
    assert "abs/some:n=1" in told("list", "operator=abs")[1]


@pytest.mark.slow
def test_lint_reads_the_cases_of_the_folder(told, folder):
    (folder / "cases/abs/network.yaml").write_text(CASES.replace("n: [1", "m: [1"))
    code, text = told("lint")
    assert (code, "network.yaml:6" in text) == (exit_codes.USAGE, True)


def test_coverage_counts_the_requirements_of_the_folder(told):
    code, text = told("coverage", "operator=abs")
    assert code == exit_codes.PASSED
    assert "1 requirement (1 tested): each has a case or a reason" in text


def test_selftest_leaves_out_what_the_emulator_has_no_kernel_of(told):
    code, text = told("selftest", "operator=abs")
    assert code == exit_codes.NOTHING_EXECUTED
    assert "the emulator has no kernel of the operators of these cases" in text


@pytest.mark.slow
def test_workers_find_the_folder_and_an_operator_without_a_kernel_is_unsupported(command, folder):
    options = ("--operators", str(folder), "--backend", "emulator", "-n", "1", "--out", "run")
    done = command("run", "operator=abs", *options)
    assert done.returncode == exit_codes.NOTHING_EXECUTED
    assert "2 unsupported: the emulator has no kernel of mluOpAbs" in done.stdout


@pytest.mark.slow
def test_pytest_itself_finds_the_folder(folder):
    words = ["-q", "-rs", "-p", "mluops_conformance.plugin", "--mluop-operators", ".", "cases"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0
    assert "2 skipped" in done.stdout
    assert "the emulator has no kernel of mluOpAbs" in done.stdout


def test_the_variable_names_the_folder(folder, monkeypatch):
    monkeypatch.setenv(OPERATORS_VARIABLE, str(folder))
    assert "abs" in operator_names()
    assert folder / "cases" in case_folders()


def test_an_entry_point_names_a_package(folder, monkeypatch):
    monkeypatch.syspath_prepend(folder.parent)
    entry = discovery.metadata.EntryPoint("ours", "kernels", discovery.GROUP)
    monkeypatch.setattr(discovery, "_entry_points", lambda: [entry])
    discovery.installed.cache_clear()
    try:
        assert the_operator("abs").functions == ("mluOpAbs",)
        assert folder / "cases" in case_folders()
    finally:
        discovery.installed.cache_clear()


def test_an_entry_point_without_a_package_is_named(monkeypatch, capsys):
    entry = discovery.metadata.EntryPoint("ours", "no_such_package", discovery.GROUP)
    monkeypatch.setattr(discovery, "_entry_points", lambda: [entry])
    discovery.installed.cache_clear()
    assert cli.main(["lint"]) == exit_codes.USAGE
    assert (
        "ours = no_such_package of mluops_conformance.operators: no such package" in capsys.readouterr().err
    )


def test_modules_of_a_folder_import_each_other(folder):
    (folder / "_shared.py").write_text("DTYPES = ('float32', 'float16')\n")
    text = DEFINITION.replace('("float32",)', "DTYPES")
    (folder / "abs.py").write_text(f"from ._shared import DTYPES\n{text}")
    use_operators([str(folder)])
    assert the_operator("abs").dtypes == ("float32", "float16")


def test_a_folder_that_does_not_exist_is_named(capsys):
    assert cli.main(["lint", "--operators", "nowhere"]) == exit_codes.USAGE
    assert capsys.readouterr().err == "mluops-conformance: --operators nowhere: no such folder\n"


@pytest.mark.parametrize(
    ("definition", "complaint"),
    [
        ("import numpy\n\n1 / 0\n", "abs.py:3: ZeroDivisionError: division by zero\n"),
        ("raise SystemExit('no')\n", "abs.py:1: SystemExit: no\n"),
        ("x = 1\n", "abs.py:1: no OPERATOR; define one, or begin the name of a helper module with '_'\n"),
        ("\nOPERATOR = 3\n", "abs.py:2: OPERATOR must be an Operator, not int\n"),
        (
            DEFINITION.replace('"abs"', '"sba"'),
            "abs.py:9: OPERATOR has the name 'sba'; the module's is 'abs'\n",
        ),
        (
            DEFINITION.replace("mluOpAbs", "mluOpSbA"),
            "abs.py:9: OPERATOR calls mluOpSbA, which mlu_op.h does not declare\n",
        ),
        (
            DEFINITION.replace('Tensor("y"', 'Tensor("z"'),
            "abs.py:9: OPERATOR gives no value to y_desc, y of mluOpAbs\n",
        ),
    ],
)
def test_a_wrong_module_is_one_line_with_its_place(told, folder, definition, complaint):
    (folder / "abs.py").write_text(definition)
    assert told("lint") == (exit_codes.USAGE, f"{folder.resolve()}{os.sep}{complaint}")


def test_a_syntax_error_is_one_line_with_its_place(told, folder):
    (folder / "abs.py").write_text("x = 1\nx ==\n")
    code, text = told("lint")
    assert (code, text.count("\n")) == (exit_codes.USAGE, 1)
    assert text.startswith(f"{folder.resolve()}{os.sep}abs.py:2: SyntaxError: invalid syntax")


def test_a_name_that_exists_already_is_refused(told, folder):
    (folder / "abs.py").rename(folder / "nms_rotated.py")
    code, text = told("lint")
    assert code == exit_codes.USAGE
    assert text.startswith(
        f"{folder.resolve()}{os.sep}nms_rotated.py:9: operator 'nms_rotated' exists already, in "
    )
    assert text.count("\n") == 1


RENAMED = """\
from dataclasses import replace

from mluops_conformance.operators.box_iou_rotated import OPERATOR as KNOWN

OPERATOR = replace(KNOWN, name="own_iou")
"""
CASES_OF_RENAMED = """\
operator: own_iou
source: a test
cases:
  - id: some
    dims: {n: 3, m: 4}
    matrix: {mode: [0, 1]}
"""


@pytest.mark.slow
def test_workers_execute_cases_of_the_folder_where_there_is_a_kernel(command, folder):
    (folder / "own_iou.py").write_text(RENAMED)
    (folder / "cases/own_iou.yaml").write_text(CASES_OF_RENAMED)
    options = ("--operators", str(folder), "--backend", "emulator", "-n", "1", "--out", "run")
    done = command("run", "operator=own_iou", *options)
    assert done.returncode == exit_codes.PASSED
    assert "2 passed" in done.stdout
