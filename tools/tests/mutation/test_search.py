"""A search for an example that shows a fault, on an emulated library with a fault that may end or stop it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Callable

import pytest
from mluops_conformance.execution.options import RunOptions
from mluops_tools.fuzz.campaign import pairs_of
from mluops_tools.fuzz.pool import Executor, Number, Task, Worker
from mluops_tools.mutation.search import searched
from mluops_tools.mutation.trial import Observation

RIGHT = RunOptions(backend="emulator")
Searched = Callable[..., "list[Observation]"]


@pytest.fixture
def found() -> Searched:
    """Return a function that searches masked_im2col_forward on the emulator with faults."""

    def found(*faults: str, unchanged: RunOptions = RIGHT, seconds: float = 5.0) -> list[Observation]:
        task = Task(replace(RIGHT, fault=faults), queries=("masked_im2col_forward",))
        return list(searched(pairs_of(task.queries), task, unchanged, seconds))

    return found


def test_all_examples_pass_where_nothing_is_wrong(found: Searched) -> None:
    seen = found(seconds=0.2)
    assert seen
    assert all(one.is_good for one in seen)


def test_the_example_that_shows_a_fault_is_the_last(found: Searched) -> None:
    *before, last = found("any/output-untouched")
    assert all(one.is_good for one in before)
    assert (last.outcome, last.how) == ("failed", "memory and values")
    operator, _, example = last.case.partition("/")
    kind, dtype, seed, number = example.split("-")
    assert (operator, dtype, seed) == ("masked_im2col_forward", "float32", "0")
    assert kind in ("ordinary", "special", "illegal")
    assert int(number) <= len(before)


def test_an_example_that_fails_without_the_fault_does_not_count(found: Searched) -> None:
    wrong = replace(RIGHT, fault=("any/output-untouched",))
    seen = found("any/output-untouched", unchanged=wrong, seconds=0.05)
    assert all(one.is_good for one in seen)
    assert "it does not pass on unchanged sources" in [one.reason for one in seen]


def test_a_process_that_ends_is_a_crash_of_its_example(found: Searched) -> None:
    last = found("masked_im2col_forward/abort")[-1]
    assert (last.outcome, last.reason) == ("crashed", "its process was ended by SIGABRT")


def test_the_processes_of_crashes_that_do_not_count_use_up_the_time(found: Searched) -> None:
    crashing = replace(RIGHT, fault=("masked_im2col_forward/abort",))
    seen = found("masked_im2col_forward/abort", unchanged=crashing, seconds=1.0)
    assert [one.outcome for one in seen] == ["crashed"]
    assert seen[0].is_good


@pytest.mark.slow
def test_an_example_that_never_ends_uses_up_its_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Executor, "result", lambda *_: [None for _ in iter(int, 1)])
    with closing(Worker(Task(RIGHT, processor_seconds=0.1))) as worker:
        record = worker.result(Number("masked_im2col_forward", "float32", 0, 0)).record
    assert record is not None
    assert (record.outcome, record.reason) == ("timeout", "it used up its processor time")
