"""Several calls in a row on one queue: shared memory, one synchronisation, and who is charged with what."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.artefacts.file import load
from mluops_conformance.artefacts.replay import execute_again, gather
from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution.chain import told_by
from mluops_conformance.execution.execute import execute, perform
from mluops_conformance.execution.expectations import Expected
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session, obstacle
from mluops_conformance.execution.values import Earlier, Found, Repetition, Verdicts
from mluops_conformance.judging.values import OutputVerdict
from mluops_conformance.operators import the_operator
from mluops_emulator.queues import Scheduler

ROI = """
dims: {boxes_num: 2, pts_num: 40, channels: 3, max_pts_each_voxel: 6, out_x: 2, out_y: 2, out_z: 2}
params: {pool_method: 0}
after: {pool: {operator: roiaware_pool3d_forward}}
data:
  argmax: {from: pool.argmax}
  pts_idx_of_voxels: {from: pool.pts_idx_of_voxels}
"""
REPEATED = f"{ROI}mode: repeat\nrepeat: 3\n"
FORWARD, BACKWARD = "mluOpRoiAwarePool3dForward", "mluOpRoiAwarePool3dBackward"
NAMES = ["pool.argmax", "pool.pts_idx_of_voxels", "pool.pooled_features", "grad_in"]


@pytest.fixture
def case(case_of):
    return case_of("roiaware_pool3d_backward", ROI)


@pytest.fixture
def repeated(case_of):
    return case_of("roiaware_pool3d_backward", REPEATED)


@pytest.fixture
def behind(interpose):
    """Has something happen behind each call of an operator, whatever its release calls the function."""

    def install(operator, after):
        for name in the_operator(operator).functions:
            interpose(name, after)

    return install


def outcomes(record):
    return {verdict.name: verdict.outcome for verdict in record.outputs}


def faulty(case, *faults):
    session = Session(RunOptions(backend="emulator", fault=faults))
    record = execute(case, session)
    session.close()
    return record


def test_each_output_of_each_call_is_judged_under_the_name_of_its_step(session, case):
    record = execute(case, session)
    assert (record.outcome, record.reason) == ("passed", "")
    assert outcomes(record) == dict.fromkeys(NAMES, "passed")


def test_the_time_of_each_phase_is_kept(session, case):
    assert set(execute(case, session).seconds) == {"fill", "copy", "call", "judge", "reference"}


@pytest.mark.parametrize(("step", "causes"), [("passed", ("order",)), ("failed", ())])
def test_a_cause_of_the_last_call_explains_no_failure_of_a_step(step, causes):
    own = Verdicts((OutputVerdict("grad_in", "failed"),), 1, ("order",))
    pool = Verdicts((OutputVerdict("argmax", step),), 1)
    nothing = {Found: Found(), Repetition: Repetition(), Expected: Expected({})}
    calls = [{**nothing, Verdicts: pool}, {**nothing, Verdicts: own, Earlier: Earlier({"pool": {}})}]
    assert told_by(calls).verdicts.causes == causes


class Counted:
    """A C function of a library that leaves a word at each call."""

    def __init__(self, function, told, word):
        self._function, self._told, self._word = function, told, word

    def succeed(self, *arguments):
        self._told.append(self._word)
        return self._function.succeed(*arguments)


@pytest.fixture
def events(session, monkeypatch):
    """The words that the queues are told, in order, and the device memory that each call uses."""
    told, used = [], {}
    submit, library = Scheduler.submit, session.library

    def submitted(self, queue, work):
        told.append(work.name)
        used[work.name] = {access.what: access.start for access in work.accesses}
        submit(self, queue, work)

    monkeypatch.setattr(Scheduler, "submit", submitted)
    for name in ("cnrtQueueSync", "cnrtSyncDevice"):
        monkeypatch.setitem(library.__dict__, name, Counted(getattr(library, name), told, "synchronise"))
    return told, used


def test_the_calls_follow_each_other_and_are_waited_for_once(session, case, events):
    told, _ = events
    execute(case, session)
    assert told[:3] == [FORWARD, BACKWARD, "synchronise"]


def test_a_linked_input_is_the_memory_that_the_step_wrote(session, case, events):
    _, used = events
    execute(case, session)
    assert used[BACKWARD]["argmax"] == used[FORWARD]["argmax"]
    assert used[BACKWARD]["pts_idx_of_voxels"] == used[FORWARD]["pts_idx_of_voxels"]


def test_repeated_calls_are_all_made_again_in_fresh_memory(session, repeated, events):
    told, _ = events
    record = execute(repeated, session)
    assert record.outcome == "passed"
    assert told[:9] == [FORWARD, BACKWARD, "synchronise"] * 3
    assert record.notes["pool: distinct argmax"] == 1


def test_an_error_of_a_step_is_not_charged_to_the_call_behind_it(case):
    record = faulty(case, "roiaware_pool3d_forward/last-points")
    assert outcomes(record) == {**dict.fromkeys(NAMES, "failed"), "grad_in": "passed"}
    assert record.failures == ("values",)
    assert record.reason.startswith("pool.argmax: ")


def test_an_error_of_the_last_call_is_charged_to_it(case):
    record = faulty(case, "roiaware_pool3d_backward/add-dropped")
    assert outcomes(record) == {**dict.fromkeys(NAMES, "passed"), "grad_in": "failed"}


@pytest.mark.parametrize(
    "fault", ["roiaware_pool3d_backward/inputs-early", "roiaware_pool3d_forward/outputs-late"]
)
def test_a_fault_between_two_calls_shows_in_a_row_of_calls_alone(case, case_of, fault):
    alone = case_of(fault.partition("/")[0], ROI.partition("after")[0])
    assert (faulty(alone, fault).outcome, faulty(case, fault).outcome) == ("passed", "failed")


def test_the_last_call_alone_is_made_again_once_all_is_fetched(session, case, events):
    told, _ = events
    execute(case, session)
    assert told[3:] == [BACKWARD, "synchronise"]


def test_a_call_that_changes_a_linked_input_each_time_is_charged_to_the_bit(session, case, behind, poke):
    bits = iter((1, 2))
    behind("roiaware_pool3d_backward", lambda sent: poke(sent["argmax"], np.array([next(bits)], np.int32)))
    record = execute(case, session)
    assert record.reason.startswith("input `argmax`, pool.argmax, was changed by the call")
    assert record.failures == ("memory", "values")


def test_a_call_that_changes_a_linked_input_in_the_row_shows_in_what_the_step_gave(
    session, case, behind, poke
):
    behind("roiaware_pool3d_backward", lambda sent: poke(sent["argmax"], np.array([17], np.int32)))
    assert outcomes(execute(case, session))["pool.argmax"] == "failed"


def test_a_call_that_changes_an_input_of_a_step_fails(session, case_of, behind, poke):
    shared = f"{ROI}  grad_out: {{from: pool.pooled_features}}\n"
    behind("roiaware_pool3d_forward", lambda sent: poke(sent["rois"], np.array([0.5], np.float32)))
    record = execute(case_of("roiaware_pool3d_backward", shared), session)
    assert record.failures[0] == "memory"
    assert "pool: input `rois` was changed by the call" in record.reason


def test_damage_around_a_linked_output_is_found(session, case, behind, poke):
    behind("roiaware_pool3d_backward", lambda sent: poke(sent["argmax"] - 4, np.array([0], np.int32)))
    record = execute(case, session)
    assert "pool: memory of `argmax`: written before its start, at bytes -4 to -1" in record.reason


def test_no_call_follows_one_that_is_refused(case, events):
    told, _ = events
    record = faulty(case, "any/wrong-success")
    assert record.failures == ("status",)
    assert record.reason.startswith(f"pool: {FORWARD} returned MLUOP_STATUS_EXECUTION_FAILED")
    assert record.changed == (
        "boxes_num 2, pts_num 40, channels 3, max_pts_each_voxel 6, out_x 2, out_y 2, out_z 2, pool_method 0",
    )
    assert BACKWARD not in told


def test_a_refusal_behind_calls_in_flight_waits_for_these(session, case_of, events):
    told, _ = events
    case = case_of("roiaware_pool3d_backward", f"{ROI}descriptors: {{grad_out: {{dtype: HALF}}}}")
    record = execute(case, session)
    assert record.reason.startswith(f"{BACKWARD} returned MLUOP_STATUS_BAD_PARAM")
    assert told[:2] == [FORWARD, "synchronise"]


def test_an_error_of_the_device_names_every_call_that_may_have_it(case):
    record = faulty(case, "any/device-error")
    assert f"{FORWARD} or {BACKWARD}: " in record.reason


def test_nothing_is_left_on_the_device(session, case):
    _ = session.handle
    before = session.library.symbols.newest
    execute(case, session)
    assert session.library.symbols.alive(before) == []


def test_what_a_step_gives_otherwise_the_next_time_counts_for_the_step_alone(session, repeated, behind, poke):
    calls = []

    def change_later(sent):
        calls.append(sent)
        if len(calls) > 1:
            poke(sent["argmax"], np.array([len(calls)], np.int32))

    behind("roiaware_pool3d_forward", change_later)
    record = execute(repeated, session)
    assert record.failures == ("repetition", "values")
    assert record.reason.startswith("pool.argmax: 3 equal calls gave 3 distinct outputs")
    assert outcomes(record)["grad_in"] == "passed"


def test_a_step_that_leaves_what_has_no_right_answer_is_charged_alone(
    session, case, behind, poke, monkeypatch
):
    monkeypatch.setattr("mluops_conformance.execution.chain.expect", refuse)
    behind("roiaware_pool3d_forward", lambda sent: poke(sent["argmax"], np.array([17], np.int32)))
    assert outcomes(execute(case, session)) == {
        "pool.argmax": "failed",
        "pool.pts_idx_of_voxels": "passed",
        "pool.pooled_features": "passed",
    }


def refuse(*_):
    raise CaseDataError("no right answer")


def test_a_right_step_that_leaves_what_has_no_right_answer_is_a_mistake_of_the_case(
    session, case, monkeypatch
):
    monkeypatch.setattr("mluops_conformance.execution.chain.expect", refuse)
    with pytest.raises(CaseDataError, match="no right answer"):
        execute(case, session)


def test_times_are_measured_of_single_calls_alone(session, case):
    assert obstacle(case, session.backend, "perf") == (
        "skipped",
        "it makes several calls: times are those of one",
    )


def test_kept_data_have_the_names_of_the_steps_and_run_again(session, case, tmp_path):
    record, trail = perform(case, session)
    path = tmp_path / "kept.npz"
    gather(trail, record).save(path)
    kept = load(path)
    assert set(kept.inputs) == {"pool.rois", "pool.pts", "pool.pts_feature", "grad_out"}
    assert set(kept.outputs) == set(kept.expected) == set(NAMES)
    again, artefact = execute_again(kept, str(path), RunOptions(backend="emulator"))
    assert again.outcome == "passed"
    assert np.array_equal(artefact.outputs["pool.argmax"], kept.outputs["pool.argmax"])
