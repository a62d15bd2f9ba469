"""The skeleton of an operator is right Python and YAML, and says what a person must fill in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import mluops
import numpy as np
import pytest
from mluops.errors import NotSupported
from mluops.signatures import MLUOP
from mluops_conformance import cli, exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.files import OPERATORS_VARIABLE
from mluops_tools.commands.skeleton import parts_of, snake_case
from mluops_tools.operator_files import skeleton

SETTINGS = Path(__file__).resolve().parents[2] / "pyproject.toml"


@pytest.fixture(autouse=True)
def no_operators_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPERATORS_VARIABLE, "")


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("mluOpAbs", "abs"),
        ("mluOpMaskedIm2colForward", "masked_im2col_forward"),
        ("mluOpRoiawarePool3dForward", "roiaware_pool3d_forward"),
        ("mluOpDCNForward", "dcn_forward"),
    ],
)
def test_the_name_is_the_functions_in_snake_case(function: str, name: str) -> None:
    assert snake_case(function) == name


def test_parameters_are_sorted_into_tensors_and_scalars() -> None:
    parts = parts_of("mluOpNmsRotated", MLUOP)
    assert parts.inputs == ("boxes", "scores")
    assert parts.outputs == ("output", "result_num")
    assert parts.bare == {"result_num"}
    assert parts.scalars == {"iou_threshold": "float"}
    assert parts.workspace_function == "mluOpGetNmsRotatedWorkspaceSize"


def test_an_argument_that_the_harness_cannot_make_is_named() -> None:
    with pytest.raises(UserError, match="cannot make const mluOpCarafeDescriptor_t carafe_desc"):
        parts_of("mluOpCarafeForward", MLUOP)


def test_a_function_that_the_header_lacks_is_named() -> None:
    with pytest.raises(UserError, match="no function mluOpNothing in"):
        parts_of("mluOpNothing", MLUOP)


def test_an_operator_outside_takes_three_files() -> None:
    assert sorted(skeleton(parts_of("mluOpAbs", MLUOP), in_tree=False)) == [
        "abs.py",
        "cases/abs/network.yaml",
        "cases/abs/requirements.yaml",
    ]


def test_an_operator_in_the_tree_has_a_file_for_each_part() -> None:
    assert sorted(skeleton(parts_of("mluOpAbs", MLUOP), in_tree=True)) == [
        "bindings/mluops/operators/abs.py",
        "bindings/mluops_emulator/faults/abs.py",
        "bindings/mluops_emulator/operators/abs.py",
        "cases/abs/network.yaml",
        "cases/abs/requirements.yaml",
        "conformance/mluops_conformance/operators/abs.py",
        "reference/mluops_reference/abs.py",
        "reference/tests/test_abs.py",
    ]


def written(function: str, folder: str) -> dict[str, Any]:
    """Return the names of the module that the skeleton of a function has in a folder."""
    parts = parts_of(function, MLUOP)
    files = skeleton(parts, in_tree=True)
    names: dict[str, Any] = {"__name__": "written"}
    exec(compile(files[f"{folder}/{parts.name}.py"], parts.name, "exec"), names)
    return names


@pytest.mark.parametrize(
    ("function", "keywords"),
    [
        ("mluOpAbs", {}),
        ("mluOpPsamaskForward", {"psa_type": 0, "h_mask": 1, "w_mask": 1}),
        ("mluOpRoiCropForward", {}),
    ],
)
def test_the_wrapper_makes_the_call(function: str, keywords: dict[str, Any]) -> None:
    wrapper = written(function, "bindings/mluops/operators")[snake_case(function)]
    library = mluops.load("emulator")
    with mluops.Handle(library) as handle, pytest.raises(
        NotSupported, match=f"{function} .* the emulator has no"
    ):
        wrapper(handle, *[np.zeros(3, np.float32)] * len(parts_of(function, MLUOP).inputs), **keywords)


def test_the_kernel_answers_for_the_function_and_its_workspace() -> None:
    entries = written("mluOpNmsRotated", "bindings/mluops_emulator/operators")["ENTRY_POINTS"]
    assert list(entries) == ["mluOpNmsRotated", "mluOpGetNmsRotatedWorkspaceSize"]


def test_nothing_is_overwritten(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "abs.py").write_text("mine")
    assert cli.main(["skeleton", "mluOpAbs", "-o", str(tmp_path)]) == exit_codes.USAGE
    assert "abs.py: the file exists already; nothing is written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["abs.py"]


def test_a_header_may_be_given(tmp_path: Path) -> None:
    header = tmp_path / "mlu_op.h"
    header.write_text("mluOpStatus_t MLUOP_WIN_API mluOpOwn(mluOpHandle_t handle, const void *x, void *y);\n")
    assert (
        cli.main(["skeleton", "mluOpOwn", "--header", str(header), "-o", str(tmp_path)]) == exit_codes.PASSED
    )
    assert (tmp_path / "own.py").is_file()


@pytest.mark.slow
@pytest.mark.parametrize("words", [[], ["--in-tree"]])
def test_ruff_and_mypy_accept_what_is_written(tmp_path: Path, words: list[str]) -> None:
    pytest.importorskip("mypy")
    for function in ("mluOpAbs", "mluOpNmsRotated", "mluOpBboxOverlaps"):
        if not (words and function == "mluOpNmsRotated"):
            cli.main(["skeleton", function, "-o", str(tmp_path), *words])
    files = [str(path) for path in tmp_path.rglob("*.py") if "tests" not in path.parts or not words]
    for call in (
        ["ruff", "check", "--ignore=I001", f"--config={SETTINGS}"],  # blank lines depend on the checkout
        ["ruff", "format", "--check", f"--config={SETTINGS}"],
    ):
        done = subprocess.run([sys.executable, "-m", *call, str(tmp_path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    if not words:  # the reference in the tree is found in a checkout alone
        strict = ["mypy", "--strict", "--cache-dir", str(tmp_path / ".mypy"), *files]
        done = subprocess.run([sys.executable, "-m", *strict], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_lint_names_each_mark_that_is_left(tmp_path: Path, capsys: Any) -> None:
    cli.main(["skeleton", "mluOpAbs", "-o", str(tmp_path)])
    capsys.readouterr()
    marked = sum(path.read_text().count("FILL IN") for path in tmp_path.rglob("*.*"))
    assert cli.main(["lint", "--operators", str(tmp_path)]) == exit_codes.USAGE
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == marked
    assert all("FILL IN: " in line for line in lines)
    assert any(line.endswith("abs.py:1:9: FILL IN: what it computes.") for line in lines)
