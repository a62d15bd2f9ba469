"""Dimensions that follow from the device: how they are written, what they come to, what is wrong."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.expressions import Expression, parse_expression
from mluops_conformance.language.model import misfit, sized
from mluops_conformance.language.query import parse_queries
from mluops_conformance.operators.base import Dim
from mluops_conformance.operators.limits import Device, Limit

DEVICE = Device(nram_bytes=384 << 10, clusters=3, cores_per_cluster=4, sram_bytes=1 << 20)
ZEROS = "{boxes: {fill: zeros}, scores: {fill: zeros}}"
SLICE = Limit(
    "slice", lambda device, itemsize, scalars: device.usable_nram_bytes // itemsize, "rows", "", "the tests"
)
BESIDE = Limit(
    "beside",
    lambda device, itemsize, scalars: device.usable_nram_bytes // int(scalars["K"]),
    "rows beside columns",
    "",
    "the tests",
    given=("K",),
)


@pytest.fixture
def toy(toy):
    return replace(toy, own_limits=(SLICE, BESIDE))


def test_an_expression_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Expression("cores").factor = 2


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("cores", Expression("cores")),
        ("cores + 1", Expression("cores", offset=1)),
        ("cores-1", Expression("cores", offset=-1)),
        ("2 * cores", Expression("cores", factor=2)),
        ("3*cores - 12", Expression("cores", factor=3, offset=-12)),
    ],
)
def test_a_limit_may_have_a_factor_and_an_offset(text, expression):
    assert parse_expression(text) == expression
    assert parse_expression(str(expression)) == expression


@pytest.mark.parametrize(
    "text", ["", "1", "cores + cores", "cores * 2", "cores + 0", "-cores", "cores / 2", "0 * cores"]
)
def test_nothing_else_is_an_expression(text):
    assert parse_expression(text) is None


@pytest.mark.parametrize(
    ("dims", "size"),
    [
        ("{N: cores}", 12),
        ("{N: cluster - 1}", 3),
        ("{N: 2 * cores + 1}", 25),
        ("{N: slice}", 65536),
        ("{N: beside, K: 4}", 65536),
        ("{N: beside, K: cluster}", 65536),
        ("{K: 2 * cluster, N: beside - 1}", 32767),
    ],
)
def test_a_size_is_what_its_limit_comes_to_on_the_device(load_entry, toy, dims, size):
    ((case,), problems) = load_entry(dims=dims)
    assert problems == []
    assert sized(case, toy, DEVICE).dims["N"] == size


def test_a_limit_goes_by_the_dtype_of_the_case(load_entry, toy):
    ((case,), _) = load_entry(dims="{N: slice}", dtype="float16", data=ZEROS)
    assert sized(case, toy, DEVICE).dims["N"] == 131072


@pytest.mark.parametrize(("clusters", "cores"), [(0, 1), (1, 4), (2, 8)])
def test_cores_are_those_that_the_case_may_use(load_entry, toy, clusters, cores):
    ((case,), _) = load_entry(dims="{N: cores}", clusters=str(clusters))
    assert sized(case, toy, DEVICE).dims["N"] == cores


def test_the_id_keeps_the_limit(load):
    text = "operator: toy\ndefaults: {params: {points: 9}, data: {boxes: {fill: uniform}}}\n"
    cases, problems = load(text + "cases: [{id: a, matrix: {N: [cores, 2 * cores - 1]}}]\n")
    assert problems == []
    assert [case.id for case in cases] == ["toy/a:N=cores", "toy/a:N=2cores-1"]
    assert parse_queries(["a:N=2cores-1"]).select(cases) == [cases[1]]


def test_until_the_device_is_known_sizes_are_those_on_the_first_known_one(load_entry):
    ((case,), _) = load_entry(dims="{N: cores}")
    assert case.dims == {"N": 32, "K": 2}


def test_a_case_of_known_sizes_names_no_limit(load_entry, toy):
    ((case,), _) = load_entry(dims="{N: cores}")
    there = sized(case, toy, DEVICE)
    assert there.limits == {}
    assert sized(there, toy, Device(1 << 20, 1, 1, 1 << 20)) is there


def test_the_file_that_stands_for_a_case_has_the_limit_until_the_size_is_known(load_entry, load, toy):
    ((case,), _) = load_entry(dims="{N: 2 * cores + 1}")
    ((again,), problems) = load(to_yaml(case))
    assert problems == []
    assert replace(again, origin=case.origin) == case
    assert "dims: {N: 25, K: 2}" in to_yaml(sized(case, toy, DEVICE))


@pytest.mark.parametrize(
    ("dims", "problem"),
    [
        ("{N: corse}", "4:15: unknown limit in dims.N: 'corse' (did you mean 'cores'?)"),
        (
            "{N: cores / 2}",
            "4:15: dims.N needs a size, or an expression as 'cores', 'cores + 1' or '2 * cores - 1', "
            "got 'cores / 2'",
        ),
        ("{N: cluster - 4}", "4:15: dims.N: cluster - 4 is 0 on MLU370"),
        ("{N: beside, K: beside}", "4:15: dims.N: beside follows from K, which follows from dims in turn"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(load_entry, dims, problem):
    cases, problems = load_entry(dims=dims)
    assert cases == []
    assert f"toy.yaml:{problem}" in problems


def test_every_known_device_is_checked(load_entry):
    _, problems = load_entry(dims="{N: cores - 40}")
    assert problems == ["toy.yaml:4:15: dims.N: cores - 40 is -8 on MLU370"]


def test_a_fill_must_fit_the_sizes_on_every_known_device(load_entry):
    fields = {"dims": "{N: cores}", "data": "{boxes: {fill: rows}}"}
    _, problems = load_entry(params="{points: 40}", **fields)
    assert problems == ["toy.yaml:6:19: data.boxes: fill rows has more rows than points (on MLU590)"]
    assert load_entry(params="{points: 48}", **fields)[1] == []


def test_a_problem_of_a_size_from_the_device_is_told_once(load_entry):
    """With 32 cores as with 48 there are too many rows."""
    fields = {"dims": "{N: cores}", "data": "{boxes: {fill: rows}}"}
    _, problems = load_entry(params="{points: 20}", **fields)
    assert problems == ["toy.yaml:6:19: data.boxes: fill rows has more rows than points (on MLU370)"]


def test_a_size_that_the_library_refuses_or_that_is_none_is_a_misfit(load_entry, toy):
    limited = replace(toy, dims=(Dim("N", "rows", most=11), toy.dims[1]))
    ((case,), _) = load_entry(dims="{N: cores}")
    assert misfit(case, toy, DEVICE) == ""
    follows = "N, which follows from the device, is not what the library takes:"
    assert misfit(case, limited, DEVICE) == f"{follows} 1 to 11"
    few = replace(toy, dims=(Dim("N", "rows", accepts=(5, 6)), toy.dims[1]))
    assert misfit(case, few, DEVICE) == f"{follows} 5 or 6"
    ((case,), _) = load_entry(dims="{N: cores - 12}")
    assert misfit(case, toy, DEVICE) == f"{follows} 1 or more"
