"""The traces that one case leaves in the process that the next one shares."""

from __future__ import annotations

import pytest
from mluops.errors import CndrvError
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session


def test_limits_that_were_set_by_half_are_not_left_to_the_next_case(session, case_of):
    context = session.library.symbols.context
    before = context.union_limit
    with pytest.raises(CndrvError):
        session.prepare(case_of("nms_rotated", "dims: {N: 2}\nclusters: 63"))
    session.prepare(case_of("nms_rotated", "dims: {N: 2}"))
    assert context.union_limit == before


@pytest.fixture
def two_queues():
    """A session whose calls take turns on two queues."""
    session = Session(RunOptions(backend="emulator", queues=2))
    yield session
    session.close()


def test_calls_take_turns_on_two_queues(two_queues, case_of, monkeypatch):
    used = []
    enqueue = type(two_queues.library.symbols.scheduler).submit
    monkeypatch.setattr(
        type(two_queues.library.symbols.scheduler),
        "submit",
        lambda scheduler, queue, work: used.append(queue.number) or enqueue(scheduler, queue, work),
    )
    case = case_of("nms_rotated", "dims: {N: 2}\nmode: repeat\nrepeat: 3")
    assert execute(case, two_queues).outcome == "passed"
    first, second, third = used
    assert first == third != second


def test_calls_stay_on_one_queue_without_an_option(session):
    before = session.handle
    session.take_turns()
    assert session.handle is before
