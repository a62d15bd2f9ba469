"""The performance mode on a device that is a stand-in: what is measured, what is refused, what is no time."""

from __future__ import annotations

import ctypes
import json
import shutil
from pathlib import Path
from statistics import median

import pytest
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import load
from mluops_conformance.results.record import event

pytestmark = pytest.mark.slow

CASES = """\
operator: masked_im2col_forward
cases:
  - id: copy
    tags: [network]
    dims: {channels: 4, height: 20, width: 20, kernel_h: 3, kernel_w: 3, mask_cnt: 50}
    params: {pad_h: 1, pad_w: 1}
    matrix: {dtype: [float32, float16]}
  - id: nothing
    dims: {channels: 4, height: 20, width: 20, kernel_h: 3, kernel_w: 3, mask_cnt: 0}
    expect: {outputs: untouched}
  - id: refused
    dims: {channels: 4, height: 20, width: 20, kernel_h: 3, kernel_w: 3, mask_cnt: 50}
    params: {kernel_h: 0}
    expect: {status: BAD_PARAM}
"""
NMS = """\
operator: nms_rotated
cases:
  - id: it
    dims: {N: 34}
    params: {iou_threshold: 0.3}
"""
ROIAWARE = """\
operator: roiaware_pool3d_backward
cases:
  - id: it
    dims: {boxes_num: 2, out_x: 2, out_y: 2, out_z: 2, channels: 3, max_pts_each_voxel: 10, pts_num: 100}
"""
COMPETITORS = """\
device: Another card, with its software
source: the document, 1.5.2
figures:
  - {cases: ["masked_im2col_forward/copy dtype=float32"], seconds: 20e-6, io_efficiency: 25}
"""
IM2COL = "masked_im2col_forward"
PERF = {"mode": "perf", "perf_repeats": 20}
ONE = CASES.partition("  - id: nothing")[0].replace(", float16", "")


def measured(device, folder, *words, cases=CASES, **variables):
    return device.run(
        folder, "--mode", "perf", "--perf-repeats", "20", *words, cases={"cases": cases}, **variables
    )


@pytest.fixture(scope="module")
def run(standin, tmp_path_factory):
    folder = tmp_path_factory.mktemp("perf")
    (folder / "competitors.yaml").write_text(COMPETITORS, encoding="utf-8")
    return measured(standin(), folder, STANDIN_KERNEL_MS="1")


@pytest.fixture
def only(device, tmp_path, monkeypatch):
    """The record of one case, measured in this process; its first `good` calls have no fault."""

    def only_one(cases=ONE, good=0, options=PERF, **variables):
        (tmp_path / "one.yaml").write_text(cases, encoding="utf-8")
        libraries = {"library": str(device.mluops), "cnrt": str(device.cnrt)}
        session = Session(RunOptions(backend="device", **libraries, **options))
        calls = ctypes.CDLL(str(device.mluops)).standin_calls()  # of this process so far
        for name, value in {**variables, "STANDIN_GOOD_CALLS": str(calls + good)}.items():
            monkeypatch.setenv(name, value)
        (case,) = load([tmp_path / "one.yaml"])
        try:
            return event(execute(case, session))
        finally:
            session.close()

    return only_one


def test_what_is_right_passes_with_its_times(run):
    assert run.code == 0
    record = run.records[f"{IM2COL}/copy:dtype=float32"]
    assert (record["outcome"], set(record["samples"])) == ("passed", {"hardware", "interface"})


def test_times_of_device_and_host_are_kept_apart_and_raw(run):
    record = run.records[f"{IM2COL}/copy:dtype=float32"]
    hardware, interface = record["samples"]["hardware"], record["samples"]["interface"]
    assert (len(hardware), len(interface)) == (20, 20)
    assert min(hardware) >= 1e-3  # what a kernel takes at least
    assert record["performance"]["hardware"]["median"] == median(hardware)
    assert record["performance"]["interface"]["median"] == median(interface)
    assert 0 < median(interface) < median(hardware)


def test_the_bytes_are_those_of_all_tensors_in_their_dtypes(run):
    elements = 4 * 20 * 20 + 36 * 50
    for dtype, itemsize in (("float32", 4), ("float16", 2)):
        work = run.records[f"{IM2COL}/copy:dtype={dtype}"]["performance"]["work"]
        assert (work["bytes"]["value"], work["operations"]) == (elements * itemsize + 2 * 50 * 4, None)


