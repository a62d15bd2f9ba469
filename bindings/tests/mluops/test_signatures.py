"""The tables of C functions, against facts of the headers."""

from __future__ import annotations

import pytest
from mluops.signatures import CNRT, MLUOP, Function
from mluops.types import prototype


def test_every_public_function_of_v1_11_1_is_declared() -> None:
    assert len(MLUOP) == 189


@pytest.mark.parametrize("table", [MLUOP, CNRT], ids=["mlu_op.h", "cnrt.h"])
def test_every_declaration_has_a_c_prototype(table: dict[str, Function]) -> None:
    for function in table.values():
        assert len(prototype(function)._argtypes_) == len(function.parameter_names)


@pytest.mark.parametrize("table", [MLUOP, CNRT], ids=["mlu_op.h", "cnrt.h"])
def test_no_function_has_two_parameters_of_one_name(table: dict[str, Function]) -> None:
    for function in table.values():
        assert len(set(function.parameter_names)) == len(function.parameter_names), function.name


def test_parameters_are_split_into_types_and_names() -> None:
    assert MLUOP["mluOpNmsRotated"].parameter_names == (
        "handle",
        "iou_threshold",
        "boxes_desc",
        "boxes",
        "scores_desc",
        "scores",
        "workspace",
        "workspace_size",
        "output_desc",
        "output",
        "result_num",
    )
    assert MLUOP["mluOpNmsRotated"].parameter_types == (
        "mluOpHandle_t",
        "const float",
        "const mluOpTensorDescriptor_t",
        "const void*",
        "const mluOpTensorDescriptor_t",
        "const void*",
        "void*",
        "size_t",
        "const mluOpTensorDescriptor_t",
        "void*",
        "int32_t*",
    )


@pytest.mark.parametrize("table", [MLUOP, CNRT], ids=["mlu_op.h", "cnrt.h"])
def test_parameters_have_the_names_of_the_newest_header(table: dict[str, Function]) -> None:
    """Before v0.9.0 some were called handle_ and input_ptr."""
    names = {name for function in table.values() for name in function.parameter_names}
    assert not {name for name in names if name.endswith("_") or name.endswith("_ptr")}


@pytest.mark.parametrize(
    ("function", "types", "names"),
    [
        (CNRT["cnrtDeviceReset"], (), ()),
        (CNRT["cnrtGetDeviceCount"], ("unsigned int*",), ("pCount",)),
        (
            MLUOP["mluOpCreateGroupTensorDescriptors"],
            ("mluOpTensorDescriptor_t*[]", "const int"),
            ("group_desc", "desc_num"),
        ),
    ],
    ids=["no parameters", "a type of two words", "an array of pointers"],
)
def test_unusual_parameter_lists(function: Function, types: tuple[str, ...], names: tuple[str, ...]) -> None:
    assert (function.parameter_types, function.parameter_names) == (types, names)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("mluOpDeformRoiPoolForward", 14),
        ("mluOpRotatedFeatureAlignBackward", 9),
        ("mluOpMaskedIm2colForward", 15),
        ("mluOpGetMaskedIm2colForwardWorkspaceSize", 8),
        ("mluOpRoiAwarePool3dBackward", 16),
        ("mluOpRoiawarePool3dBackward", 16),
        ("mluOpNmsRotated", 11),
        ("mluOpGetNmsRotatedWorkspaceSize", 3),
        ("mluOpGetNmsWorkspaceSize", 5),
    ],
)
def test_number_of_parameters_in_the_header(name: str, count: int) -> None:
    assert len(MLUOP[name].parameter_names) == count


def test_version_queries_return_nothing_in_one_header_and_a_status_in_the_other() -> None:
    assert MLUOP["mluOpGetLibVersion"].result == "void"
    assert CNRT["cnrtGetLibVersion"].result == "cnrtRet_t"


@pytest.mark.parametrize("name", ["cnrtMemcpyAsync", "cnrtMemcpyAsync_V2", "cnrtMemcpyAsync_V3"])
def test_asynchronous_copies_take_the_queue_before_the_direction(name: str) -> None:
    assert CNRT[name].parameter_names == ("dst", "src", "bytes", "queue", "dir")


def test_a_release_between_others_may_lack_a_function() -> None:
    function = MLUOP["mluOpNmsRotated"]
    assert (function.since, function.absent_in) == ("v0.4.2", ("v0.5.0",))


def test_only_the_workspace_query_of_nms_has_an_older_form() -> None:
    assert {name for name, function in MLUOP.items() if function.older_form_since} == {
        "mluOpGetNmsWorkspaceSize"
    }
