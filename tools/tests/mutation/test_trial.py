"""Cases in a process of their own, on an emulated library with a fault that may end or stop it."""

from __future__ import annotations

from typing import Any, Callable, cast

import pytest
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.load import select
from mluops_conformance.language.model import Case
from mluops_tools.mutation import trial
from mluops_tools.mutation.trial import Observation, observe

Observed = Callable[..., "list[Observation]"]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(select((), ["masked_im2col_forward/kernel"])[:3])


@pytest.fixture
def observed(cases: list[Case]) -> Observed:
    """Return a function that executes three cases on the emulator with faults."""

    def observed(*faults: str, timeout: float = 60.0, **options: Any) -> list[Observation]:
        chosen = RunOptions(backend="emulator", fault=faults, timeout=timeout)
        return list(observe(cases, chosen, {case.id: 0.0 for case in cases}, **options))

    return observed


def test_all_cases_are_executed_where_nothing_is_wrong(cases: list[Case], observed: Observed) -> None:
    seen = [(one.case, one.outcome, one.is_good) for one in observed()]
    assert seen == [(case.id, "passed", True) for case in cases]


def test_the_first_case_that_is_wrong_is_the_last(cases: list[Case], observed: Observed) -> None:
    (seen,) = observed("any/output-untouched")
    assert (seen.case, seen.outcome, seen.how, seen.is_good) == (
        cases[0].id,
        "failed",
        "memory and values",
        False,
    )


def test_a_process_that_ends_is_a_crash_of_its_case(observed: Observed) -> None:
    (seen,) = observed("masked_im2col_forward/abort")
    assert (seen.outcome, seen.reason) == ("crashed", "its process was ended by SIGABRT")


def test_without_a_fault_the_next_case_runs_in_another_process(cases: list[Case], observed: Observed) -> None:
    seen = observed("masked_im2col_forward/abort", until_caught=False)
    assert [one.case for one in seen] == [case.id for case in cases]


def test_a_case_that_waits_for_ever_has_a_time_limit(
    observed: Observed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "record_of", lambda case, session: trial.time.sleep(60))  # type: ignore[attr-defined]
    (seen,) = observed(timeout=0.2)
    assert (seen.outcome, seen.reason) == ("timeout", "it waited for 0.2 s")


class Late:
    """A pipe and its process: the third time, there is a message."""

    pid = 1

    def __init__(self) -> None:
        self._answers = iter((False, False, True))

    def poll(self, seconds: float) -> bool:
        return next(self._answers)


@pytest.mark.parametrize(("spent", "answers"), [((0.0, 0.1, 0.2), True), ((0.0, 0.1, 0.1), False)])
def test_a_process_that_works_slowly_is_waited_for(
    spent: tuple[float, ...], answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    times, late = iter(spent), cast("Any", Late())
    monkeypatch.setattr(trial, "processor_time", lambda pid: next(times))
    assert trial._answers(late, late, 1.0) == answers


@pytest.mark.slow
def test_a_case_that_never_ends_uses_up_its_processor_time(
    observed: Observed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "CPU_SECONDS", 0)
    monkeypatch.setattr(trial, "record_of", lambda case, session: [None for _ in iter(int, 1)])
    (seen,) = observed()
    assert (seen.outcome, seen.reason) == ("timeout", "it used up its processor time")
