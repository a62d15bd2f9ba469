"""Binary cases, by a schema of the tests' own with the field names of the vendor's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from mluops_conformance.language.load import load
from mluops_conformance.language.model import FillSpec
from mluops_tools.gtest import pb
from mluops_tools.gtest.import_folder import import_into

SCHEMA = """\
syntax = "proto2";
package tests;
enum DataType { DTYPE_INVALID = 0; DTYPE_FLOAT = 2; DTYPE_INT32 = 6; }
enum Layout { LAYOUT_NCHW = 0; LAYOUT_ARRAY = 4; }
enum Distribution { UNIFORM = 1; GAUSSIAN = 2; }
enum Function { DIFF1 = 6; DIFF3 = 8; }
message Shape { repeated int64 dims = 1; repeated int64 dim_stride = 2; }
message Random {
  optional int32 seed = 1 [default = 23];
  optional float upper_bound = 2;
  optional float lower_bound = 3;
  optional Distribution distribution = 4;
}
message Tensor {
  required string id = 1;
  required Shape shape = 2;
  optional Layout layout = 3;
  optional DataType dtype = 4;
  repeated float value_f = 5;
  optional Random random_data = 6;
}
message Nms { optional float iou_threshold = 1 [default = 0.25]; }
message Node {
  required string op_name = 1;
  repeated Tensor input = 2;
  repeated Tensor output = 3;
  optional Nms nms_rotated_param = 4;
  repeated Function evaluation_criterion = 5;
  repeated double evaluation_threshold = 6;
}
"""

CASE = """\
op_name: "nms_rotated"
input { id: "a" shape { dims: 2 dims: 5 } dtype: DTYPE_FLOAT value_f: [0.1, 1, 2, 3, 4, 5, 6, 7, 8, 9] }
input {
  id: "b"
  shape { dims: 2 }
  dtype: DTYPE_FLOAT
  random_data { lower_bound: 0 upper_bound: 1 distribution: UNIFORM }
}
output { id: "c" shape { dims: 2 } dtype: DTYPE_INT32 }
nms_rotated_param { }
evaluation_criterion: DIFF3
evaluation_threshold: 0
"""


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    file = tmp_path / "schema.proto"
    file.write_text(SCHEMA)
    return file


@pytest.fixture
def binary(tmp_path: Path, schema: Path) -> Path:
    """The case as protobuf itself writes it."""
    pytest.importorskip("grpc_tools", reason="grpcio-tools is not installed")
    from google.protobuf import text_format

    message: Any = text_format.Parse(CASE, pb._message_class(schema)())
    file = tmp_path / "a.pb"
    file.write_bytes(message.SerializeToString())
    return file


def test_a_binary_case_is_imported_by_its_schema(binary, schema, tmp_path):
    done = import_into([binary], tmp_path / "out", schema)
    assert [*done.refusals()] == []
    (case,) = load(done.written.values())
    boxes = ((0.10000000149011612, 1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0, 9.0))
    assert case.data["boxes"] == FillSpec("values", {"values": boxes})
    assert case.data["scores"] == FillSpec("gtest_uniform", {"range": (0.0, 1.0), "seed": 23})
    assert case.thresholds == {"diff3": 0.0}


def test_a_scalar_that_is_not_set_has_the_schemas_default(binary, schema, tmp_path):
    (case,) = load(import_into([binary], tmp_path / "out", schema).written.values())
    assert case.params == {"iou_threshold": 0.25}


def test_a_file_that_is_no_case_by_the_schema_is_named(binary, schema, tmp_path):
    binary.write_bytes(b"\x0a\xff")
    (refusal,) = import_into([binary], tmp_path / "out", schema).refusals()
    assert "a.pb: not imported: it is no Node of schema.proto" in refusal


@pytest.mark.parametrize(
    ("text", "complaint"), [("message X {", "does not compile"), ("message X { }", "has no message Node")]
)
def test_a_schema_of_something_else_is_a_usage_error(binary, tmp_path, command, text, complaint):
    other = tmp_path / "other.proto"
    other.write_text(f'syntax = "proto2";\n{text}\n')
    code, _, error = command("import-gtest", binary, "--proto", other, "-o", tmp_path / "out")
    assert code == 4
    assert complaint in error


def test_without_a_schema_the_remedy_is_said(tmp_path, command):
    file = tmp_path / "a.pb"
    file.write_bytes(b"")
    code, lines, _ = command("import-gtest", file, "-o", tmp_path / "out")
    assert code == 5
    assert lines == [
        f"{file}: not imported: it is binary, and read by its schema: "
        "import-gtest --proto mlu_op_test.proto (or pb2prototxt)"
    ]


def test_without_the_optional_dependency_the_remedy_is_said(tmp_path, schema, command, monkeypatch):
    monkeypatch.setitem(sys.modules, "grpc_tools", None)
    pb._message_class.cache_clear()
    file = tmp_path / "a.pb"
    file.write_bytes(b"")
    code, _, error = command("import-gtest", file, "--proto", schema)
    assert code == 4
    assert "pip install 'mluops-conformance[pb]'" in error
