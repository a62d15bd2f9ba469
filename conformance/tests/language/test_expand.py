"""`defaults`, `matrix`, `zip` and `exclude`: which cases an entry stands for, and what each is called."""

from __future__ import annotations

from typing import Callable, List, Tuple

import pytest
from mluops_conformance.language.model import Case, DescriptorOverride

Reader = Callable[[str], Tuple[List[Case], List[str]]]
LoadEntry = Callable[..., Tuple[List[Case], List[str]]]


def ids(loaded: tuple[list[Case], list[str]]) -> list[str]:
    cases, problems = loaded
    assert problems == []
    return [case.id for case in cases]


def test_a_matrix_is_a_product_with_the_last_key_fastest(load_entry: LoadEntry) -> None:
    loaded = load_entry(matrix="{dtype: [float32, float16], K: [1, 4]}")
    assert ids(loaded) == [
        "toy/a:dtype=float32,K=1",
        "toy/a:dtype=float32,K=4",
        "toy/a:dtype=float16,K=1",
        "toy/a:dtype=float16,K=4",
    ]
    assert [(case.dtype, case.dims["K"]) for case in loaded[0]] == [
        ("float32", 1),
        ("float32", 4),
        ("float16", 1),
        ("float16", 4),
    ]


def test_zip_goes_in_step_and_may_repeat_a_value(load_entry: LoadEntry) -> None:
    loaded = load_entry(zip="{K: [1, 1, 7], scale: [1, 7, 1e-5]}")
    assert ids(loaded) == ["toy/a:K=1,scale=1", "toy/a:K=1,scale=7", "toy/a:K=7,scale=1e-05"]


def test_matrix_and_zip_multiply(load_entry: LoadEntry) -> None:
    loaded = load_entry(matrix="{dtype: [float32, float16]}", zip="{K: [1, 7], scale: [2, 3]}")
    assert ids(loaded)[1:3] == ["toy/a:dtype=float32,K=7,scale=3", "toy/a:dtype=float16,K=1,scale=2"]


def test_a_matrix_a_zip_and_an_exclusion_stand_beside_each_other(load_entry: LoadEntry) -> None:
    loaded = load_entry(
        matrix="{dtype: [float32, float16]}", zip="{K: [1, 7]}", exclude="[{dtype: float16, K: 7}]"
    )
    assert ids(loaded) == ["toy/a:dtype=float32,K=1", "toy/a:dtype=float32,K=7", "toy/a:dtype=float16,K=1"]


def test_keys_are_fields_dims_params_or_paths(load_entry: LoadEntry) -> None:
    [case], problems = load_entry(
        matrix="{mode: [perf], K: [4], scale: [.nan], params.N: [8], "
        "expect.outputs: [untouched], data.boxes.range: [[2, 3]]}",
    )
    assert problems == []
    assert case.id == "toy/a:mode=perf,K=4,scale=nan,params.N=8,expect.outputs=untouched,data.boxes.range=2x3"
    assert (case.mode, case.dims["K"], case.params["N"], case.compare) == ("perf", 4, 8, False)
    assert case.data["boxes"].options == {"range": (2, 3)}


def test_values_of_any_form_have_names(load_entry: LoadEntry) -> None:
    loaded = load_entry(matrix="{data.offset: {zero: {fill: zeros}, absent: null}}")
    assert ids(loaded) == ["toy/a:data.offset=zero", "toy/a:data.offset=absent"]
    assert [case.absent for case in loaded[0]] == [frozenset(), frozenset({"offset"})]


def test_a_whole_mapping_varies_over_what_the_case_has(load_entry: LoadEntry) -> None:
    loaded = load_entry(
        data=None,
        expect="{status: BAD_PARAM}",
        descriptors="{scores: null}",
        matrix="{descriptors: {half: {boxes: {dtype: HALF}}, none: {boxes: null}}}",
    )
    assert ids(loaded) == ["toy/a:descriptors=half", "toy/a:descriptors=none"]
    assert loaded[0][0].descriptors == {
        "scores": DescriptorOverride(null=True),
        "boxes": DescriptorOverride(dtype="HALF"),
    }


