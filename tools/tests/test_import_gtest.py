"""A gtest case becomes a case of ours that says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.fills.gtest import uniform
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec
from mluops_conformance.operators import the_operator
from mluops_tools.gtest.criteria import read_criteria
from mluops_tools.gtest.import_folder import import_into
from mluops_tools.gtest.textformat import parse

RANDOM = "random_data: { seed: 7 upper_bound: 10 lower_bound: 1 distribution: UNIFORM }"
"""The source of the 24 floats of the first input."""

DUMPED = """test_param {
  error_func: DIFF1 error_func: DIFF2 error_threshold: 0.003 error_threshold: 0.003
}"""

IMAGE = np.arange(24, dtype=np.float32) / 8 - 1


def repeated(name: str, values: Any) -> str:
    return "\n".join(f"{name}: {value}" for value in values)


@pytest.fixture
def imported(tmp_path: Path, gtest_case) -> Callable[..., Case]:
    """The case that is loaded from what an import of the changed gtest case wrote."""

    def load_imported(*replacements: tuple[str, str]) -> Case:
        source = tmp_path / "zoo/c.prototxt"
        source.parent.mkdir(exist_ok=True)
        source.write_text(gtest_case(*replacements))
        done = import_into([source], tmp_path / "out")
        assert [*done.refusals()] == []
        (case,) = load(done.written.values())
        return case

    return load_imported


@pytest.fixture
def refusal(tmp_path: Path, gtest_case) -> Callable[..., str]:
    """Return the reason for which the changed case is not imported."""

    def refused(*replacements: tuple[str, str]) -> str:
        source = tmp_path / "c.prototxt"
        source.write_text(gtest_case(*replacements))
        done = import_into([source], tmp_path / "out")
        assert not done.written
        (reason,) = {**done.refused, **done.others}.values()
        return reason

    return refused


def inputs(case: Case) -> Any:
    return fill_inputs(case, the_operator(case.operator), 0)


def test_enums_may_be_given_by_number(imported):
    numbers = (
        ("layout: LAYOUT_NCHW", "layout: 1"),
        ("dims: 4 }\n  layout: 1\n  dtype: DTYPE_FLOAT", "dims: 4 }\n  layout: 1\n  dtype: 2"),
        ("distribution: UNIFORM", "distribution: 1"),
        ("error_func: DIFF3", "error_func: 8"),
        ("baseline_device: CPU", "baseline_device: 1"),
    )
    case, words = imported(*numbers), imported()
    assert (case.dtype, case.data, case.thresholds) == (words.dtype, words.data, words.thresholds)
    assert case.descriptors == words.descriptors


def test_shapes_scalars_and_criteria_are_taken_over(imported):
    case = imported()
    assert case.id == "masked_im2col_forward/c"
    assert case.dims == {
        **{"channels": 2, "height": 3, "width": 4, "mask_cnt": 3},
        **{"kernel_h": 3, "kernel_w": 2},
    }
    assert case.params == {"pad_h": 1, "pad_w": 0}
    assert (case.dtype, case.statuses, case.mode, case.compare) == ("float32", ("SUCCESS",), "check", True)
    assert case.thresholds == {"diff3": 0.0}
    assert case.tags == {"gtest"}
    assert case.source.endswith("zoo/c.prototxt")
    assert case.note == ""


def test_random_data_become_the_fill_that_makes_the_same_numbers(imported):
    case = imported()
    assert case.data["feature"] == FillSpec("gtest_uniform", {"range": (1.0, 10.0), "seed": 7})
    np.testing.assert_array_equal(inputs(case)["feature"].ravel(), uniform(7, 1, 10, 24, np.float32))


def test_bounds_that_a_dump_of_the_library_swaps_give_what_gtest_makes_of_them(imported):
    case = imported(("upper_bound: 10 lower_bound: 1", "upper_bound: -10 lower_bound: 10"))
    assert case.data["feature"] == FillSpec("gtest_uniform", {"range": (10.0, -10.0), "seed": 7})
    values = inputs(case)["feature"].ravel()
    np.testing.assert_array_equal(values, -uniform(7, -10, 10, 24, np.float32))
    assert -10 < values.min() < 0 < values.max() <= 10


@pytest.mark.parametrize(("scale", "note"), [("1", ""), ("2", "its feature.scale is not used")])
def test_a_tensor_that_is_not_quantized_needs_no_remark(imported, scale, note):
    fields = f"layout: LAYOUT_NCHW position: 0 scale: {scale} offset: 0"
    assert imported(("layout: LAYOUT_NCHW", fields)).note == note


def test_thresholds_that_every_dump_has_give_way_to_the_operators_own():
    name = "masked_im2col_forward_20261128_20_04_00_645443_tid23949_device0"
    found = read_criteria(parse(DUMPED), name)
    assert found == ({}, ("its thresholds are those of every dump; the operator's own are used",))
    assert read_criteria(parse(DUMPED), "case_0").thresholds == {"diff1": 0.003, "diff2": 0.003}
    assert read_criteria(parse(DUMPED.replace("0.003\n", "0.004\n")), name).thresholds["diff2"] == 0.004


def test_bounds_of_doubles_are_drawn_in_double(imported):
    bounds = ("upper_bound: 10 lower_bound: 1", "upper_bound_double: 10 lower_bound_double: 1")
    data = inputs(imported(bounds))["feature"].ravel()
    np.testing.assert_array_equal(data, uniform(7, 1, 10, 24, np.float64).astype(np.float32))


def test_without_a_seed_gtest_takes_23(imported):
    assert imported(("seed: 7", "")).data["feature"].options["seed"] == 23


def test_gaussian_data(imported):
    source = "random_data { mu: 1 sigma: 0.5 distribution: GAUSSIAN }"
    assert imported((RANDOM, source)).data["feature"] == FillSpec(
        "gtest_gaussian", {"mu": 1.0, "sigma": 0.5, "seed": 23}
    )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("value_h", [f'"{word:08x}"' for word in IMAGE.view(np.uint32)]),
        ("value_f", IMAGE),
        ("value_i", IMAGE.view(np.int32)),
        ("value_l", IMAGE.view(np.int32)),
        ("value_ui", IMAGE.view(np.uint32)),
        ("value_ul", IMAGE.view(np.uint32)),
    ],
)
def test_values_of_every_kind(imported, name, values):
    """For a floating tensor, integers are the bits of its elements."""
    assert inputs(imported((RANDOM, repeated(name, values))))["feature"].tobytes() == IMAGE.tobytes()


def test_half_values_are_bits_of_halves(imported):
    words = IMAGE.astype(np.float16).view(np.uint16)
    half = [(RANDOM, repeated("value_h", [f'"{word:04x}"' for word in words]))]
    half += [(f"{layout}\n  dtype: DTYPE_FLOAT", "dtype: DTYPE_HALF") for layout in ("layout: LAYOUT_NCHW",)]
    half.append(("layout: LAYOUT_ARRAY\n  dtype: DTYPE_FLOAT", "dtype: DTYPE_HALF"))
    case = imported(*half)
    assert case.dtype == "float16"
    assert inputs(case)["feature"].tobytes() == words.tobytes()


def test_of_several_sources_the_first_of_gtests_order_counts(imported):
    values = repeated("value_f", [3] * 24), repeated("value_i", [0] * 24), RANDOM
    assert (inputs(imported((RANDOM, "\n".join(values))))["feature"] == 3).all()


def test_nan_with_its_payload_comes_through(imported):
    words = [f'"{0x7FC00001 + index:08x}"' for index in range(24)]
    data = inputs(imported((RANDOM, repeated("value_h", words))))["feature"]
    assert data.view(np.uint32).ravel().tolist() == list(range(0x7FC00001, 0x7FC00001 + 24))


def test_few_values_stand_in_the_case_file_and_many_in_a_file_beside_it(imported, tmp_path):
    wide = [("dims: 3 dims: 4 }", "dims: 3 dims: 40 }"), (RANDOM, repeated("value_i", range(240)))]
    case = imported(*wide)
    assert case.data["mask_h_idx"] == FillSpec("values", {"values": (-4, 0, 2)})
    assert case.data["feature"] == FillSpec("file", {"path": "c.feature.npy"})
    assert (tmp_path / "out/masked_im2col_forward/c.feature.npy").is_file()


@pytest.mark.parametrize("name", ["c_feature", "c_feature.zst"])
def test_raw_data_beside_the_case(imported, tmp_path, name):
    """Named packed and there unpacked, gtest finds it all the same."""
    (tmp_path / "zoo").mkdir()
    IMAGE.tofile(tmp_path / "zoo/c_feature")
    assert inputs(imported((RANDOM, f'path: "{name}"')))["feature"].tobytes() == IMAGE.tobytes()


def test_a_tensor_without_data_is_zero_as_gtests_host_memory_is(imported):
    assert not inputs(imported((RANDOM, "")))["feature"].any()


def test_another_layout_goes_into_the_descriptor(imported):
    case = imported(
        ("dims: 12 dims: 3 }\n  layout: LAYOUT_ARRAY", "dims: 12 dims: 3 }\n  layout: LAYOUT_NHWC")
    )
    assert case.descriptors == {"data_col": DescriptorOverride(layout="NHWC")}


def test_contiguous_strides_go_into_the_descriptor(imported):
    strides = "dims: 12 dims: 3 dim_stride: 3 dim_stride: 1 }"
    case = imported(("dims: 12 dims: 3 }", strides))
    assert case.descriptors == {"data_col": DescriptorOverride(strides=(3, 1))}


def test_no_elements_in_leaves_the_output_untouched(imported):
    three = "shape: { dims: 3 }\n  layout: LAYOUT_ARRAY\n  dtype: DTYPE_INT32\n"
    rows = three + "  value_i: -4\n  value_i: 0\n  value_i: 2"
    columns = three + "  value_i: 1\n  value_i: 2\n  value_i: 3"
    none = "shape: { dims: 0 } dtype: DTYPE_INT32"
    assert imported((rows, none), (columns, none), ("dims: 12 dims: 3", "dims: 12 dims: 0")).compare is False


OUTPUT = "dims: 12 dims: 3 }"
CRITERIA = "test_param: { error_func: DIFF3 error_threshold: 0 baseline_device: CPU }"


@pytest.mark.parametrize(
    ("criteria", "thresholds"),
    [
        ("evaluation_criterion: DIFF1 evaluation_threshold: 0.003", {"diff1": 0.003}),
        ("test_param { error_func: [DIFF1, DIFF4] error_threshold: [1e-5, 1] }",
         {"diff1": 1e-5, "diff4": 1.0}),
        ("test_param { error_func: [MAPE, MAXAPE] error_threshold: [1, 2] }", {"diff1": 1.0, "diff3": 2.0}),
        ("test_param { error_func: DIFF3_2 error_threshold: 0 } evaluation_criterion: DIFF1",
         {"diff3_2": 0.0}),
        ("evaluation_criterion: [DIFF3, DIFF3] evaluation_threshold: [1, 2]", {"diff3": 1.0}),
        ("evaluation_criterion: DIFF4 evaluation_threshold: -1", {"diff4": -1.0}),
    ],
)  # fmt: skip
def test_criteria_come_from_where_gtest_takes_them(imported, criteria, thresholds):
    assert imported((CRITERIA, criteria)).thresholds == thresholds


def test_thresholds_of_the_output_count_where_there_are_no_others(imported):
    case = imported(
        (CRITERIA, "evaluation_criterion: DIFF1"),
        (OUTPUT, f"{OUTPUT} thresholds {{ evaluation_threshold: 0.5 }}"),
    )
    assert case.thresholds == {"diff1": 0.5}


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        ((CRITERIA, ""), "it names no criteria; the operator's own are used"),
        (("DIFF3", "DIFF_KL"), "its criterion DIFF_KL is not computed here"),
        (("baseline_device: CPU", "baseline_device: GPU"),
         "the results of a GPU that it may hold are not used"),
        ((OUTPUT, f"{OUTPUT} threshold_use: 0"),
         "data_col is not compared by gtest, and is judged here"),
        (('op_name:', 'theory_io_size: 100 op_name:'), "its theory_io_size is not used"),
        (('id: "mask_h_idx"', 'id: "mask_h_idx" scale: 2.0'), "its mask_h_idx.scale is not used"),
    ],
)  # fmt: skip
def test_what_has_no_effect_here_is_noted(imported, change, remark):
    assert imported(change).note == remark


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("masked_im2col_forward\"", "abs\""), "the operator abs is not tested here"),
        (("kernel_w: 2", ""), "masked_im2col_forward_param lacks kernel_w"),
        (("dims: 12 dims: 3", "dims: 10 dims: 3"), "data_col is 10 x 3, and by the rest of the case 12 x 3"),
        (("dims: 1 dims: 2 dims: 3 dims: 4", "dims: 24"),
         "feature is 24, and the operator's is 1 x channels x height x width"),
        (("value_i: -4", ""), "value_i comes 2 times, and the shape has 3 elements"),
        (("value_i: -4", "value_i: 4294967296"), "the value 4294967296 is beyond the 32 bits of int32"),
        (("LAYOUT_NCHW\n  dtype: DTYPE_FLOAT", "LAYOUT_NCHW\n  dtype: DTYPE_HALF"),
         "the library takes no such dtypes together: feature DTYPE_HALF, mask_h_idx DTYPE_INT32, "
         "mask_w_idx DTYPE_INT32, data_col DTYPE_FLOAT"),
        ((OUTPUT, "dims: 12 dims: 3 dim_stride: 4 dim_stride: 1 }"),
         "data_col has the strides [4, 1], and the library refuses gaps"),
        (('id: "mask_h_idx"', 'id: "NULL"'), "it has no mask_h_idx, which is not optional"),
        (("distribution: UNIFORM", "distribution: BINOMIAL"),
         "random_data: the distribution BINOMIAL is not one that gtest makes"),
        (("lower_bound: 1", ""), "random_data lacks lower_bound or upper_bound"),
        (("seed: 7", "seed: 7 sample_size: 3"), "random_data has sample_size, which is not supported"),
        ((RANDOM, 'path: "nowhere"'), "path nowhere: No such file or directory"),
        ((RANDOM, 'path: "../c"'), "path ../c leads out of the case's folder"),
        ((RANDOM, 'value_h: "4g"'), "value_h comes 1 time, and the shape has 24 elements"),
        (("error_threshold: 0", ""), "1 criteria and 0 thresholds: gtest refuses that"),
        (("DIFF3", "NRMSE"), "gtest refuses the criterion NRMSE"),
        (("value_i: -4", "value_i: x"), "line 14: 'x' is not an integer"),
    ],
)  # fmt: skip
def test_what_has_no_counterpart_is_said(refusal, change, reason):
    assert refusal(change) == reason


def test_a_packed_file_says_how_to_unpack_it(refusal, tmp_path):
    (tmp_path / "data.zst").write_bytes(b"packed")
    assert (
        refusal((RANDOM, 'path: "data"'))
        == "data.zst is packed: unpack it beside the case (zstd -d data.zst)"
    )


def test_a_file_of_the_wrong_size_is_said(refusal, tmp_path):
    (tmp_path / "data").write_bytes(bytes(95))
    assert refusal((RANDOM, 'path: "data"')) == "data has 95 bytes, and 24 elements of float32 are wanted"
