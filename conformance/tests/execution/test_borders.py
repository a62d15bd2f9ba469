"""Built-in cases meet the borders of a device with figures of its own, and find what goes wrong there."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
import pytest
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session, obstacle
from mluops_conformance.language.load import select
from mluops_conformance.language.model import Case
from mluops_emulator.device import KIB, MODELS, DeviceModel
from mluops_emulator.operators import deform_roi_pool_forward as deform
from mluops_emulator.operators import masked_im2col_forward as im2col
from mluops_emulator.operators import nms_rotated as nms
from mluops_emulator.operators import roiaware_pool3d_backward as roiaware
from mluops_emulator.operators import rotated_feature_align_backward as rfa

OTHER = DeviceModel("MLU370", 372, 3, 4, 384 * KIB, 1024 * KIB, 1 << 32)

SLICES = {
    "deform_roi_pool_forward/channel-slice": deform,
    "rotated_feature_align_backward/channel-slice": rfa,
    "roiaware_pool3d_backward/max-channel-slice": roiaware,
    "roiaware_pool3d_backward/avg-channel-slice-beside-many-slots": roiaware,
}
"""Entries around a slice of channels, and the kernel that makes them."""


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setitem(MODELS, "other", OTHER)
    session = Session(RunOptions(backend="emulator", emulated_device="other"))
    yield session
    session.close()


def cases_of(query: str) -> list[Case]:
    return select((), query.split())


def at(case: Case) -> int:
    """Return the distance of a case beyond the limit that it names."""
    (expression,) = [limit for limit in case.limits.values() if limit.factor == 1 and limit.limit != "slots"]
    return expression.offset


def simple(entry: str) -> list[Case]:
    """The cases of an entry that are about one slice and its border."""
    return [case for case in cases_of(entry) if all(limit.factor == 1 for limit in case.limits.values())]


@pytest.mark.parametrize("entry", SLICES)
def test_there_is_a_second_slice_exactly_beyond_the_border(other, monkeypatch, entry):
    module = SLICES[entry]
    right, slices = module.channel_slices, []

    def counted(channels: int, limit: int) -> Iterator[slice]:
        slices.append(0)
        for part in right(channels, limit):
            slices[-1] += 1
            yield part

    monkeypatch.setattr(module, "channel_slices", counted)
    cases = simple(entry)
    assert {at(case) for case in cases} == {-1, 0, 1}
    for case in cases:
        assert obstacle(case, other.backend) is None
        assert execute(case, other).outcome == "passed"
    assert slices == [2 if at(case) > 0 else 1 for case in cases]


@pytest.mark.parametrize("entry", SLICES)
def test_a_fault_in_the_last_slice_is_found_beyond_the_border_alone(other, monkeypatch, entry):
    def first_slice(channels: int, limit: int) -> Iterator[slice]:
        yield slice(0, min(channels, limit))

    monkeypatch.setattr(SLICES[entry], "channel_slices", first_slice)
    outcomes = {case.id: (at(case), execute(case, other).outcome) for case in simple(entry)}
    assert {outcome for offset, outcome in outcomes.values() if offset > 0} == {"failed"}
    assert {outcome for offset, outcome in outcomes.values() if offset <= 0} == {"passed"}


def without_remainder(tasks: int, cores: int) -> Any:
    return np.arange(tasks - tasks % cores)


def shares_of_equal_size(tasks: int, cores: int) -> list[slice]:
    share = tasks // cores
    return [slice(core * share, (core + 1) * share) for core in range(cores)]


@pytest.mark.parametrize(
    ("entry", "module", "name", "fault"),
    [
        ("deform_roi_pool_forward/work", deform, "tasks_of_all", without_remainder),
        ("masked_im2col_forward/work", im2col, "even_shares", shares_of_equal_size),
    ],
)
def test_tasks_that_are_left_over_are_missed_where_cores_leave_a_remainder(
    other, monkeypatch, entry, module, name, fault
):
    monkeypatch.setattr(module, name, fault)
    sizes = {
        (size, execute(case, other).outcome)
        for case in cases_of(entry)
        for size in other.backend.sized(case).dims.values()
        if size in (OTHER.cores - 1, OTHER.cores, OTHER.cores + 1, 2 * OTHER.cores, 2 * OTHER.cores + 1)
    }
    assert sizes == {(11, "failed"), (12, "passed"), (13, "failed"), (24, "passed"), (25, "failed")}


@pytest.mark.slow
def test_there_are_as_many_boxes_as_a_cluster_compares_at_once_and_one_less_and_one_more(other, monkeypatch):
    beyond = set()
    right = nms.Overlaps

    def noted(fields: Any, live: Any, threshold: float, at_once: int) -> Any:
        beyond.add(len(live) - at_once)
        return right(fields, live, threshold, at_once)

    monkeypatch.setattr(nms, "Overlaps", noted)
    for case in cases_of("nms_rotated/on-chip-boxes"):
        assert execute(case, other).outcome == "passed"
    assert beyond >= {-1, 0, 1}


def test_the_record_has_the_sizes_on_the_device(other):
    (case,) = cases_of("deform_roi_pool_forward/work:num_rois=2cores+1")
    assert execute(case, other).sizes == {"num_rois": 25}


def test_what_the_library_refuses_at_this_size_is_not_executed(session):
    (case,) = cases_of("roiaware_pool3d_backward/max-channel-slice:dtype=float32,channels=max_channel_slice")
    reason = "channels, which follows from the device, is not what the library takes: 1 to 65535"
    assert obstacle(case, session.backend) == ("unsupported", reason)


def test_what_memory_does_not_hold_at_this_size_is_skipped(case_of, monkeypatch):
    monkeypatch.setitem(MODELS, "other", DeviceModel("MLU370", 372, 8, 4, 1 << 30, 1 << 30, 1 << 32))
    session = Session(RunOptions(backend="emulator", emulated_device="other"))
    fields = "dims: {batch: 1000, height: 1, width: 1, channels: channel_slice}"
    outcome, reason = obstacle(case_of("rotated_feature_align_backward", fields), session.backend)
    session.close()
    assert outcome == "skipped"
    assert "GB of host memory" in reason
