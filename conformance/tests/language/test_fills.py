"""The data of an entry: fills and their options are checked where they stand, against shape and dtype."""

from __future__ import annotations

from typing import Callable, List, Tuple

import pytest
from mluops_conformance.language.model import Case, FillSpec

LoadEntry = Callable[..., Tuple[List[Case], List[str]]]


@pytest.mark.parametrize(
    ("boxes", "spec"),
    [
        ("{fill: uniform, range: [-1, 2.5]}", FillSpec("uniform", {"range": (-1, 2.5)})),
        ("{fill: rows, spread: 2, place: line}", FillSpec("rows", {"spread": 2, "place": "line"})),
        ("{fill: special, values: [nan, -zero]}", FillSpec("special", {"values": ("nan", "-zero")})),
        ("{fill: values, values: [1, 2, 3, 4, 5, 6]}", FillSpec("values", {"values": (1, 2, 3, 4, 5, 6)})),
    ],
)
def test_options_are_kept_as_written(load_entry: LoadEntry, boxes: str, spec: FillSpec) -> None:
    cases, problems = load_entry(data=f"{{boxes: {boxes}}}")
    assert problems == []
    assert cases[0].data["boxes"] == spec


@pytest.mark.parametrize(
    ("boxes", "problem"),
    [
        ("{fill: unifrom}", "6:26: unknown fill 'unifrom' (did you mean 'uniform'?)"),
        ("{range: [0, 1]}", "6:19: data.boxes names no fill"),
        (
            "{fill: uniform, rnage: [0, 1]}",
            "6:35: unknown option of fill uniform 'rnage' (did you mean 'range'?)",
        ),
        ("{fill: constant}", "6:19: data.boxes: fill constant needs 'value', the value of every element"),
        ("{fill: uniform, range: 1}", "6:42: data.boxes.range needs two numbers, [low, high], got 1"),
        (
            "{fill: uniform, range: [2, 1]}",
            "6:42: data.boxes.range goes from 2 down to 1; write the lower end first",
        ),
        ("{fill: uniform, range: [0, .inf]}", "6:42: data.boxes.range needs finite numbers"),
        ("{fill: uniform, range: [0, off]}", "6:46: data.boxes.range needs a number, got 'off'"),
        ("{fill: rows, place: circle}", "6:39: unknown place 'circle' (there are: grid, line)"),
        (
            "{fill: special, values: [nan, nun]}",
            "6:49: unknown word in data.boxes.values: 'nun' (did you mean 'nan'?)",
        ),
        (
            "uniform",
            "6:19: data.boxes needs {fill: NAME, ...}, nested lists of values, {from: STEP.TENSOR}, or null, "
            "got 'uniform'",
        ),
        ("null", "6:19: data.boxes is not optional; NULL stands under pointers and descriptors"),
        ("[[1, 2], [3, 4, 5]]", "6:28: data.boxes has 3 values in a row after 2 values"),
        ("[[1, 2], 3, [5, 6]]", "6:28: data.boxes has a single value in a row after 2 values"),
        ("[[1, 2], [3, x], [y, 6]]", "6:32: data.boxes needs a number, got 'x'"),
    ],
)
def test_errors_in_fills(load_entry: LoadEntry, boxes: str, problem: str) -> None:
    cases, problems = load_entry(data=f"{{boxes: {boxes}}}")
    assert cases == []
    assert problems[0] == f"toy.yaml:{problem}"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (
            "{boxes: [[1, 2], [3, 4]]}",
            "6:19: data.boxes: fill values gives 2 x 2 values where boxes is 3 x 2",
        ),
        ("{boxes: [1, 2, 3, 4, 5]}", "6:19: data.boxes: fill values gives 5 values where boxes is 3 x 2"),
        (
            "{boxes: {fill: zeros}, indices: [1, 2, 0.5]}",
            "6:43: data.indices: fill values needs 0.5, which int32 cannot hold",
        ),
        (
            "{boxes: {fill: zeros}, indices: {fill: uniform}}",
            "6:43: data.indices: fill uniform makes no int32 data",
        ),
    ],
)
def test_data_that_does_not_fit_its_tensor(load_entry: LoadEntry, data: str, problem: str) -> None:
    assert load_entry(data=data)[1] == [f"toy.yaml:{problem}"]


def test_values_that_overflow_the_dtype_of_the_case(load_entry: LoadEntry) -> None:
    boxes = "[[1, 2], [3, 4], [5, 1e6]]"
    assert load_entry(data=f"{{boxes: {boxes}}}")[1] == []
    _, problems = load_entry(data=f"{{boxes: {boxes}}}", dtype="float16")
    assert problems == ["toy.yaml:6:19: data.boxes: fill values needs 1000000.0, which float16 cannot hold"]


def test_outer_dimensions_of_values_may_be_written_as_one(load_entry: LoadEntry) -> None:
    assert load_entry(data="{boxes: [1, 2, 3, 4, 5, 6]}")[1] == []


def test_a_fill_of_the_operator_checks_itself(load_entry: LoadEntry) -> None:
    _, problems = load_entry(dims="{N: 10}", data="{boxes: {fill: rows}}")
    assert problems == ["toy.yaml:6:19: data.boxes: fill rows has more rows than points"]


def test_a_default_fill_that_cannot_be_made_is_an_error_of_the_entry(load_entry: LoadEntry) -> None:
    _, problems = load_entry(dims="{N: 2000}", dtype="float16")
    assert problems == [
        "toy.yaml:3:5: data.scores: fill distinct_uniform has room for 1024 different float16 values"
        " in [0, 1), not 2000"
    ]


def test_an_input_without_data_and_without_a_default_is_an_error(load_entry: LoadEntry) -> None:
    assert load_entry(data=None)[1] == ["toy.yaml:3:5: data.boxes is missing: the boxes"]


def test_data_of_no_input_is_an_error(load_entry: LoadEntry) -> None:
    _, problems = load_entry(data="{boxes: {fill: zeros}, output: {fill: zeros}}")
    assert problems[0].startswith("toy.yaml:6:34: unknown input 'output' (there are: boxes, ")