def test_excluded_combinations_are_left_out(load_entry: LoadEntry) -> None:
    loaded = load_entry(
        matrix="{dtype: [float32, float16], K: [1, 2, 3]}",
        exclude="[{dtype: float16, K: [1, 3]}, {dims.K: 2}]",
    )
    assert ids(loaded) == ["toy/a:dtype=float32,K=1", "toy/a:dtype=float32,K=3"]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"matrix": "{colour: [1]}"}, "7:22: 'colour' is nothing that varies"),
        ({"matrix": "{id: [a, b]}"}, "7:18: 'id' is nothing that varies"),
        ({"matrix": "{dtpye: [float32]}"}, "7:21: 'dtpye' is nothing that varies (did you mean 'dtype'?)"),
        (
            {"matrix": "{dtype: [float32, float23]}"},
            "7:31: unknown dtype 'float23' (did you mean 'float32'?)",
        ),
        ({"matrix": "{dims.M: [1]}"}, "7:23: unknown dim 'M' (there are: K, N)"),
        ({"matrix": "{K: 4}"}, "7:17: matrix.K needs a list of values, got 4"),
        ({"matrix": "{K: []}"}, "7:17: matrix.K has no values"),
        ({"matrix": "{K: [4, 5, 4]}"}, "7:14: K has the values 4 twice"),
        (
            {"matrix": "{data.offset: [{fill: zeros}]}"},
            "7:28: matrix.data.offset: name each value, for its id",
        ),
        ({"matrix": "{N: [4]}"}, "7:14: 'N' is set by the case and by its matrix"),
        ({"matrix": "{K: [4], dims.K: [5]}"}, "7:22: 'dims.K' varies twice, the first time as 'K'"),
        (
            {"matrix": "{data.boxes.range.x: [1]}", "data": "{boxes: {fill: uniform, range: [0, 1]}}"},
            "7:35: ",
        ),
        ({"zip": "{K: [1, 2], scale: [1]}"}, "7:22: zip.scale has 1 values where K has 2"),
        ({"zip": "{K: [1, 2, 1], scale: [1, 2, 1]}"}, "7:11: K has the values 1, 1 twice"),
        ({"exclude": "[{K: 2}]"}, "7:16: 'K' is neither a key of matrix nor one of zip"),
    ],
)
def test_errors_in_what_varies(load_entry: LoadEntry, fields: dict[str, str], problem: str) -> None:
    _, problems = load_entry(**fields)
    assert len(problems) == 1
    assert problems[0].startswith(f"toy.yaml:{problem}")


def test_an_error_in_what_varies_hides_no_other(load_entry: LoadEntry) -> None:
    _, problems = load_entry(matrix="{dtpye: [float32]}", tags="3", colour="red")
    varies, tags, colour = (problem.partition(" ")[2] for problem in problems)
    assert varies.startswith("'dtpye' is nothing that varies")
    assert tags.startswith("tags needs a list of text")
    assert colour.startswith("unknown field 'colour'")


def test_an_exclusion_of_an_unknown_value_is_an_error(load_entry: LoadEntry) -> None:
    _, problems = load_entry(matrix="{K: [1, 2]}", exclude="[{K: 3}]")
    assert problems == ["toy.yaml:8:19: exclude.K: no value 3 (there are: 1, 2)"]


def test_an_exclusion_that_excludes_nothing_is_an_error(load_entry: LoadEntry) -> None:
    _, problems = load_entry(zip="{K: [1, 2], scale: [3, 4]}", exclude="[{K: 1, scale: 4}]")
    assert problems == ["toy.yaml:8:15: excludes nothing: no combination has all of these values"]


