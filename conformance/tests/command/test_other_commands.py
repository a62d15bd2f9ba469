"""list, show, lint, doctor, and the command itself."""

from __future__ import annotations

import pytest


def test_list_prints_one_id_a_line(command, cases):
    done = command("list", "tag=tiny", "--cases", "cases.yaml")
    assert done.stdout.splitlines() == [
        "masked_im2col_forward/tiny:dtype=float32",
        "masked_im2col_forward/tiny:dtype=float16",
    ]


def test_show_gives_a_file_that_stands_for_the_case_alone(command, tmp_path, cases):
    shown = command("show", "masked_im2col_forward/tiny:dtype=float16", "--cases", "cases.yaml", "--yaml")
    (tmp_path / "alone.yaml").write_text(shown.stdout)
    listed = command("list", "--cases", "alone.yaml")
    assert listed.stdout.split() == ["masked_im2col_forward/tiny:dtype=float16"]


def test_show_names_function_tensors_and_criteria(command, cases):
    shown = command("show", "masked_im2col_forward/tiny:dtype=float16", "--cases", "cases.yaml").stdout
    for word in ("mluOpMaskedIm2colForward", "data_col", "1x2x5x4", "NCHW", "diff3"):
        assert word in shown


IN_A_ROW = """\
operator: nms_rotated
cases:
  - id: behind
    dims: {N: 3}
    after: {overlaps: {operator: box_iou_rotated, dims: {n: 3, m: 2}}}
    data: {boxes: {from: overlaps.bbox1}}
"""


def test_show_tells_of_every_call_and_of_the_memory_that_two_of_them_share(command, tmp_path):
    (tmp_path / "row.yaml").write_text(IN_A_ROW, encoding="utf-8")
    lines = command("show", "nms_rotated/behind", "--cases", "row.yaml").stdout.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith("calls")] == [
        "mluOpBoxIouRotated, as `overlaps`",
        "mluOpNmsRotated, without a synchronisation before",
    ]
    assert next(line for line in lines if line.startswith("boxes")).endswith("from overlaps.bbox1")


def test_show_takes_one_case(command, cases):
    done = command("show", "tag=tiny", "--cases", "cases.yaml")
    assert done.returncode == 4
    assert "selects 2 cases" in done.stderr


def test_lint_counts_what_it_read(command, cases):
    assert command("lint", "cases.yaml").stdout == "3 cases, nothing wrong\n"


def test_lint_of_the_built_in_cases_finds_nothing(command):
    done = command("lint")
    assert (done.returncode, done.stderr) == (0, "")


def test_lint_of_a_missing_file_says_so(command):
    done = command("lint", "nowhere.yaml")
    assert (done.returncode, done.stderr) == (
        4,
        "mluops-conformance: no such case file or folder: nowhere.yaml\n",
    )


def test_doctor_says_that_there_is_no_device_and_what_was_tried(command):
    done = command("doctor")
    assert done.returncode == 6
    assert "No device can be used" in done.stdout
    assert "NEUWARE_HOME: not set" in done.stdout


@pytest.mark.parametrize(
    "name", ["run", "list", "show", "report", "compare", "replay", "diff", "history", "lint", "doctor"]
)
def test_every_command_has_help(command, name):
    done = command(name, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: mluops-conformance {name}")


def test_an_unknown_command_is_a_usage_error(command):
    done = command("explode")
    assert done.returncode == 4
    assert "invalid choice" in done.stderr


def test_queries_may_stand_on_both_sides_of_an_option(command):
    done = command("list", "operator=nms_rotated", "--emulated-device", "MLU590", "tag=network")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 12


def test_a_wrong_command_line_is_one_line_and_names_the_help(command):
    done = command("run", "--seed", "x")
    assert done.returncode == 4
    assert done.stderr == (
        "mluops-conformance run: argument --seed: invalid int value: 'x'; "
        "'mluops-conformance run --help' explains\n"
    )


def test_sizes_that_follow_from_the_device_are_shown_as_they_are_written(command):
    done = command("show", "deform_roi_pool_forward/work:num_rois=2cores+1")
    assert "num_rois=2 * cores + 1" in done.stdout
    assert "num_roisx5" in done.stdout


def test_with_a_device_sizes_are_numbers(command):
    shown = command("show", "deform_roi_pool_forward/work:num_rois=2cores+1", "--emulated-device", "MLU590")
    assert "num_rois=97" in shown.stdout
    listed = command("list", "deform_roi_pool_forward/work:num_rois=cores", "--emulated-device", "MLU590")
    assert listed.stdout == "deform_roi_pool_forward/work:num_rois=cores num_rois=48\n"


TOO_MUCH = {
    "positions beyond int32": (
        "operator: masked_im2col_forward\ncases:\n  - id: a\n    dims: {channels: 1, height: 3, width: 3, "
        "kernel_h: 2, kernel_w: 2, mask_cnt: 4}\n    params: {pad_h: 2147483647}\n",
        "makes positions from 0 to 4294967295, which int32 does not hold: they end at 2147483647",
    ),
    "samples": (
        "operator: deform_roi_pool_forward\ncases:\n  - id: a\n    dims: {batches: 1, hi: 5, wi: 6, "
        "channels: 1, num_rois: 1, pooled_height: 1, pooled_width: 1}\n    params: {sampling_ratio: 0}\n"
        "    data: {rois: [[0, 0, 0, 3000000000, 4]]}\n",
        "region 0 takes 3000000000 x 4 samples a bin, and at most 16777216 are tested",
    ),
}


@pytest.mark.parametrize("kind", TOO_MUCH)
def test_lint_and_a_run_tell_work_beyond_the_limit_in_the_same_words(command, tmp_path, kind):
    text, complaint = TOO_MUCH[kind]
    (tmp_path / "huge.yaml").write_text(text, encoding="utf-8")
    linted = command("lint", "huge.yaml")
    ran = command("run", "--backend", "emulator", "--cases", "huge.yaml", "--out", "r", "-n", "0")
    assert linted.returncode == 4
    assert complaint in linted.stderr
    assert ran.returncode != 0
    assert complaint in ran.stdout + ran.stderr
