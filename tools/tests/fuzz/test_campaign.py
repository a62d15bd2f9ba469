"""A search finds a planted fault, makes the case that shows it small, and outlives crashes and hangs."""

from __future__ import annotations

import io
import shutil
import subprocess
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Callable, NamedTuple

import pytest
from mluops_conformance import exit_codes
from mluops_conformance.cli import main
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.model import FillSpec
from mluops_conformance.reports import FORMATS
from mluops_conformance.results.reader import load_run
from mluops_conformance.results.record import Started
from mluops_tools.fuzz import text
from mluops_tools.fuzz.campaign import Findings
from mluops_tools.fuzz.draw import Space
from mluops_tools.fuzz.pool import NOT_DEFINED, Drawing, Example, Executor, Number, Result, Task, Tried

Begun = Callable[..., "subprocess.Popen[str]"]

FAULT = "roiaware_pool3d_backward/not-shared"


def test_a_correct_library_has_no_failure(command) -> None:
    code, lines, _ = command("fuzz", "masked_im2col_forward", "-n", 12, "-w", 1, "--backend", "emulator")
    assert code == exit_codes.PASSED
    assert lines[0].split() == ["operator", "dtype", "passed"]


class Search(NamedTuple):
    """A search that has ended, and the folder that it wrote."""

    code: int
    lines: list[str]
    folder: Path


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> Search:
    folder = tmp_path_factory.mktemp("search") / "found"
    words = ["fuzz", "roiaware_pool3d_backward", "dtype=float32", "-n", "15", "-w", "1"]
    with redirect_stdout(io.StringIO()) as shown:
        code = main([*words, "--fault", FAULT, "--seed", "4", "--out", str(folder)])
    return Search(code, shown.getvalue().splitlines(), folder)


@pytest.fixture
def copied(found, tmp_path) -> Path:
    """A copy of the folder, to search again in."""
    return Path(shutil.copytree(found.folder, tmp_path / "found"))


def test_a_planted_fault_is_found_and_the_exit_code_says_so(found) -> None:
    code, lines, _ = found
    assert code == exit_codes.FAILED
    assert "roiaware_pool3d_backward: " in lines[0]
    assert lines[0].endswith("failed: `grad_in` has wrong values")


def test_the_case_that_shows_it_is_small(found) -> None:
    _, lines, _ = found
    (dims,) = [line for line in lines if line.startswith("    dims: ")]
    assert dims.startswith("    dims: {boxes_num: 1, out_x: 1, out_y: 1, out_z: 1, channels: 1, ")


@pytest.mark.slow
def test_the_file_of_what_was_found_fails_again_by_its_own_line(found, command, tmp_path) -> None:
    file = found.folder / "found.yaml"
    (line,) = [line for line in file.read_text().splitlines() if "mluops-conformance run" in line]
    assert command("lint", file)[0] == exit_codes.PASSED
    words = line.split()[2:]
    assert command(*words, "--out", tmp_path / "run", "-n", 0)[0] == exit_codes.FAILED


def test_cases_found_earlier_are_tried_first(copied, command) -> None:
    code, lines, _ = command(
        "fuzz", "roiaware_pool3d_backward", "-n", 1, "-w", 1, "--fault", FAULT, "--out", copied
    )
    assert code == exit_codes.FAILED
    assert "special-float32-4-" in "\n".join(lines) or "ordinary-float32-4-" in "\n".join(lines)


def test_cases_found_earlier_stay_when_they_pass(copied, command) -> None:
    file = copied / "found.yaml"
    before = [line for line in file.read_text().splitlines() if "- id:" in line]
    code, _, _ = command(
        "fuzz", "roiaware_pool3d_backward", "-n", 1, "-w", 1, "--backend", "emulator", "--out", file.parent
    )
    assert code == exit_codes.PASSED
    assert [line for line in file.read_text().splitlines() if "- id:" in line] == before


