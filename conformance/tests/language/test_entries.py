"""One entry becomes one case, or every error in it is told where it stands."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from typing import Any, Callable, List, Tuple

import pytest
from mluops_conformance.language.load import read
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec, Origin

LoadEntry = Callable[..., Tuple[List[Case], List[str]]]


@pytest.fixture
def case_of(load_entry: LoadEntry) -> Callable[..., Case]:
    def load_one(**fields: Any) -> Case:
        cases, problems = load_entry(**fields)
        assert problems == []
        [case] = cases
        return case

    return load_one


CaseOf = Callable[..., Case]


def test_an_entry_becomes_a_case(case_of: CaseOf) -> None:
    case = case_of(tags="[smoke, network]", checks="[toy/1.1/dtypes]", source="a document", note="a note")
    assert case == Case(
        id="toy/a",
        operator="toy",
        origin=Origin("toy.yaml", 3, 5),
        dims={"N": 3, "K": 2},
        params={"scale": 1.0, "points": 9},
        dtype="float32",
        data={
            "boxes": FillSpec("uniform", {}),
            "scores": FillSpec("distinct_uniform", {}),
            "indices": FillSpec("zeros", {}),
        },
        absent=frozenset({"offset"}),
        tags=frozenset({"smoke", "network"}),
        checks=("toy/1.1/dtypes",),
        source="a document",
        note="a note",
    )


def test_the_dtype_of_a_case(case_of: CaseOf) -> None:
    assert case_of(dtype="float16").dtype == "float16"


def test_integers_do_for_float_params(case_of: CaseOf) -> None:
    scale = case_of(params="{points: 9, scale: 2}").params["scale"]
    assert isinstance(scale, float)


def test_nan_and_infinity_are_values_of_float_params(case_of: CaseOf) -> None:
    assert math.isnan(case_of(params="{points: 9, scale: .nan}").params["scale"])
    assert case_of(params="{points: 9, scale: -.inf}").params["scale"] == -math.inf


def test_a_param_may_tell_another_size_than_the_shapes_have(case_of: CaseOf) -> None:
    case = case_of(params="{points: 9, N: 2}")
    assert (case.dims["N"], case.params["N"]) == (3, 2)


def test_null_makes_an_optional_input_absent(case_of: CaseOf) -> None:
    given = case_of(data="{boxes: {fill: uniform}, offset: {fill: zeros}}")
    absent = case_of(data="{boxes: {fill: uniform}, offset: null}")
    assert given.absent == frozenset()
    assert absent.absent == frozenset({"offset"})
    assert "offset" not in absent.data


def test_a_list_is_short_for_the_values_fill(case_of: CaseOf) -> None:
    case = case_of(data="{boxes: [[1, 2], [3, 4], [5, .inf]]}")
    assert case.data["boxes"] == FillSpec("values", {"values": ((1, 2), (3, 4), (5, math.inf))})


def test_descriptors(case_of: CaseOf) -> None:
    case = case_of(
        expect="{status: BAD_PARAM}",
        data=None,
        descriptors="{boxes: {dtype: HALF, layout: NC, shape: [3, 2, 1], strides: [4, 2, 1]}, scores: null}",
    )
    assert case.descriptors["boxes"] == DescriptorOverride("HALF", "NC", (3, 2, 1), (4, 2, 1))
    assert case.descriptors["scores"].null


def test_null_pointers(case_of: CaseOf) -> None:
    case = case_of(
        expect="{status: BAD_PARAM}", data=None, pointers="{boxes: null, handle: null, workspace: null}"
    )
    assert case.pointers == frozenset({"boxes", "handle", "workspace"})


def test_the_workspace_query_has_a_pointer_of_its_own(case_of: CaseOf) -> None:
    case = case_of(
        call="workspace", data=None, expect="{status: BAD_PARAM}", pointers="{workspace_size: null}"
    )
    assert (case.call, case.pointers) == ("workspace", frozenset({"workspace_size"}))


def test_a_refusal_is_checked_for_its_status_alone(case_of: CaseOf) -> None:
    case = case_of(expect="{status: NOT_SUPPORTED}", data=None)
    assert (case.statuses, case.mode, case.data) == (("NOT_SUPPORTED",), "status", {})


def test_a_call_with_two_faults_may_get_the_status_of_either(case_of: CaseOf) -> None:
    case = case_of(expect="{status: [BAD_PARAM, NOT_SUPPORTED]}", data=None)
    assert (case.statuses, case.mode, case.data) == (("BAD_PARAM", "NOT_SUPPORTED"), "status", {})


def test_a_call_that_may_also_succeed_computes_nothing(case_of: CaseOf) -> None:
    case = case_of(expect="{status: [SUCCESS, BAD_PARAM]}", data=None)
    assert (case.refused, case.mode, case.data) == (True, "status", {})


def test_outputs_that_stay_untouched_are_not_compared(case_of: CaseOf) -> None:
    case = case_of(expect="{outputs: untouched}", dims="{N: 0}")
    assert (case.statuses, case.compare, case.mode) == (("SUCCESS",), False, "check")


def test_what_limits_where_a_case_runs(case_of: CaseOf) -> None:
    case = case_of(requires="[device]", library='">=1.0,<1.9"', series="[MLU3, MLU590]", timeout="2")
    assert case.requires == frozenset({"device"})
    assert case.library == ">=1.0,<1.9"
    assert case.series == frozenset({"MLU3", "MLU590"})
    assert case.timeout == 2.0


def test_repeat_mode(case_of: CaseOf) -> None:
    case = case_of(mode="repeat", repeat="5", thresholds="{diff1: 1e-3}")
    assert (case.mode, case.repeat, case.thresholds) == ("repeat", 5, {"diff1": 1e-3})


def test_a_negative_threshold_switches_diff4_off(case_of: CaseOf) -> None:
    assert case_of(thresholds="{diff4: -1}").thresholds == {"diff4": -1.0}


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"colour": "red"}, "7:5: unknown field 'colour' (there are: "),
        ({"tag": "[a]"}, "7:5: unknown field 'tag' (did you mean 'tags'?)"),
        ({"id": None}, "3:5: id is missing: the entry's name"),
        ({"id": "34"}, "3:9: id needs text, got 34; quote it"),
        ({"id": "-rf"}, "3:9: id: '-rf' begins with '-', and not a letter or a digit"),
        ({"id": ".."}, "3:9: id: '..' begins with '.', and not a letter or a digit"),
        ({"id": "a b"}, "3:9: id: 'a b' holds other characters than letters, digits, _ . + -"),
        ({"dims": None}, "3:5: dims.N is missing: rows"),
        ({"dims": "{K: 2}"}, "4:11: dims.N is missing: rows"),
        ({"dims": "{N: 3, M: 4}"}, "4:18: unknown dim 'M' (there are: K, N)"),
        ({"dims": "{N: -1}"}, "4:15: dims.N needs 0 or more, below 2^63, got -1"),
        ({"dims": "{N: 1.5}"}, "4:15: dims.N needs an integer number, got 1.5"),
        ({"dims": "{N: 1e3}"}, "4:15: dims.N needs an integer number, got 1000.0; write 1000"),
        ({"dims": "{N: true}"}, "4:15: dims.N needs an integer number, got true"),
        ({"dims": "[3]"}, "4:11: dims needs a mapping, got a list"),
        ({"params": None}, "3:5: params.points is missing: how many points"),
        ({"params": "{points: 9, scael: 1}"}, "5:25: unknown param 'scael' (did you mean 'scale'?)"),
        ({"params": "{points: 9, scale: nan}"}, "5:32: params.scale needs a number, got 'nan'; write .nan"),
        ({"params": "{points: 9, scale: off}"}, "5:32: params.scale needs a number, got 'off'"),
        (
            {"params": "{points: 9, scale: 1e39}"},
            "5:32: params.scale is a float of 32 bits, which cannot hold 1e+39",
        ),
        (
            {"params": "{points: 2147483648}"},
            "5:22: params.points is an int of 32 bits, which cannot hold 2147483648",
        ),
        ({"params": "{points: 0.5}"}, "5:22: params.points needs an integer number, got 0.5"),
        ({"dtype": "flaot32"}, "7:12: unknown dtype 'flaot32' (did you mean 'float32'?)"),
        (
            {"dtype": "int8"},
            "7:12: dtype: int8 is not accepted (float32 or float16); "
            "write what the library must refuse under descriptors",
        ),
        ({"tags": "smoke"}, "7:11: tags needs a list of text, got 'smoke'"),
        ({"tags": "[a b]"}, "7:12: tags: 'a b' holds other characters than letters, digits, _ . + / -"),
        ({"call": "query"}, "7:11: unknown call 'query' (there are: operator, workspace)"),
        (
            {"expect": "{status: NOT_SUPORTED}"},
            "7:22: unknown status 'NOT_SUPORTED' (did you mean 'NOT_SUPPORTED'?)",
        ),
        (
            {"expect": "{status: [BAD_PARAM, NOT_SUPORTED]}"},
            "7:34: unknown status 'NOT_SUPORTED' (did you mean 'NOT_SUPPORTED'?)",
        ),
        (
            {"expect": "{status: [BAD_PARAM]}"},
            "7:22: expect.status needs a status, or a list of two or more different ones",
        ),
        (
            {"expect": "{status: [BAD_PARAM, BAD_PARAM]}"},
            "7:22: expect.status needs a status, or a list of two or more different ones",
        ),
        ({"expect": "{staus: BAD_PARAM}"}, "7:14: unknown field of expect 'staus' (did you mean 'status'?)"),
        ({"expect": "BAD_PARAM"}, "7:13: expect needs a mapping, got 'BAD_PARAM'"),
        ({"thresholds": "{diff9: 1}"}, "7:18: unknown measure 'diff9' (did you mean 'diff"),
        ({"thresholds": "{diff1: -1}"}, "7:25: thresholds.diff1 needs a finite number of 0 or more, got -1"),
        ({"thresholds": "{diff1: '3e-3'}"}, "7:25: thresholds.diff1 needs a number, got '3e-3'"),
        ({"mode": "status"}, "7:11: mode status is for calls that compute nothing: they get a few bytes"),
        ({"mode": "repeat"}, "7:11: mode repeat needs 'repeat', how many times"),
        (
            {"mode": "repeat", "repeat": "3", "expect": "{outputs: untouched}"},
            "7:11: mode repeat has no effect: this case computes nothing",
        ),
        ({"repeat": "3"}, "7:5: repeat has no effect in mode check"),
        ({"mode": "repeat", "repeat": "1"}, "8:13: repeat needs 2 or more, got 1"),
        ({"requires": "[moon]"}, "7:16: unknown word in requires: 'moon' (there are: device)"),
        ({"library": "1.2"}, "7:14: library needs text, got 1.2; quote it"),
        ({"library": "'=>1.2'"}, "7:14: library: '=>1.2' is not a range of versions, as '>=1.0,<1.9'"),
        ({"series": "[300]"}, "7:14: series needs text, got 300; quote it"),
        ({"timeout": "0"}, "7:14: timeout needs seconds above 0, got 0"),
        ({"note": ""}, "7:10: note needs text, got nothing"),
        ({"pointers": "{boxes: 0}"}, "7:23: pointers.boxes needs null, got 0"),
        ({"pointers": "{box: null}"}, "7:16: unknown pointer 'box' (did you mean 'boxes'?)"),
        (
            {"pointers": "{workspace_size: null}"},
            "7:16: unknown pointer 'workspace_size' (did you mean 'workspace'?)",
        ),
    ],
)
def test_an_error_names_the_field_the_place_and_the_remedy(
    load_entry: LoadEntry, fields: Any, problem: str
) -> None:
    cases, problems = load_entry(**fields)
    assert cases == []
    assert len(problems) == 1
    assert problems[0].startswith(f"toy.yaml:{problem}")


@pytest.mark.parametrize(
    ("descriptors", "problem"),
    [
        ("{count: null}", "8:19: unknown tensor with a descriptor 'count'"),
        ("{boxes: {dtype: HAFL}}", "8:34: unknown dtype 'HAFL' (did you mean 'HALF'?)"),
        ("{boxes: {layout: ARAY}}", "8:35: unknown layout 'ARAY' (did you mean 'ARRAY'?)"),
        ("{boxes: {shape: [3, -1]}}", "8:38: descriptors.boxes.shape needs 0 or more, below 2^63, got -1"),
        ("{boxes: {shape: []}}", "8:34: descriptors.boxes.shape needs 1 to 8 numbers, got 0"),
        ("{boxes: {strides: [2]}}", "8:36: descriptors.boxes.strides has 1 numbers for 2 dimensions"),
        (
            "{boxes: {stride: [2, 1]}}",
            "8:27: unknown field of descriptors 'stride' (did you mean 'strides'?)",
        ),
        ("{boxes: 1}", "8:26: descriptors.boxes needs a mapping, got 1"),
    ],
)
def test_errors_in_descriptors(load_entry: LoadEntry, descriptors: str, problem: str) -> None:
    _, problems = load_entry(data="{boxes: {fill: uniform}}", note="n", descriptors=descriptors)
    assert len(problems) == 1
    assert problems[0].startswith(f"toy.yaml:{problem}")


@pytest.mark.parametrize(
    "dtype",
    [
        *("float16", "float32", "float64", "int8", "int16", "int32", "int64"),
        *("uint8", "uint16", "uint32", "uint64", "bool", "complex64"),
    ],
)
def test_a_descriptor_may_have_any_dtype_that_numpy_has(case_of: CaseOf, dtype: str) -> None:
    case = case_of(descriptors=f"{{boxes: {{dtype: {dtype}}}}}", data=None, expect="{status: BAD_PARAM}")
    assert case.descriptors["boxes"].dtype == dtype


def test_a_case_cannot_be_changed(case_of: CaseOf) -> None:
    with pytest.raises(FrozenInstanceError):
        case_of().dtype = "float16"  # type: ignore[misc]


def test_a_shape_of_eight_numbers_is_accepted(case_of: CaseOf) -> None:
    case = case_of(
        descriptors="{boxes: {shape: [1, 1, 1, 1, 1, 1, 3, 2]}}", data=None, expect="{status: BAD_PARAM}"
    )
    assert case.descriptors["boxes"].shape == (1, 1, 1, 1, 1, 1, 3, 2)


def test_a_shape_of_another_rank_is_an_error_unless_it_is_to_be_refused(load_entry: LoadEntry) -> None:
    descriptors = "{boxes: {shape: [1, 2, 2]}}"
    _, problems = load_entry(descriptors=descriptors)
    assert problems == ["toy.yaml:7:34: descriptors.boxes.shape has 3 numbers, boxes 2 dimensions (N, K)"]
    assert load_entry(descriptors=descriptors, data=None, expect="{status: BAD_PARAM}")[1] == []


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        (
            "data",
            "{boxes: {fill: uniform}}",
            "6:12: data.boxes has no effect: this case computes nothing",
        ),
        ("thresholds", "{diff1: 1}", "7:18: thresholds.diff1 has no effect: this case computes nothing"),
        ("mode", "perf", "7:11: mode perf has no effect: this case computes nothing"),
    ],
)
def test_what_a_refusal_cannot_use_is_an_error(
    load_entry: LoadEntry, field: str, value: str, problem: str
) -> None:
    fields = {"data": "{}", field: value, "expect": "{status: BAD_PARAM}"}
    assert load_entry(**fields)[1] == [f"toy.yaml:{problem}"]


def test_a_refusal_may_say_that_an_input_is_absent(case_of: CaseOf) -> None:
    assert case_of(data="{offset: null}", expect="{status: BAD_PARAM}").absent == frozenset({"offset"})


def test_all_errors_of_an_entry_come_at_once(load_entry: LoadEntry) -> None:
    _, problems = load_entry(
        dims="{M: 1}",
        params="{points: x}",
        data="{boxes: {fill: unifrom}, scors: {fill: zeros}}",
        tags="[1, 2]",
        expect="{status: NO}",
    )
    assert [problem.split(":")[1] for problem in problems] == ["4", "4", "5", "6", "6", "7", "7", "8"]


def test_strides_are_as_many_as_the_dimensions_that_a_size_leaves(tmp_path) -> None:
    """The overlaps of aligned boxes have one dimension, those of all pairs two."""
    file = tmp_path / "boxes.yaml"
    file.write_text(
        "operator: box_iou_rotated\n"
        "defaults: {descriptors: {ious: {strides: [2]}}, expect: {status: BAD_PARAM}}\n"
        "cases:\n  - {id: one, dims: {n: 3, m: 3, aligned: 1}}\n  - {id: two, dims: {n: 3, m: 3}}\n"
    )
    cases, problems = read([file])
    assert [case.id for case in cases] == ["box_iou_rotated/one"]
    assert ["strides has 1 numbers for 2 dimensions" in str(problem) for problem in problems] == [True]
