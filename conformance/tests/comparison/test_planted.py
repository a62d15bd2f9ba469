"""A slow-down and a loss of accuracy, planted into the emulator, against ten pairs of runs without."""

from __future__ import annotations

import pytest
from mluops_conformance.comparison.compare import compare
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import load
from mluops_emulator.faults import process

CASES = {
    "deform_roi_pool_forward": """
  - id: tolerant
    dims: {batches: 1, hi: 6, wi: 6, channels: 4, num_rois: 2, pooled_height: 2, pooled_width: 2}
    thresholds: {diff1: 2e-3, diff2: 2e-3, pointwise: 1e-3}
""",
    "masked_im2col_forward": """
  - id: copy
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
""",
    "rotated_feature_align_backward": """
  - id: sums
    dims: {batch: 1, height: 4, width: 4, channels: 4}
""",
}
REPEATS = 5
SLOWER = 0.05
"""Seconds, far above what a small case takes on any machine."""


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cases")
    for operator, entries in CASES.items():
        (folder / f"{operator}.yaml").write_text(f"operator: {operator}\ncases:{entries}", encoding="utf-8")
    return load([folder])


@pytest.fixture
def runs(cases, run_of):
    """Executes all cases so many times on an emulator with some faults: a run each time."""

    def make(times, *faults):
        session = Session(RunOptions(backend="emulator", fault=faults))
        try:
            return [run_of(*(execute(case, session) for case in cases)) for _ in range(times)]
        finally:
            session.close()

    return make


@pytest.mark.slow
def test_ten_pairs_of_runs_without_a_fault_are_quiet(runs):
    for _ in range(10):
        found = compare(*runs(2))
        assert found.compared == len(CASES)
        assert (found.changes, found.drifts, found.exit_code) == ((), (), 0)


def test_a_loss_of_accuracy_that_passes_is_named_and_nothing_else(runs):
    (base,), (new,) = runs(1), runs(1, "deform_roi_pool_forward/half-in-float")
    found = compare(base, new)
    assert {drift.id for drift in found.drifts} == {"deform_roi_pool_forward/tolerant"}
    assert {drift.measure for drift in found.drifts} == {"diff1", "diff2", "pointwise"}
    assert (found.changes, found.exit_code) == ((), 1)


def test_a_slow_down_is_named_and_nothing_else_got_worse_by_as_much(runs, monkeypatch):
    monkeypatch.setattr(process, "SLOW_SECONDS", SLOWER)
    base, *more_base = runs(REPEATS)
    new, *more_new = runs(REPEATS, "rotated_feature_align_backward/slow")
    found = compare(base, new, more_base=more_base, more_new=more_new)
    slower = [timing.id for timing in found.timings if timing.after - timing.before > SLOWER / 2]
    assert slower == ["rotated_feature_align_backward/sums"]
    assert (found.timed, found.exit_code) == (len(CASES), 1)
