from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from mluops_conformance.judging.values import Element, OutputVerdict, Threshold
from mluops_conformance.performance.times import Measured, Peaks, Quantity, Work, assess
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import RunHeader, Started

PEAKS = Peaks(Quantity(1e12, "told"), Quantity(300e9, "told"))

FAILED_OUTPUT = OutputVerdict(
    name="output",
    outcome="failed",
    reasons=("diff3 is 0.25, above 0",),
    measures={"diff1": 0.125, "diff3": 0.25, "diff4": -1.0},
    thresholds={"diff3": Threshold(0.0, "static 0 (int32); the document, 1.5.1")},
    worst=(Element((3,), 5, 4, 1.0),),
    mismatches=(Element((7,), float("nan"), 2.5, float("nan")),),
    mismatched=3,
    elements=34,
)


@pytest.fixture
def case():
    """Makes a record, by its outcome and id."""

    def make(outcome="passed", case_id="nms_rotated/network-34", reason="", outputs=()):
        started = Started(
            id=case_id,
            operator=case_id.partition("/")[0],
            backend="emulator",
            device="MLU370",
            origin="cases/nms_rotated/network.yaml:12",
            seed=7,
            repro=f"mluops-conformance run {case_id} --seed 7",
            requirements=("nms_rotated/1.5.1/diff3",),
        )
        return started.finished(outcome, reason, outputs=outputs, seconds={"fill": 0.25, "call": 0.5})

    return make


@pytest.fixture
def failed(case):
    return case("failed", "nms_rotated/bad", "output: diff3 is 0.25, above 0", (FAILED_OUTPUT,))


@pytest.fixture
def run_of():
    """Makes a run of records."""

    def make(*records, backend="emulator", problems=(), missing=0):
        header = RunHeader("nightly", ("run",), "2026-05-01T02:00:00+00:00", len(records), backend, "MLU370")
        environment = {"library": {"version": "1.11.1"}, "host": {"name": "ci"}}
        return Run(Path("runs/nightly"), header, records, environment, problems, missing)

    return make


@pytest.fixture
def timed(case):
    """Makes a record of a case by its id and the hardware times in microseconds."""

    def make(
        case_id="op/a", times=(20, 20, 20, 20, 20, 26), operations=6e6, peaks=PEAKS, competitors=(), **more
    ):
        measured = Measured(tuple(time / 1e6 for time in times), (5e-6,) * len(times), 16, True)
        work = Work(operations and Quantity(operations, "formula"), Quantity(3e6, "tensors"))
        found = assess(
            measured, work, peaks, **{"network": True, "workspace": 2252800, **more}, competitors=competitors
        )
        return replace(case(case_id=case_id), performance=found)

    return make