def test_the_efficiency_is_a_part_of_what_the_device_tells(run):
    found = run.records[f"{IM2COL}/copy:dtype=float32"]["performance"]
    assert found["peaks"]["bandwidth"] == {"value": 307.2e9, "from": "2 x 3200 MHz of memory x 384 bits"}
    reached = found["work"]["bytes"]["value"] / (found["hardware"]["median"] * 307.2e9)
    assert (found["io_efficiency"], found["grade"]) == (pytest.approx(reached), "poor")


def test_the_workspace_is_told(run):
    assert run.records[f"{IM2COL}/copy:dtype=float32"]["performance"]["workspace"] == (1600 + 1800) * 4


def test_figures_of_another_device_stand_beside_the_case_that_they_are_about(run):
    (competitor,) = run.records[f"{IM2COL}/copy:dtype=float32"]["performance"]["competitors"]
    assert (competitor["seconds"], competitor["io_efficiency"]) == (20e-6, 0.25)
    assert run.records[f"{IM2COL}/copy:dtype=float16"]["performance"]["competitors"] == []


@pytest.mark.parametrize("name", ["nothing", "refused"])
def test_what_computes_nothing_is_skipped(run, name):
    record = run.records[f"{IM2COL}/{name}"]
    assert (record["outcome"], record["samples"], record["performance"]) == ("skipped", {}, None)
    assert record["reason"] == "it computes nothing, so there is no time to measure"


def test_the_report_of_the_run_ends_with_a_table_of_times(run):
    assert "95 % interval" in run.out
    assert "20 us" in run.out
    assert "on Another card" in run.out
    assert "is met by 0 of 2 cases" in run.out


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("text", "95 % interval"),
        ("markdown", "| case "),
        ("csv", "hardware median"),
        ("junit", 'name="hardware_time_mlu"'),
        ("json", '"io_efficiency"'),
    ],
)
def test_every_report_of_the_stored_run_has_the_times(device, run, format, text):
    assert text in device.plain(run.folder.parent, "report", "r", "--format", format).out


def test_the_repro_line_measures_again(run):
    assert "--mode perf --perf-repeats 20" in run.records[f"{IM2COL}/copy:dtype=float32"]["repro"]


def test_operations_of_nms_count_by_the_boxes_that_stay(only):
    record = only(cases=NMS)
    kept = record["outputs"][1]["elements"]
    assert kept == 1
    operations = record["performance"]["work"]["operations"]
    assert operations["value"] == 60_000 * record["outputs"][0]["elements"]
    assert record["performance"]["work"]["bytes"]["value"] == 34 * (5 + 1 + 1) * 4  # without result_num


def test_a_wrong_kernel_fails_and_is_not_measured(only):
    record = only(STANDIN_FAULTS="wrong-value")
    assert (record["outcome"], record["failures"], record["samples"]) == ("failed", ["values"], {})


@pytest.mark.parametrize(
    ("fault", "failures"),
    [("wrong-value", ["values"]), ("overrun", ["memory"]), ("underrun", ["memory"])],
)
def test_a_kernel_that_goes_wrong_only_when_repeated_fails(only, fault, failures):
    record = only(STANDIN_FAULTS=fault, good=1)
    assert (record["outcome"], record["failures"]) == ("failed", failures)
    assert (record["samples"], record["performance"]) == ({}, None)


def test_a_kernel_that_adds_to_what_is_there_fails(only):
    record = only(cases=ROIAWARE, STANDIN_FAULTS="accumulate", good=1)
    assert (record["outcome"], record["failures"]) == ("failed", ["memory", "values"])


def test_a_call_that_fails_when_repeated_is_told_by_its_number(only):
    record = only(STANDIN_FAULTS="internal-error", good=20)
    assert (record["outcome"], record["failures"], record["samples"]) == ("failed", ["status"], {})
    assert "mluOpMaskedIm2colForward returned MLUOP_STATUS_INTERNAL_ERROR (4)" in record["reason"]
    assert "this was call 20 of the measurement" in record["reason"]


def test_a_status_that_nobody_knows_ends_a_measurement_as_well(only):
    record = only(STANDIN_FAULTS="unheard-of-status", good=5)
    assert "returned an unknown status (99)" in record["reason"]


