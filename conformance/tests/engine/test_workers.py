"""The assignments that workers get from the controlling process."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import pytest
from mluops_conformance.engine.workers import TOLD, Assignment, Workers
from mluops_conformance.language.load import select


def told(*, popen=True, native_ids=False):
    """The assignment of a worker, as it reads it."""
    backend = SimpleNamespace(name="emulator", each_device=lambda: [None])
    node = SimpleNamespace(
        gateway=SimpleNamespace(id="gw0", spec=SimpleNamespace(popen=popen)), workerinput={"workerid": "gw0"}
    )
    Workers(backend, select((), ["masked_im2col_forward suite=smoke"]), native_ids).pytest_configure_node(
        node
    )
    assert set(node.workerinput) == {"workerid", TOLD}
    return Assignment.of(node.workerinput)


def test_a_worker_gets_the_planned_cases_and_need_not_read_them_again():
    cases = pickle.loads(told().cases)
    assert len(cases) > 10
    assert [case.id for case in cases] == list(told().ids)
    assert {case.operator for case in cases} == {"masked_im2col_forward"}
    assert all(case.origin.file.endswith(".yaml") for case in cases)


@pytest.mark.parametrize("elsewhere", [{"popen": False}, {"native_ids": True}])
def test_a_worker_of_another_machine_or_of_pytest_itself_reads_its_own_files(elsewhere):
    assert told(**elsewhere).cases == b""
    assert told(**elsewhere).ids
