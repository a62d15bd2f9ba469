from __future__ import annotations

import os

import mluops
import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.execution.backends import open_backend
from mluops_conformance.execution.execute import repro_line
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.results.environment import describe


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"perf_repeats": 5}, "--perf-repeats 5: write 6 or more; fewer times give no interval"),
        (
            {"backend": "emulator", "library": "libmluops.so"},
            "--library and --cnrt name a device's libraries, and --backend emulator has none",
        ),
        ({"timeout": 0.0}, "--timeout 0: write seconds above 0"),
        ({"perf_seconds": 0.0}, "--perf-seconds 0: write seconds above 0"),
        ({"perf_seconds": float("nan")}, "--perf-seconds nan: write seconds above 0"),
        ({"perf_seconds": float("inf")}, "--perf-seconds inf: write seconds above 0"),
        (
            {"mode": "perf", "timeout": 10.0},
            "--perf-seconds 10 uses up --timeout 10: cases would time out",
        ),
        ({"peak_bandwidth": -1.0}, "--peak-bandwidth -1: write a number above 0, or leave it out"),
        ({"peak_compute": float("nan")}, "--peak-compute nan: write a number above 0, or leave it out"),
    ],
)
def test_what_nothing_can_be_measured_with_is_refused(given, text):
    with pytest.raises(UserError) as refused:
        RunOptions(**given).check()
    assert str(refused.value) == text


def test_six_times_are_enough():
    RunOptions(perf_repeats=6).check()


def test_a_case_has_five_minutes_unless_it_sets_a_limit():
    assert RunOptions().timeout == 300


def test_a_short_time_limit_does_not_matter_where_nothing_is_measured():
    RunOptions(timeout=1.0).check()


def test_options_of_a_measurement_stand_in_the_repro_line():
    options = RunOptions(mode="perf", perf_repeats=50, peak_bandwidth=307.2)
    assert options.arguments() == ("--mode", "perf", "--perf-repeats", "50", "--peak-bandwidth", "307.2")


def test_a_repro_line_sets_what_a_library_for_the_cpu_reads(monkeypatch):
    monkeypatch.setenv("MLUOPS_CPU_SEED", "1")
    monkeypatch.setenv("MLUOPS_CPU_CHECK", "races, unwritten")
    line = repro_line("op/a", RunOptions(library="build"), "cpu")
    assert line == (
        "MLUOPS_CPU_CHECK='races, unwritten' MLUOPS_CPU_SEED=1 "
        "mluops-conformance run op/a --backend cpu --library build"
    )
    assert repro_line("op/a", RunOptions(), "emulator") == "mluops-conformance run op/a --backend emulator"


@pytest.fixture
def cpu_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the emulator where a library for the CPU is asked for."""
    library = mluops.load("emulator")
    monkeypatch.setattr(library, "backend", "cpu")
    monkeypatch.setattr(mluops, "load", lambda *_, **__: library)
    monkeypatch.setenv("MLUOPS_CPU_SEED", "")


@pytest.mark.parametrize(
    ("seed", "already", "read"), [(3, "", "6"), (0, "", ""), (3, "8", "8"), (0, "8", "8")]
)
def test_the_seed_of_a_run_is_that_of_a_library_for_the_cpu_unless_it_has_one(
    cpu_library: None, monkeypatch: pytest.MonkeyPatch, seed: int, already: str, read: str
) -> None:
    monkeypatch.setenv("MLUOPS_CPU_SEED", already)
    open_backend(RunOptions(library="build", seed=seed))
    assert os.environ["MLUOPS_CPU_SEED"] == read


def test_the_seed_of_a_library_for_the_cpu_is_told_and_repeated(cpu_library: None) -> None:
    backend = open_backend(RunOptions(library="build", seed=3))
    assert "with MLUOPS_CPU_SEED=6" in backend.notice()
    assert describe(backend.library)["variables"]["MLUOPS_CPU_SEED"] == "6"
    assert repro_line("op/a", RunOptions(seed=3), "cpu").startswith("MLUOPS_CPU_SEED=6 ")


def test_the_seed_of_a_run_leaves_the_variables_of_other_libraries_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MLUOPS_CPU_SEED", "")
    open_backend(RunOptions(backend="emulator", seed=3))
    assert not os.environ["MLUOPS_CPU_SEED"]
