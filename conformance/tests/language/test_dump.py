"""A case written out loads to the same case."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, List, Tuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.model import Case

Reader = Callable[[str], Tuple[List[Case], List[str]]]
LoadEntry = Callable[..., Tuple[List[Case], List[str]]]


def reloaded(case: Case, load: Reader) -> Case:
    cases, problems = load(to_yaml(case))
    assert problems == []
    return replace(cases[0], origin=case.origin)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"tags": "[smoke, a.b]", "checks": "[toy/1, toy/2]", "source": "'3.7: # tables'", "note": '"off"'},
        {"data": "{boxes: [[1, -2.5], [3, .inf], [-.inf, 1e-5]], offset: {fill: constant, value: 0}}"},
        {"data": "{boxes: {fill: special, values: [-inf, -zero], range: [0, 1]}}", "dtype": "float16"},
        {"params": "{points: -1, scale: 1e-7, N: 5}"},
        {"data": None, "expect": "{status: [BAD_PARAM, NOT_SUPPORTED]}", "pointers": "{handle: null}"},
        {"data": None, "expect": "{status: BAD_PARAM}", "pointers": "{boxes: null, handle: null}"},
        {"data": "{offset: null}", "expect": "{status: BAD_PARAM}", "descriptors": "{boxes: null}"},
        {"descriptors": "{boxes: {dtype: float16, layout: NC, shape: [3, 2], strides: [2, 1]}}"},
        {"data": None, "call": "workspace", "pointers": "{workspace_size: null}"},
        {"dims": "{N: 0}", "expect": "{outputs: untouched}"},
        {"mode": "repeat", "repeat": "5", "thresholds": "{diff1: 3e-3, diff4: 0}"},
        {"requires": "[device]", "library": '">=1.0,<1.9"', "series": "[MLU3]", "timeout": "2.5"},
        {"matrix": "{dtype: [float16], scale: [1e-5]}"},
    ],
)
def test_a_case_written_out_is_the_same_case(
    load: Reader, load_entry: LoadEntry, fields: dict[str, Any]
) -> None:
    [case], problems = load_entry(**fields)
    assert problems == []
    assert reloaded(case, load) == case


def test_it_tells_where_the_case_is_from(load_entry: LoadEntry) -> None:
    [case], _ = load_entry()
    assert to_yaml(case).splitlines()[0] == "# from toy.yaml:3:5"


def test_it_holds_no_defaults_that_could_change(load_entry: LoadEntry) -> None:
    [case], _ = load_entry()
    text = to_yaml(case)
    assert "dims: {N: 3, K: 2}" in text
    assert "scores: {fill: distinct_uniform}" in text
    assert "offset: null" in text
    assert "dtype: float32" in text


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(note=st.text(st.characters(blacklist_categories=["Cs"]), min_size=1))
def test_any_text_survives(load: Reader, load_entry: LoadEntry, note: str) -> None:
    [case], _ = load_entry()
    case = replace(case, note=note)
    assert reloaded(case, load) == case


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(scale=st.floats(width=32, allow_nan=False))
def test_any_number_survives(load: Reader, load_entry: LoadEntry, scale: float) -> None:
    [case], _ = load_entry()
    case = replace(case, params={**case.params, "scale": scale})
    assert repr(reloaded(case, load)) == repr(case)
