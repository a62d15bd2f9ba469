"""Stored runs, one a day, and an index of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance.history.index import Index
from mluops_conformance.judging.values import OutputVerdict, Threshold
from mluops_conformance.performance.times import Measured, Peaks, Quantity, Work, assess
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import RunHeader, Started


@pytest.fixture
def case():
    """Makes a record by its id, outcome, diff1, whose threshold is 1e-5, and hardware time."""

    def make(name, outcome="passed", diff1=1e-6, hardware=None):
        started = Started(name, "op", "emulator", "MLU370", "cases.yaml:3", 0, "repeat")
        limits = {"diff1": Threshold(1e-5, "static"), "diff4": Threshold(1, "")}
        verdict = OutputVerdict("y", "passed", measures={"diff1": diff1, "diff4": 0.5}, thresholds=limits)
        reason = "" if outcome == "passed" else "why"
        times = None
        if hardware is not None:
            measured = Measured((hardware,) * 6, (1e-6,) * 6, 16, True)
            times = assess(measured, Work(None, Quantity(8, "")), Peaks(), network=False, workspace=0)
        seconds = {"call": 0.25}
        return started.finished(outcome, reason, outputs=(verdict,), seconds=seconds, performance=times)

    return make


@pytest.fixture
def run_on(tmp_path):
    """Makes the run of a day of May, in a folder of its own."""

    def make(day, *records, device="MLU370", backend="emulator", library="1.11.1", digest="ab" * 32):
        folder = tmp_path / "runs" / f"night-{day:02}"
        folder.mkdir(parents=True, exist_ok=True)
        started = f"2026-05-{day:02}T02:00:00+00:00"
        header = RunHeader(folder.name, ("run",), started, len(records), backend, device)
        return Run(Path(folder), header, records, {"library": {"version": library, "sha256": digest}})

    return make


@pytest.fixture
def index(tmp_path):
    with Index(tmp_path / "runs" / "history.sqlite", create=True) as index:
        yield index
