"""Generating the table of C functions, and their types, from headers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from mluops.signatures import MLUOP, Function
from mluops_tools.abi import generate, table
from mluops_tools.abi.drift import release_of
from mluops_tools.abi.function_stub import annotation_of
from mluops_tools.abi.header import Header, read_header

RELEASE = "#define MLUOP_MAJOR {}\n#define MLUOP_MINOR {}\n#define MLUOP_PATCHLEVEL {}\n"
ABS = "mluOpStatus_t mluOpAbs(mluOpHandle_t handle, const void *x);"


def header(release: str, *functions: str) -> Header:
    return read_header(RELEASE.format(*release.split(".")) + "\n".join(functions))


@pytest.fixture(scope="module")
def headers() -> Any:
    """The headers of the releases at hand, oldest first."""
    folder = os.environ.get("MLUOPS_HEADERS")
    if not folder:
        pytest.skip("MLUOPS_HEADERS names no folder of mlu_op.h's releases")
    read = [read_header(path.read_text(errors="replace")) for path in Path(folder).glob("*.h")]
    return sorted(read, key=lambda header: release_of(header) or ())


def test_the_newest_header_gives_the_table_as_it_is(headers: Any) -> None:
    assert generate.table_text(headers[-1]) == generate.TABLE.read_text(encoding="utf-8")


def test_the_stub_is_that_of_the_table() -> None:
    assert generate.STUB.read_text(encoding="utf-8") == generate.stub_text()


def test_no_function_is_older_or_newer_in_the_table_than_in_the_headers(headers: Any) -> None:
    """The table is finer: it also knows releases between those of the headers."""
    coarse = {
        name: function for name, function in table.from_headers(headers).items() if function.until is None
    }
    assert set(coarse) == set(MLUOP)
    releases = [release_of(header) for header in headers]
    for name, function in MLUOP.items():
        first = releases.index(release_of_text(coarse[name].since))
        assert release_of_text(function.since) <= releases[first], name
        assert first == 0 or function.absent_in or release_of_text(function.since) > releases[first - 1], name


def release_of_text(text: str) -> Any:
    numbers = tuple(map(int, text[1:].split(".")))
    return numbers + (0,) * (3 - len(numbers))


def test_a_new_function_came_with_the_release() -> None:
    known = table.from_headers([header("1.0.0", ABS)])
    new = table.advanced(known, header("1.1.0", ABS, "mluOpStatus_t mluOpLog(mluOpHandle_t handle);"))
    assert new["mluOpLog"] == Function("mluOpLog", "v1.1.0", "mluOpStatus_t", "mluOpHandle_t handle")
    assert new["mluOpAbs"].since == "v1.0.0"


def test_another_form_came_with_the_release_and_the_older_one_is_remembered() -> None:
    other = ABS.replace(")", ", int mode)")
    function = table.from_headers([header("1.0.0", ABS), header("1.1.0", other)])["mluOpAbs"]
    assert (function.since, function.older_form_since) == ("v1.1.0", "v1.0.0")
    assert function.parameter_names == ("handle", "x", "mode")


def test_another_name_of_a_parameter_is_no_other_form() -> None:
    function = table.from_headers([header("1.0.0", ABS), header("1.1.0", ABS.replace("*x", "*in"))])[
        "mluOpAbs"
    ]
    assert (function.since, function.parameter_names) == ("v1.0.0", ("handle", "in"))


def test_a_function_that_is_gone_stays_until_the_release() -> None:
    function = table.from_headers([header("1.0.0", ABS), header("1.1.0")])["mluOpAbs"]
    assert (function.since, function.until) == ("v1.0.0", "v1.1.0")


def test_a_line_of_the_table_is_a_declaration() -> None:
    text = table.text_of(table.from_headers([header("1.0.0", ABS), header("1.1.0")]), "v1.1.0")
    assert text.splitlines()[-3] == (
        '    Function("mluOpAbs", "v1.0.0", "mluOpStatus_t", "mluOpHandle_t handle, const void* x", '
        'until="v1.1.0"),'
    )


@pytest.mark.parametrize(
    ("spelling", "annotation"),
    [
        ("mluOpHandle_t", "Handle | types.mluOpHandle_t | None"),
        ("const mluOpNmsDescriptor_t", "types.mluOpNmsDescriptor_t | None"),
        ("const void*", "_Address"),
        ("size_t*", "_c_size_t_p"),
        ("const float", "float"),
        ("const bool", "bool"),
        ("mluOpDataType_t", "int"),
        ("const char*", "bytes | None"),
        ("const int[]", "_c_int_p"),
    ],
)
def test_annotations_of_c_types(spelling: str, annotation: str) -> None:
    assert annotation_of(spelling) == annotation


def test_a_file_that_is_no_header_is_refused(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "mlu_op.h"
    path.write_text("int main;")
    assert generate.main([str(path)]) == 1
    assert "the header does not define its release" in capsys.readouterr().err
