"""Ways to alter a function, a kernel or a table of checks: what the rows of the fault tables are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.checks import Check, Checks
    from mluops_emulator.faults.fault import Alteration


def instead(replacement: Any) -> Alteration:
    """Put something else there."""
    return lambda right: replacement


def given(change: Callable[..., Any]) -> Alteration:
    """Call the function with other positional arguments: `change` of those given."""
    return lambda right: lambda *arguments, **scalars: right(*change(*arguments), **scalars)


def given_scalar(**changes: Callable[[Any], Any]) -> Alteration:
    """Call the function with other keyword arguments, each made of the one given."""

    def alter(right: Callable[..., Any]) -> Any:
        def altered(*arguments: Any, **scalars: Any) -> Any:
            return right(
                *arguments, **{**scalars, **{k: change(scalars[k]) for k, change in changes.items()}}
            )

        return altered

    return alter


def after(change: Callable[[Any], Any]) -> Alteration:
    """Answer with `change` of the right answer."""
    return lambda right: lambda *arguments, **scalars: change(right(*arguments, **scalars))


def one_call_late(right: Callable[..., Any]) -> Any:
    """Answer with what the call before was answered."""
    answers: list[Any] = []

    def altered(*arguments: Any) -> Any:
        answers.append(right(*arguments))
        return answers.pop(0) if len(answers) > 1 else answers[0]

    return altered


# Tables of checks


def without(*texts: str) -> Alteration:
    """Leave out the checks of these texts."""
    return lambda checks: tuple(check for check in checks if check.text not in texts)


def answering(status: mluOpStatus_t, text: str) -> Alteration:
    """Let the check of this text answer another status."""

    def altered(check: Check) -> Check:
        return replace(check, status=status) if check.text == text else check

    return lambda checks: tuple(map(altered, checks))


def with_check(check: Check) -> Alteration:
    """Check something more, at the end."""
    return lambda checks: (*checks, check)


def checked_last(text: str) -> Alteration:
    """Move the check of this text to the end."""

    def alter(checks: Checks) -> Checks:
        others = without(text)(checks)
        return (*others, *(check for check in checks if check not in others))

    return alter


# Steps that operators share


def without_remainder(tasks: int, cores: int) -> list[slice]:
    """`even_shares` that forgets the tasks left over."""
    share = tasks // cores
    return [slice(core * share, (core + 1) * share) for core in range(cores)]


def whole_slices(channels: int, limit: int) -> list[slice]:
    """`channel_slices` that forgets the channels left over, where there is more than one slice."""
    starts = range(0, channels - limit + 1, limit)
    return [slice(first, first + limit) for first in starts] or [slice(0, channels)]


def one_dropped(memory: Any, rows: Any, addends: Any, arithmetic: Any) -> tuple[Any, ...]:
    """The arguments of `atomic_add` without the first addition."""
    return memory, rows[1:], lambda chosen: addends(chosen + 1), arithmetic


def one_doubled(memory: Any, rows: Any, addends: Any, arithmetic: Any) -> tuple[Any, ...]:
    """The arguments of `atomic_add` with the first addition twice."""
    again = np.append(rows[:1], rows)
    return memory, again, lambda chosen: addends(np.maximum(chosen - 1, 0)), arithmetic


def not_atomic(memory: Any, rows: Any, addends: Any, arithmetic: Any) -> None:
    """`atomic_add` by which all read first and then all write: of additions to a row, the last remains."""
    memory[rows] = arithmetic.rounded(memory[rows] + addends(np.arange(len(rows))))


def last_one_lost(right: Callable[..., Any]) -> Any:
    """`arrival_order` that forgets the last task."""
    return lambda tasks, cores, rng: right(tasks - 1, cores, rng)


def added_to_the_output(right: Callable[..., Any]) -> Any:
    """A kernel that adds to what its output, the last array, held before."""

    def altered(*arrays: Any, **scalars: Any) -> None:
        before = arrays[-1].copy()
        right(*arrays, **scalars)
        arrays[-1][...] += before

    return altered