def test_a_kernel_that_loses_the_device_when_repeated_fails_alone(device, tmp_path):
    words = (f"{IM2COL}/copy", "-n", "1")
    done = measured(device, tmp_path, *words, STANDIN_FAULTS="trap@1800", STANDIN_GOOD_CALLS="9")
    assert {record["outcome"] for record in done.records.values()} == {"failed"}
    for record in done.records.values():
        assert "cnrtErrorKernelTrap" in record["reason"]
        assert "this was call 9 of the measurement" in record["reason"]


def test_a_kernel_that_hangs_when_repeated_times_out(device, tmp_path):
    cases = CASES.replace("    tags: [network]\n", "    timeout: 2\n").replace(", float16", "")
    words = ("--perf-seconds", "1", f"{IM2COL}/copy")
    done = measured(device, tmp_path, *words, cases=cases, STANDIN_FAULTS="hang", STANDIN_GOOD_CALLS="9")
    (record,) = done.records.values()
    assert (done.code, record["outcome"]) == (1, "timeout")


@pytest.mark.parametrize("rate", ["0", "-1"])
def test_times_that_are_no_times_are_an_error_of_the_measurement(only, rate):
    record = only(STANDIN_CLOCK_RATE=rate)
    found = record["performance"]
    assert record["outcome"] == "passed"  # the kernel is right
    assert found["errors"] == ["hardware time: 20 of 20 are zero, negative or no number"]
    assert (found["io_efficiency"], found["grade"]) == (None, "")


def test_more_than_the_peak_is_an_error_of_the_measurement(only):
    found = only(options={**PERF, "peak_bandwidth": 0.001})["performance"]
    assert found["io_efficiency"] > 1
    assert [error.partition(" efficiency ")[0] for error in found["errors"]] == ["IO"]


def test_a_device_that_does_not_tell_its_peak_leaves_it_to_an_option(only):
    found = only(STANDIN_NO_CLOCKS="1")["performance"]
    assert found["io_efficiency"] is None
    assert found["remarks"] == ["the device does not tell its peak bandwidth; --peak-bandwidth GB/s gives it"]


def test_a_case_may_want_to_be_measured_and_say_how_often(only):
    cases = ONE.replace("    tags: [network]\n", "    mode: perf\n    repeat: 7\n")
    assert len(only(cases, options={})["samples"]["hardware"]) == 7


@pytest.mark.parametrize("workers", ["2", "8"])
def test_workers_never_share_a_device(device, tmp_path, workers):
    done = measured(device, tmp_path, "-n", workers)
    assert (done.code, done.folder.exists()) == (4, False)
    assert f"-n {workers}: times are measured, so each worker needs its own device" in done.err


def test_each_device_has_a_worker(device, tmp_path):
    done = measured(device, tmp_path, "-n", "2", STANDIN_DEVICES="MLU370-X8,MLU370-X8")
    assert done.code == 0


def test_a_run_is_resumed_in_its_mode(device, run, tmp_path):
    folder = Path(shutil.copytree(run.folder.parent, tmp_path / "copy"))
    lines = [
        json.dumps(entry) + "\n" for entry in run.events if entry.get("id") != f"{IM2COL}/copy:dtype=float16"
    ]
    (folder / "r/results.jsonl").write_text("".join(lines), encoding="utf-8")
    done = device.plain(folder, "run", "--resume", "r")
    assert len(done.records[f"{IM2COL}/copy:dtype=float16"]["samples"]["hardware"]) == 20


def test_two_runs_compare_by_the_rule_of_the_vendor(device, run, tmp_path):
    slower = measured(device, tmp_path, f"{IM2COL}/copy", STANDIN_KERNEL_MS="2")
    compared = device.plain(tmp_path, "compare", str(run.folder), str(slower.folder), "--time-rule", "vendor")
    assert (compared.code, "2 slower" in compared.out) == (1, True)


def test_figures_that_cannot_be_read_are_said_before_anything_runs(device, tmp_path):
    (tmp_path / "competitors.yaml").write_text(COMPETITORS.replace("20e-6", "0"), encoding="utf-8")
    done = measured(device, tmp_path)
    assert (done.code, done.folder.exists()) == (4, False)
    assert "competitors.yaml:4:68: seconds needs seconds above 0, got 0" in done.err


def test_an_emulated_device_is_not_measured(device, tmp_path):
    done = device.plain(tmp_path, "run", "--mode", "perf", "--backend", "emulator", "--out", "r")
    assert (done.code, done.folder.exists()) == (4, False)
    assert "--mode perf measures a device, but this run would be emulated" in done.err