@pytest.mark.slow
def test_a_crash_is_a_failure_like_any_other(command) -> None:
    code, lines, _ = command(
        "fuzz", "rotated_feature_align_backward", "-n", 5, "-w", 1, "--shrink-seconds", 1,
        "--fault", "rotated_feature_align_backward/segfault",
    )  # fmt: skip
    assert code == exit_codes.FAILED
    assert lines[0].endswith("crashed: its process was ended by SIGSEGV")


@pytest.mark.slow
def test_a_hang_is_a_failure_like_any_other(command) -> None:
    code, lines, _ = command(
        "fuzz", "deform_roi_pool_forward", "dtype=float32", "-n", 8, "-w", 2, "--shrink-seconds", 1,
        "--timeout", 2, "--fault", "deform_roi_pool_forward/hang",
    )  # fmt: skip
    assert code == exit_codes.FAILED
    assert "timeout: no end after … s" in lines[0]


def test_a_search_ends_by_its_time(command) -> None:
    code, lines, _ = command(
        "fuzz", "masked_im2col_forward", "--seconds", 1, "-w", 1, "--backend", "emulator"
    )
    assert code in (exit_codes.PASSED, exit_codes.NOTHING_EXECUTED)  # a second may be too short to begin
    assert lines


@pytest.fixture
def result():
    """The result of an example with an outcome."""

    def made(outcome: str, **fields: object) -> Result:
        example = Drawing(Space()).example(Number("nms_rotated", "float32", 0, 1))
        begun = Started(example.case.id, "nms_rotated", "emulator", "MLU370", "fuzz:1", 0, "")
        record = begun.finished(outcome, "it is so; and more", **fields)
        return Result(example, outcome, example, record)

    return made


def test_failures_of_one_kind_are_one(result) -> None:
    findings = Findings()
    assert findings.take(result("failed")) is not None
    assert findings.take(result("failed")) is None
    (failure,) = findings.sorted()
    assert (failure.count, failure.key.what) == (2, "it is so")


TRIED = ({"N": 3, "iou_threshold": 0.5}, {"N": 7, "iou_threshold": 0.5}, {"N": 3, "iou_threshold": 0.5})


@pytest.fixture
def tried():
    """Findings of three examples that passed."""
    findings = Findings()
    for values in TRIED:
        findings.take(
            Result(Number("nms_rotated", "float32", 0, 1), "passed", tried=Tried("computed", values))
        )
    return findings


def test_the_text_shows_tried_values(tried) -> None:
    assert list(text.tried(tried)) == ["tried, nms_rotated, computed: N 3|7, iou_threshold 0.5"]


def test_many_tried_values_are_shown_as_a_range() -> None:
    findings = Findings()
    for number in range(2, 9):
        findings.take(
            Result(Number("nms_rotated", "float32", 0, 1), "passed", tried=Tried("refused", {"N": number}))
        )
    assert list(text.tried(findings)) == ["tried, nms_rotated, refused: N 2 to 8 (7 values)"]


def test_the_table_counts_examples_with_each_value(tried) -> None:
    assert text.tried_table(tried).splitlines() == [
        "operator,call,argument,value,examples",
        "nms_rotated,computed,N,3,2",
        "nms_rotated,computed,N,7,1",
        "nms_rotated,computed,iou_threshold,0.5,3",
    ]


def test_a_search_writes_what_it_tried(found) -> None:
    _, lines, folder = found
    file = folder / "tried.csv"
    assert lines[-2] == f"wrote {file}"
    assert "\nroiaware_pool3d_backward,computed,boxes_num," in file.read_text()


@pytest.mark.parametrize("format", FORMATS)
def test_a_search_can_be_reported_in_every_format(found, command, format) -> None:
    code, lines, _ = command("report", found.folder / "run", "--format", format)
    assert code == exit_codes.PASSED
    assert "special-float32-4-" in "\n".join(lines) or "ordinary-float32-4-" in "\n".join(lines)


