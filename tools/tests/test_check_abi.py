"""`check-abi`: each kind of drift is reported, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable

import pytest
from mluops.signatures import MLUOP
from mluops_tools.abi.drift import drifts
from mluops_tools.abi.header import read_header

SET_QUEUE = "mluOpStatus_t MLUOP_WIN_API \nmluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue);"

# what is changed in the header, what it becomes, what is reported
PLANTED = {
    "function gone": (
        SET_QUEUE,
        "",
        "mluOpSetQueue: function of the binding that the header does not declare",
    ),
    "function new": (
        "struct mluOpContext;",
        "void MLUOP_WIN_API mluOpNew(int a);",
        "mluOpNew: function unknown to the binding",
    ),
    "result": (
        "size_t MLUOP_WIN_API \nmluOpGetTensorElementNum(",
        "int64_t MLUOP_WIN_API \nmluOpGetTensorElementNum(",
        "mluOpGetTensorElementNum: returns int64_t, in the binding size_t",
    ),
    "parameter's type": (
        "mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t* queue)",
        "mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t queue)",
        "mluOpGetQueue: parameter 2 (queue) is cnrtQueue_t, in the binding cnrtQueue_t*",
    ),
    "parameter's name": (
        "mluOpDestroy(mluOpHandle_t handle)",
        "mluOpDestroy(mluOpHandle_t context)",
        "mluOpDestroy: parameter 1 is called context, in the binding handle",
    ),
    "parameter added": (
        "mluOpUpdateContextInformation(mluOpHandle_t handle)",
        "mluOpUpdateContextInformation(mluOpHandle_t handle,\n    int level)",
        "mluOpUpdateContextInformation: takes 2 parameters (handle, level), in the binding 1 (handle)",
    ),
    "value": (
        "MLUOP_STATUS_BAD_PARAM = 3,",
        "MLUOP_STATUS_BAD_PARAM = 13,",
        "mluOpStatus_t: MLUOP_STATUS_BAD_PARAM is 13, in the binding 3",
    ),
    "enumerator gone": (
        "MLUOP_LAYOUT_NCL = 10,",
        "",
        "mluOpTensorLayout_t: lacks MLUOP_LAYOUT_NCL, in the binding 10",
    ),
    "enumerator new": (
        "MLUOP_LOG_10 = 2,",
        "MLUOP_LOG_10 = 2, MLUOP_LOG_1P,",
        "mluOpLogBase_t: MLUOP_LOG_1P = 3 unknown to the binding",
    ),
    "type gone": (
        "typedef struct mluOpFFTPlanStruct *mluOpFFTPlan_t;",
        "",
        "mluOpFFTPlan_t: type of the binding that the header does not declare",
    ),
    "type new": (
        "struct mluOpContext;",
        "typedef struct A *mluOpNewDescriptor_t;",
        "mluOpNewDescriptor_t: type unknown to the binding",
    ),
    "enum new": ("struct mluOpContext;", "enum mluOpNew_t { A };", "mluOpNew_t: enum unknown to the binding"),
    "limit": ("MLUOP_DIM_MAX 8", "MLUOP_DIM_MAX 16", "MLUOP_DIM_MAX is 16, in the binding 8"),
    "unread": ("struct mluOpContext;", "int x[3];", "not understood: int x[3]"),
}
TEN = [
    *("function gone", "function new", "result", "parameter's type", "parameter's name", "parameter added"),
    *("value", "enumerator gone", "type gone", "limit"),
]


def plant(text: str, *kinds: str) -> str:
    for kind in kinds:
        before, after, _ = PLANTED[kind]
        assert text.count(before) == 1, kind
        text = text.replace(before, after)
    return text


def reported(text: str) -> list[str]:
    return [drift.text for drift in drifts(read_header(text))]


def test_a_header_of_the_bindings_own_tables_has_no_drift(header_text):
    assert reported(header_text) == []


@pytest.mark.parametrize("kind", PLANTED)
def test_each_kind_of_drift_is_reported_once(header_text, kind):
    assert reported(plant(header_text, kind)) == [PLANTED[kind][2]]


def test_of_ten_planted_drifts_ten_are_reported_and_no_more(header_text):
    assert sorted(reported(plant(header_text, *TEN))) == sorted(PLANTED[kind][2] for kind in TEN)


def test_functions_newer_than_the_header_are_no_drift(header_text):
    older = header_text.replace("MLUOP_MINOR 11", "MLUOP_MINOR 0").replace(
        "MLUOP_PATCHLEVEL 1", "MLUOP_PATCHLEVEL 0"
    )
    start = older.index("// Group: of mluOpAdamW(x)")
    end = older.index("// Group:", start + 1)
    assert MLUOP["mluOpAdamW"].since == "v1.1.0"
    assert reported(older[:start] + older[end:]) == []


def test_a_drift_names_the_line_of_the_header(header_text, tmp_path, command):
    text = plant(header_text, "value")
    header = tmp_path / "mlu_op.h"
    header.write_text(text)
    line = text[: text.index("MLUOP_STATUS_BAD_PARAM")].count("\n") + 1
    code, lines, _ = command("check-abi", header)
    assert code == 1
    assert lines[0] == f"{header}:{line}: {PLANTED['value'][2]}"


def test_what_is_absent_comes_last_and_has_no_line(header_text, tmp_path, command):
    header = tmp_path / "mlu_op.h"
    header.write_text(plant(header_text, "type gone", "function gone", "result", "value"))
    _, lines, _ = command("check-abi", header)
    places = [line[: line.index(": ")] for line in lines[:-1]]
    assert [place.rpartition(":")[2].isdigit() for place in places] == [True, True, False, False]
    assert places[2:] == [str(header)] * 2
    assert lines[2:4] == [f"{header}: {PLANTED[kind][2]}" for kind in ("type gone", "function gone")]


def test_one_of_a_kind_is_counted_in_the_singular(tmp_path, command):
    header = tmp_path / "mlu_op.h"
    header.write_text("typedef enum { A = 0 } mluOpNew_t;\nvoid MLUOP_WIN_API mluOpNew(int a);\n")
    _, lines, _ = command("check-abi", header)
    assert "of unknown release: 1 function, 1 enum, 0 types, " in lines[-1]


def test_the_last_line_counts(header_text, tmp_path, command):
    header = tmp_path / "mlu_op.h"
    header.write_text(header_text)
    assert command("check-abi", header) == (
        0,
        [f"mlu_op.h 1.11.1: {len(MLUOP)} functions, 20 enums, 11 types, 0 differences"],
        "",
    )


@pytest.mark.parametrize(
    ("text", "complaint"), [(None, "cannot be read: No such file"), ("int x;", "declares no function")]
)
def test_a_file_that_is_no_header_is_a_usage_error(tmp_path, command, text, complaint):
    header = tmp_path / "some.h"
    if text is not None:
        header.write_text(text)
    code, _, error = command("check-abi", header)
    assert code == 4
    assert complaint in error


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler: neither cc, gcc nor clang is on PATH")

    def compiled(name: str, source: str) -> Path:
        target = tmp_path / name
        words = [compiler, "-shared", "-fPIC", "-o", str(target), "-xc", "-"]
        subprocess.run(words, input=source.encode(), check=True)
        return target

    return compiled


VERSION = "void mluOpGetLibVersion(int *major, int *minor, int *patch) { *major = *minor = *patch = 1; }\n"


def test_functions_that_the_library_does_not_export_are_reported(header_text, tmp_path, build):
    (tmp_path / "mlu_op.h").write_text(header_text)
    exported = {*MLUOP} - {"mluOpGetLibVersion", "mluOpAbs"}
    library = build(
        "libmluops.so", VERSION + "".join(f"int {name}(void) {{ return 0; }}\n" for name in exported)
    )
    cnrt = build("libcnrt.so", "int cnrtQueueCreate(void **queue) { return 0; }\n")
    words = ["check-abi", "mlu_op.h", "--library", str(library), "--cnrt", str(cnrt)]
    done = subprocess.run(  # in a process of its own, where no test meets these libraries again
        [sys.executable, "-m", "mluops_conformance", *words],
        cwd=str(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == f"{library}: does not export mluOpAbs"
    assert done.stdout.splitlines()[1].endswith("1 difference")


def test_a_library_that_does_not_load_is_a_usage_error(header_text, tmp_path, command):
    header = tmp_path / "mlu_op.h"
    header.write_text(header_text)
    code, _, error = command("check-abi", header, "--library", tmp_path / "nowhere.so")
    assert code == 4
    assert "was not loaded" in error