def test_excluding_everything_is_an_error(load_entry: LoadEntry) -> None:
    _, problems = load_entry(matrix="{K: [1, 2]}", exclude="[{K: [1, 2]}]")
    assert problems == ["toy.yaml:8:5: no combination is left"]


def test_more_combinations_than_anyone_means_are_an_error(load_entry: LoadEntry) -> None:
    numbers = str(list(range(400)))
    _, problems = load_entry(matrix=f"{{K: {numbers}, scale: {numbers}}}")
    assert problems == ["toy.yaml:7:14: 160000 combinations are too many; 100000 are allowed"]


def test_one_error_in_all_points_of_a_matrix_is_told_once(load_entry: LoadEntry) -> None:
    _, problems = load_entry(params="{points: x}", matrix="{K: [1, 2, 3]}")
    assert problems == ["toy.yaml:5:22: params.points needs an integer number, got 'x'"]


DEFAULTS = """\
operator: toy
source: the document
defaults:
  tags: [common]
  checks: [toy/1]
  dims: {N: 4, K: 3}
  params: {points: 5}
  data: {boxes: {fill: uniform, range: [2, 3]}}
  matrix: {dtype: [float32, float16]}
cases:
"""


def test_an_entry_stands_on_the_defaults_of_the_file(load: Reader) -> None:
    cases, problems = load(
        DEFAULTS + "  - {id: a, tags: [own], checks: [toy/2], dims: {K: 8}, params: {scale: 2}}\n"
    )
    assert problems == []
    case = cases[0]
    assert case.source == "the document"
    assert case.tags == frozenset({"common", "own"})
    assert case.checks == ("toy/1", "toy/2")
    assert case.dims == {"N": 4, "K": 8}
    assert case.params == {"scale": 2.0, "points": 5}


def test_a_fill_of_an_entry_replaces_the_one_of_the_defaults_whole(load: Reader) -> None:
    cases, _ = load(DEFAULTS + "  - {id: a, data: {boxes: {fill: uniform}}}\n")
    assert cases[0].data["boxes"].options == {}


def test_a_matrix_of_the_defaults_applies_to_every_entry(load: Reader) -> None:
    loaded = load(DEFAULTS + "  - {id: a, matrix: {K: [1]}}\n  - {id: b}\n")
    assert ids(loaded) == [
        "toy/a:dtype=float32,K=1",
        "toy/a:dtype=float16,K=1",
        "toy/b:dtype=float32",
        "toy/b:dtype=float16",
    ]


def test_an_exclusion_of_the_defaults_stands_back_where_its_key_does_not_vary(load: Reader) -> None:
    text = DEFAULTS.replace("cases:", "  exclude: [{dtype: float16}]\ncases:")
    assert ids(load(text + "  - {id: a}\n  - {id: b, dtype: float16}\n")) == ["toy/a:dtype=float32", "toy/b"]


def test_an_entry_that_sets_a_field_drops_it_from_the_matrix_of_the_defaults(load: Reader) -> None:
    loaded = load(DEFAULTS + "  - {id: a, dtype: float16}\n")
    assert ids(loaded) == ["toy/a"]
    assert loaded[0][0].dtype == "float16"


def test_a_refusal_need_not_use_what_it_inherits(load: Reader) -> None:
    cases, problems = load(DEFAULTS + "  - {id: a, expect: {status: BAD_PARAM}}\n")
    assert problems == []
    assert cases[0].data == {}


def test_errors_in_defaults_are_told_once_and_where_they_stand(load: Reader) -> None:
    text = DEFAULTS.replace("points: 5", "points: five") + "  - {id: a}\n  - {id: b}\n"
    assert load(text)[1] == ["toy.yaml:7:20: params.points needs an integer number, got 'five'"]


def test_an_id_is_no_default(load: Reader) -> None:
    text = DEFAULTS.replace("tags: [common]", "id: a") + "  - {note: x}\n"
    assert "toy.yaml:4:3: each case has an id of its own" in load(text)[1]