def test_the_stored_run_counts_examples(found) -> None:
    (failed, passed) = load_run(found.folder / "run").records
    number = int(failed.notes["examples"])
    assert f"shown by {number} example" in failed.reason
    assert passed.id == "roiaware_pool3d_backward/examples-float32"
    assert passed.notes == {"passed": 15 - number, "failed": number}
    assert passed.reason.startswith("tried, roiaware_pool3d_backward, computed: boxes_num ")


def test_coverage_shows_what_a_search_tried(found, command) -> None:
    _, lines, _ = command(
        "coverage", "operator=roiaware_pool3d_backward", "--tried", found.folder / "tried.csv"
    )
    assert lines[0] == "Tried by search"
    assert any(line.startswith("roiaware_pool3d_backward.boxes_num ") for line in lines)


def test_coverage_takes_no_other_table_for_tried_values(command, tmp_path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("operator,dtype\nnms_rotated,float32\n")
    code, _, complaint = command("coverage", "operator=nms_rotated", "--tried", file)
    assert code == exit_codes.USAGE
    assert f"{file} is not a tried.csv that `fuzz --out` wrote" in complaint


def test_known_issues_are_counted_apart(result) -> None:
    findings = Findings()
    assert findings.take(result("xfailed", issue="a bug (link)")) is None
    assert findings.failures == {}
    assert [(issue, failure.count) for issue, failure in findings.known.items()] == [("a bug (link)", 1)]


def test_a_verdict_that_proves_nothing_is_no_failure(result) -> None:
    findings = Findings()
    assert findings.take(result("mistrusted")) is None
    assert findings.failures == {}


def test_an_example_follows_from_its_number_alone() -> None:
    drawing = Drawing(Space())
    assert drawing.example(Number("nms_rotated", "float32", 3, 5)) == drawing.example(
        Number("nms_rotated", "float32", 3, 5)
    )
    assert drawing.example(Number("nms_rotated", "float32", 3, 5)) != drawing.example(
        Number("nms_rotated", "float32", 4, 5)
    )


def test_examples_are_legal_and_illegal() -> None:
    examples = [Drawing(Space()).example(Number("nms_rotated", "float32", 0, number)) for number in range(20)]
    assert {tag for example in examples for tag in example.case.tags} == {"ordinary", "special", "illegal"}


def test_an_operator_that_does_not_exist_is_named_with_the_one_that_does(command) -> None:
    code, _, complaint = command("fuzz", "nms_rotate")
    assert code == exit_codes.USAGE
    assert "did you mean 'nms_rotated'?" in complaint


def test_a_dtype_that_no_operator_takes_is_refused(command) -> None:
    code, _, complaint = command("fuzz", "nms_rotated", "dtype=float64")
    assert code == exit_codes.USAGE
    assert "float64" in complaint


def test_a_case_that_the_operator_has_no_answer_for_is_no_finding(boxes) -> None:
    """Aligned boxes must be as many on both sides."""
    dims = {"n": 3, "m": 2, "aligned": 1}
    data = {name: FillSpec("rotated_boxes") for name in ("bbox1", "bbox2")}
    uneven = replace(boxes, operator="box_iou_rotated", dims=dims, params={"mode": 0}, data=data)
    executor = Executor(Task(RunOptions(backend="emulator")), 0)
    assert executor.result(Example(uneven)).outcome == NOT_DEFINED


@pytest.mark.slow
def test_sigterm_ends_a_search_as_ctrl_c_does(begun: Begun, tmp_path: Path) -> None:
    words = [
        "fuzz",
        "masked_im2col_forward",
        "--fault",
        "masked_im2col_forward/abort",
        "--seconds",
        "600",
        "-w",
        "1",
        "--out",
        "found",
    ]
    search = begun(*words, until=(tmp_path / "found/found.yaml").exists)
    search.terminate()
    output, _ = search.communicate(timeout=60)
    assert search.returncode == 1
    assert "wrote found/tried.csv" in output
    assert (tmp_path / "found/run/results.jsonl").exists()
