"""A gtest case's criteria: measures and thresholds."""

from __future__ import annotations

import re
from typing import NamedTuple, Sequence

from mluops_tools.gtest.enums import CRITERIA
from mluops_tools.gtest.textformat import Message
from mluops_tools.gtest.unrepresentable import UnrepresentableError

__all__ = ["MEASURES", "Criteria", "read_criteria"]

MEASURES = {
    "DIFF1": "diff1",
    "DIFF2": "diff2",
    "DIFF3": "diff3",
    "DIFF3_2": "diff3_2",
    "DIFF4": "diff4",
    "MAPE": "diff1",
    "MAXAPE": "diff3",
}
"""Our names of gtest's; the last two are its older names."""

OF_EVERY_DUMP = {"diff1": 0.003, "diff2": 0.003}
"""The thresholds that v1.11.1 writes into every dump of the tested operators, whatever the dtype."""
DUMP = re.compile(r".*_[0-9]{8}_[0-9]{2}_[0-9]{2}_[0-9]{2}_[0-9]+_tid[0-9]+_device[0-9]+")
"""The name of a dump: operator, date, time, thread and device."""

REFUSED = frozenset({"SMAPE", "SMAXAPE", "NRMSE"})
"""In the schema, and refused by gtest itself."""


class Criteria(NamedTuple):
    """Thresholds by measure, and what of the case's criteria they leave out."""

    thresholds: dict[str, float]
    remarks: tuple[str, ...] = ()


def read_criteria(case: Message, name: str) -> Criteria:
    """Return the criteria of a case, from the place where gtest looks for them first.

    The places are `test_param`, the case, then each output. The criteria of every dump are left out: they
    are not the operator's.

    Parameters
    ----------
    case : Message
    name : str
        The name of its file, without the suffix.

    Raises
    ------
    UnrepresentableError
        There are not as many thresholds as measures, or gtest refuses a measure.
    """
    found = _found(case)
    if found.thresholds == OF_EVERY_DUMP and DUMP.fullmatch(name):
        return Criteria({}, ("its thresholds are those of every dump; the operator's own are used",))
    return found


def _found(case: Message) -> Criteria:
    test_param = case.message("test_param")
    if test_param is not None and "error_func" in test_param.fields:
        return _criteria(_words(test_param, "error_func"), _numbers(test_param, "error_threshold"))
    names = _words(case, "evaluation_criterion")
    thresholds = _numbers(case, "evaluation_threshold")
    if thresholds:
        return _criteria(names, thresholds)
    return _strictest([_criteria(names, _numbers(own, "evaluation_threshold")) for own in _of_outputs(case)])


def _of_outputs(case: Message) -> list[Message]:
    found = (output.message("thresholds") for output in case.messages("output"))
    return [thresholds for thresholds in found if thresholds is not None]


def _strictest(found: Sequence[Criteria]) -> Criteria:
    """One criterion for all outputs: where theirs differ, the smallest threshold."""
    if not found:
        return Criteria({}, ("it names no criteria; the operator's own are used",))
    thresholds = {name: min(one.thresholds[name] for one in found) for name in found[0].thresholds}
    differ = any(one.thresholds != found[0].thresholds for one in found)
    remark = ("its outputs have different thresholds; the smallest apply to all",) if differ else ()
    return Criteria(thresholds, found[0].remarks + remark)


def _criteria(names: Sequence[str], thresholds: Sequence[float]) -> Criteria:
    if len(names) != len(thresholds):
        raise UnrepresentableError(
            f"{len(names)} criteria and {len(thresholds)} thresholds: gtest refuses that"
        )
    for name in names:
        if name in REFUSED:
            raise UnrepresentableError(f"gtest refuses the criterion {name}")
    known: dict[str, float] = {}
    for name, threshold in zip(names, thresholds):
        if name in MEASURES:
            known.setdefault(MEASURES[name], threshold)  # gtest, too, keeps the first
    unknown = tuple(f"its criterion {name} is not computed here" for name in names if name not in MEASURES)
    return Criteria(known, unknown)


def _words(message: Message, name: str) -> list[str]:
    return [scalar.word(CRITERIA) for scalar in message.scalars(name)]


def _numbers(message: Message, name: str) -> list[float]:
    return [scalar.number() for scalar in message.scalars(name)]
