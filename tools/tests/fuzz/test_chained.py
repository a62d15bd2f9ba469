"""Random calls before a case: links that lint accepts, and faults that only a row of calls shows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case
from mluops_conformance.operators import operator_names, the_operator
from mluops_conformance.operators.base import shape_of
from mluops_tools.fuzz.chained import chained
from mluops_tools.fuzz.draw import Space, ordinary
from mluops_tools.fuzz.illegal import Statuses
from mluops_tools.fuzz.pool import Example
from mluops_tools.fuzz.shrink import shrink

LATE = 1e18


def drawn(operator: str, count: int = 30) -> list[Case]:
    """Drawn cases behind another call."""
    definition, space, statuses = the_operator(operator), Space(most_bytes=1 << 12), Statuses("MLU370")
    cases = []
    for number in range(count):
        chance = random.Random(number)
        case = ordinary(definition, definition.dtypes[0], f"case-{number}", chance, space)
        cases.append(chained(definition, case, chance, space, statuses))
    return [case for case in cases if case.after]


@pytest.mark.parametrize("operator", operator_names())
def test_lint_accepts_every_chained_case(operator: str, tmp_path: Path) -> None:
    for number, case in enumerate(drawn(operator, 15)):
        file = tmp_path / f"{number}.yaml"
        file.write_text(to_yaml(case))
        (again,) = load([file])
        assert to_yaml(again).partition("\n")[2] == to_yaml(case).partition("\n")[2]


def test_a_backward_call_takes_the_indices_of_its_forward_call() -> None:
    links = {
        (name, str(link)) for case in drawn("roiaware_pool3d_backward") for name, link in case.links.items()
    }
    assert ("argmax", "before.argmax") in links


def test_boxes_of_one_operator_serve_another() -> None:
    links = {(name, str(link)) for case in drawn("nms_rotated") for name, link in case.links.items()}
    assert ("boxes", "before.bbox1") in links


def test_no_positions_are_made_of_what_may_hold_anything() -> None:
    sources = {
        case.links["mask_h_idx"].tensor
        for case in drawn("masked_col2im_forward")
        if "mask_h_idx" in case.links
    }
    assert sources <= {"mask_h_idx", "mask_w_idx"}


@pytest.fixture
def behind() -> Case:
    """A case behind another call, from which it takes an input."""
    return next(case for case in drawn("rotated_feature_align_backward") if "top_output" in case.links)


def test_a_failure_that_needs_no_call_before_it_loses_it(behind: Case) -> None:
    small = shrink(Example(behind), lambda example: True, LATE).case
    assert (small.after, small.links) == ((), {})


def test_a_failure_that_needs_the_call_before_it_keeps_the_shapes_of_links(behind: Case) -> None:
    small = shrink(Example(behind), lambda example: "top_output" in example.case.links, LATE).case
    (step,) = small.after
    given = the_operator(step.case.operator).tensor(small.links["top_output"].tensor)
    taken = the_operator(small.operator).tensor("top_output")
    assert shape_of(given, step.case.dims) == shape_of(taken, small.dims)
