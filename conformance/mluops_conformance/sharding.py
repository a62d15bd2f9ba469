"""Splitting a selection among machines: the same split wherever it is computed."""

from __future__ import annotations

import re
from typing import Mapping, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.model import Case
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import shape_of

BASE_COST = 20_000
"""What any case costs, in elements: a tiny one takes as long as so many elements of a big one."""

SHARD = re.compile("([0-9]{1,6})/([0-9]{1,6})")


def parse_shard(text: str) -> tuple[int, int]:
    """`i/N`, counted from 1.

    Raises
    ------
    UserError
        The text is no such thing.
    """
    match = SHARD.fullmatch(text)
    index, count = map(int, match.groups()) if match else (0, 0)
    if not 1 <= index <= count:
        raise UserError(f"--shard {text}: write i/N, counted from 1, as 2/4")
    return index, count


def shard(
    cases: Sequence[Case], index: int, count: int, seconds: Mapping[str, float] | None = None
) -> list[Case]:
    """The cases of one of `count` shards, in their order.

    Parameters
    ----------
    index, count : int
        Which one, from 1, of how many.
    seconds : mapping of case id to float, optional
        Recorded times; a case without one counts as the median.
    """
    costs = _costs(cases, seconds or {})
    loads = [0.0] * count
    shard_of = {}
    for case in sorted(cases, key=lambda case: (-costs[case.id], case.id)):
        lightest = min(range(count), key=loads.__getitem__)
        loads[lightest] += costs[case.id]
        shard_of[case.id] = lightest
    return [case for case in cases if shard_of[case.id] == index - 1]


def elements(case: Case) -> int:
    """Elements of all tensors of a case: what its cost grows with."""
    if case.refused or case.call != "operator":
        return 0
    total = 0
    for tensor in the_operator(case.operator).tensors:
        size = 1
        for extent in shape_of(tensor, case.dims):
            size *= extent
        total += size
    return total


def _costs(cases: Sequence[Case], seconds: Mapping[str, float]) -> dict[str, float]:
    if not seconds:
        return {case.id: float(BASE_COST + elements(case)) for case in cases}
    ordered = sorted(seconds.values())
    median = ordered[len(ordered) // 2]
    return {case.id: seconds.get(case.id, median) for case in cases}
