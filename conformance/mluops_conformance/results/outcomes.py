"""How a case can end, and what a run's outcomes mean for its exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mluops_conformance import exit_codes

if TYPE_CHECKING:
    from mluops_conformance.results.reader import Run


@dataclass(frozen=True)
class Outcome:
    """One way for a case to end.

    Parameters
    ----------
    executed : bool
        Whether the case was run at all; the others always have a reason.
    good : bool
        Whether a run may contain it and still be green.
    """

    name: str
    executed: bool
    good: bool
    help: str


_ALL = (
    Outcome("failed", True, False, "a status, an output or the memory around it is not what it must be"),
    Outcome("mistrusted", True, False, "it passed, but nothing wrong with it would have been refused"),
    Outcome("crashed", True, False, "the process ended during the case"),
    Outcome("timeout", True, False, "no answer within the time limit"),
    Outcome("error", True, False, "nothing is known: the harness or the case's own data is at fault"),
    Outcome("xpassed", True, False, "a known issue that did not show; its entry is out of date"),
    Outcome("xfailed", True, True, "a known issue, and it showed"),
    Outcome("unsupported", False, True, "this library version or device does not have it"),
    Outcome("skipped", False, True, "not run, for the reason given"),
    Outcome("passed", True, True, "status and outputs are what they must be"),
)

OUTCOMES: dict[str, Outcome] = {outcome.name: outcome for outcome in _ALL}
"""By name, in the order in which reports list them: what needs a look comes first."""


def exit_code(run: Run) -> int:
    """The exit code of a run, in pytest's numbers (`mluops_conformance.exit_codes`).

    A run that executed nothing is not green, and neither is one that lacks planned cases.
    """
    if any(not OUTCOMES[name].good for name in run.counts):
        return exit_codes.FAILED
    if not run.executed:
        return exit_codes.NOTHING_EXECUTED
    return exit_codes.INTERRUPTED if run.missing else exit_codes.PASSED
