"""The overloads that type checkers read of the operators."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from mluops_tools.operator_stub import operator_stub

pytestmark = pytest.mark.skipif(sys.version_info < (3, 9), reason="writing stubs needs Python 3.9")


def test_arrays_of_the_host_give_arrays_of_the_host(tmp_path: Path) -> None:
    wrapper = "def twice(handle: Handle, x: Operand, *, out: Operand | None = None) -> Operand: ...\n"
    (tmp_path / "twice.py").write_text(wrapper)
    lines = operator_stub(tmp_path).splitlines()
    first = lines[lines.index("@overload") :][:8]
    assert first == [
        "@overload",
        "def twice(",
        "    handle: Handle,",
        "    x: ArrayLike,",
        "    *,",
        "    out: NDArray[Any] | None = None,",
        ") -> NDArray[Any]: ...",
        "@overload",
    ]


def test_a_module_without_its_function_is_named(tmp_path: Any) -> None:
    (tmp_path / "twice.py").write_text("def thrice(): ...\n")
    with pytest.raises(LookupError, match=r"twice\.py has no function twice"):
        operator_stub(tmp_path)


def test_an_operator_of_several_outputs_takes_and_gives_its_named_tuple(tmp_path: Path) -> None:
    wrapper = "def halves(handle: Handle, x: Operand, *, out: Halves | None = None) -> Halves: ...\n"
    (tmp_path / "halves.py").write_text(wrapper)
    lines = operator_stub(tmp_path).splitlines()
    assert "from mluops.operators.halves import Halves" in lines
    first = lines[lines.index("@overload") :][:7]
    assert first == [
        "@overload",
        "def halves(",
        "    handle: Handle,",
        "    x: ArrayLike,",
        "    *,",
        "    out: Halves | None = None,",
        ") -> Halves: ...",
    ]
