"""What the tests of the tools share: a header made of the binding's own tables, and the command."""

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
