"""Once a session is closed, the emulated device holds nothing more, however its cases ended."""

from __future__ import annotations

import mluops
import pytest
from mluops_conformance.engine.plan import elements
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import select
from mluops_conformance.language.model import Case

pytestmark = pytest.mark.slow

SMALL = 2_000
FAULTS = ("any/device-error", "any/out-of-memory", "any/past-output", "any/no-checks", "workspace/huge")


def outcome_of(case: Case, session: Session) -> str:
    try:
        return execute(case, session).outcome
    except (MemoryError, mluops.Error):  # what the engine records as an error
        return "error"


def left_after(options: RunOptions) -> tuple[set[str], list[str]]:
    """The outcomes of the small smoke cases, and what is alive or was misused behind them."""
    session = Session(options)
    cases = [case for case in select((), ["suite=smoke"]) if elements(case) <= SMALL]
    outcomes = {outcome_of(case, session) for case in cases if not session.obstacle(case)}
    session.close()
    emulator = session.library.symbols
    return outcomes, [*map(str, emulator.alive()), *map(str, emulator.take_violations())]


@pytest.mark.parametrize("device", ["MLU370", "MLU590"])
def test_after_cases_that_pass(device):
    assert left_after(RunOptions(backend="emulator", emulated_device=device)) == ({"passed"}, [])


@pytest.mark.parametrize("fault", FAULTS)
def test_after_cases_that_fail(fault):
    outcomes, left = left_after(RunOptions(backend="emulator", fault=(fault,)))
    assert outcomes & {"failed", "error"}
    assert left == []
