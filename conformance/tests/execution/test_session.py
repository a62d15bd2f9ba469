"""The traces that one case leaves in the process that the next one shares."""

from __future__ import annotations

import numpy as np
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


REFUSED = "dims: {N: 2}\nexpect: {status: BAD_PARAM}\npointers: {boxes: null}"


def test_memory_that_no_call_touches_serves_the_next_refused_call(session, case_of):
    case = case_of("nms_rotated", REFUSED)
    execute(case, session)
    before = session.library.symbols.newest
    assert execute(case, session).outcome == "passed"
    made = [str(resource) for resource in session.library.symbols.alive(before)]
    assert [text for text in made if "buffer" in text] == []


def test_memory_that_a_refused_call_has_written_serves_no_other(session, case_of, interpose, poke):
    interpose("mluOpNmsRotated", lambda sent: poke(sent["output"], np.zeros(1, np.int32)))
    record = execute(case_of("nms_rotated", REFUSED), session)
    assert record.outcome == "failed"
    held = [session.decoy().fetch() for _ in range(5)]
    assert all((buffer.view(np.uint16) == 0x7FD3).all() for buffer in held)
