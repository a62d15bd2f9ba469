from __future__ import annotations

import pytest
from mluops_conformance.judging.values import Distribution, Element, GtestVerdict, OutputVerdict, Threshold
from mluops_conformance.results.record import RunHeader, Started


@pytest.fixture
def header():
    return RunHeader("nightly", ("run", "tag=network"), "2026-05-01T02:00:00+00:00", 2, "emulator", "MLU370")


@pytest.fixture
def started():
    """Makes the beginning of a case, by its id."""

    def make(case_id="nms_rotated/network-34"):
        return Started(
            id=case_id,
            operator=case_id.partition("/")[0],
            backend="emulator",
            device="MLU370",
            origin="cases/nms_rotated/network.yaml:12",
            seed=7,
            repro=f"mluops-conformance run {case_id} --seed 7",
            requirements=("nms_rotated/1.5.1/diff3",),
        )

    return make


@pytest.fixture
def verdict():
    return OutputVerdict(
        name="output",
        outcome="failed",
        reasons=("diff3 is inf, above 0",),
        measures={"diff1": float("nan"), "diff3": float("inf"), "diff4": -1.0},
        thresholds={"diff3": Threshold(0.0, "case")},
        worst=(Element((3, 1), 5, 4, 1.0),),
        mismatches=(Element((0, 0), float("-inf"), 2.5, float("inf")),),
        mismatched=1,
        elements=34,
        matched="coordinates in half",
        distribution=Distribution((17, 2), 32, (0, 1, 0), ("9.", ".!")),
        gtest=GtestVerdict(False, {"diff3": float("inf")}, {"diff3": 0.0}, "diff3 inf above 0"),
    )
