"""Shared by the tests of the tools: a header made of the binding's own tables, and the command."""

from __future__ import annotations

import textwrap
from typing import Callable, Iterator

import pytest
from mluops.signatures import MLUOP, Function
from mluops_conformance.cli import main
from mluops_tools.abi.drift import ENUMS, HANDLES

HEAD = """\
/*! @file  mlu_op.h { } ; */
#ifndef MLU_OP_H_
#define MLU_OP_H_
#define MLUOP_MAJOR 1
#define MLUOP_MINOR 11
#define MLUOP_PATCHLEVEL 1
#define MLUOP_DIM_MAX 8
#include "cnrt.h"
#ifndef MLUOP_WIN_API
#ifdef _WIN32
#define MLUOP_WIN_API __stdcall
#else
#define MLUOP_WIN_API
#endif
#endif
#if defined(__cplusplus)
extern "C" {
#endif
struct mluOpContext;
"""
TAIL = "#if defined(__cplusplus)\n}\n#endif\n#endif  // MLU_OP_H_\n"


GTEST_CASE = """\
op_name: "masked_im2col_forward"
input {
  id: "input"
  shape: { dims: 1 dims: 2 dims: 3 dims: 4 }
  layout: LAYOUT_NCHW
  dtype: DTYPE_FLOAT
  random_data: { seed: 7 upper_bound: 10 lower_bound: 1 distribution: UNIFORM }
}
input {
  id: "mask_h_idx"
  shape: { dims: 3 }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  value_i: -4
  value_i: 0
  value_i: 2
}
input {
  id: "mask_w_idx"
  shape: { dims: 3 }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_INT32
  value_i: 1
  value_i: 2
  value_i: 3
}
output {
  id: "output"
  shape: { dims: 12 dims: 3 }
  layout: LAYOUT_ARRAY
  dtype: DTYPE_FLOAT
}
masked_im2col_forward_param { kernel_h: 3 kernel_w: 2 pad_h: 1 pad_w: 0 }
test_param: { error_func: DIFF3 error_threshold: 0 baseline_device: CPU }
"""


def enum_text(name: str) -> str:
    values = "\n".join(f"  {key} = {value}, /*!< One, {{or}} two; */" for key, value in ENUMS[name].items())
    return f"typedef enum {{\n{values}\n}} {name};\n"


def function_text(declared: Function) -> str:
    """As the header writes it: the calling convention behind the result's type, or within it."""
    result, star, _ = declared.result.partition("*")
    parameters = textwrap.fill(declared.parameters or "void", 70, subsequent_indent="    ")
    return (
        f"// Group: of {declared.name}(x);\n{result} MLUOP_WIN_API {star}\n{declared.name}({parameters});\n"
    )


def sections() -> Iterator[str]:
    yield HEAD
    yield from map(enum_text, ENUMS)
    yield from (f"typedef struct {name[:-2]}Struct *{name};\n" for name in sorted(HANDLES))
    yield from map(function_text, MLUOP.values())
    yield TAIL


@pytest.fixture(scope="session")
def header_text() -> str:
    """An mlu_op.h that agrees with the binding in everything."""
    return "\n".join(sections())


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[str], str]]:
    """The exit code of a command, its lines and what it complained of."""

    def call(*words: object) -> tuple[int, list[str], str]:
        code = main([str(word) for word in words])
        shown = capsys.readouterr()
        return code, shown.out.splitlines(), shown.err

    return call


@pytest.fixture
def gtest_case() -> Callable[..., str]:
    """The text of a gtest case, with texts replaced, each of which stands in it once."""

    def written(*replacements: tuple[str, str]) -> str:
        text = GTEST_CASE
        for before, after in replacements:
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        return text

    return written
