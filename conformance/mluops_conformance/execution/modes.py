"""The modes: each is the way of a case, as a list of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Mapping, NamedTuple, Tuple

from mluops_conformance.execution.answers import compare_answers, judge_outputs, keep_answers
from mluops_conformance.execution.perf import assess_times, stop_if_wrong, time_calls
from mluops_conformance.execution.steps import (
    allocate,
    allocate_decoys,
    call,
    check_memory,
    check_status,
    check_workspace,
    compute_expectation,
    describe,
    expect_untouched,
    fetch,
    fill,
    query_workspace,
    synchronize,
)

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case

Step = Callable[..., Any]
"""A function whose annotations name the types of the values that it takes and returns."""
Steps = Tuple[Tuple[str, Step], ...]


class Mode(NamedTuple):
    """The steps of a mode, each with the name of the time that it takes.

    `call` comes once for each repetition that a case wants.
    """

    before: Steps
    call: Steps
    after: Steps

    def steps(self, repeat: int) -> Steps:
        """All steps in order."""
        return self.before + self.call * repeat + self.after


_CALLING: Steps = (("call", call), ("call", synchronize), ("call", check_status))
_EXPECTING: Steps = (("fill", fill), ("reference", compute_expectation), ("call", describe))
_ANSWERING: Steps = (
    ("copy", allocate),
    ("call", query_workspace),
    *_CALLING,
    ("copy", fetch),
    ("judge", check_memory),
    ("judge", keep_answers),
)

_MEASURING: Steps = (
    ("measure", stop_if_wrong),
    ("measure", allocate),
    ("measure", query_workspace),
    ("measure", time_calls),
    ("measure", fetch),
    ("measure", check_memory),
    ("measure", keep_answers),
    ("measure", judge_outputs),
    ("measure", stop_if_wrong),
    ("measure", assess_times),
)

MODES: Mapping[str, Mode] = {
    "check": Mode(_EXPECTING, _ANSWERING, (("judge", judge_outputs),)),
    "repeat": Mode(_EXPECTING, _ANSWERING, (("judge", compare_answers), ("judge", judge_outputs))),
    "perf": Mode(_EXPECTING + _ANSWERING, (), (("judge", judge_outputs), *_MEASURING)),
    "untouched": Mode(
        (("fill", fill), ("copy", allocate), ("call", describe), ("call", query_workspace)),
        _CALLING,
        (("copy", fetch), ("judge", check_memory), ("judge", expect_untouched)),
    ),
    "status": Mode(
        (("copy", allocate_decoys), ("call", describe)),
        _CALLING,
        (
            ("copy", fetch),
            ("judge", check_memory),
            ("judge", expect_untouched),
            ("judge", check_workspace),
        ),
    ),
}


def steps_of(case: Case, asked: str = "check") -> Steps:
    """The steps that a case takes.

    Parameters
    ----------
    asked : str
        The run's mode, as `mode_of` has it.
    """
    return MODES[mode_of(case, asked)].steps(case.repeat)


def mode_of(case: Case, asked: str = "check") -> str:
    """The mode of a case in a run: `perf` where that was asked for, otherwise its own.

    A success that writes nothing is `untouched`.
    """
    if asked == "perf":
        return asked
    if case.mode == "check" and not case.compare:
        return "untouched"
    return case.mode
