"""A small operator and the reading of case files of it."""

from __future__ import annotations

from typing import Any, Callable, List, Tuple

import pytest
from mluops_conformance.fills.registry import Fill, Option
from mluops_conformance.language.load import read
from mluops_conformance.language.model import Case
from mluops_conformance.operators.base import Criteria, Dim, Expectation, Operator, Param, Tensor

Reader = Callable[[str], Tuple[List[Case], List[str]]]


@pytest.fixture
def toy() -> Operator:
    return Operator(
        name="toy",
        functions=("mluOpToy",),
        dtypes=("float32", "float16"),
        dims=(Dim("N", "rows"), Dim("K", "columns", 2)),
        params=(Param("scale", float, "a factor", 1.0), Param("points", int, "how many points")),
        inputs=(
            Tensor("boxes", ("N", "K"), "the boxes"),
            Tensor("scores", ("N",), "the scores", fill={"fill": "distinct_uniform"}),
            Tensor("indices", ("N",), "the indices", dtype="int32", fill={"fill": "zeros"}),
            Tensor("offset", ("N",), "the offsets", optional=True),
        ),
        outputs=(
            Tensor("output", ("N",), "the result"),
            Tensor("count", ("1",), "how many results", dtype="int32", described=False),
        ),
        criteria=Criteria(measures=("diff1",), source="the tests"),
        reference=lambda inputs, scalars: Expectation({}),
        workspace_functions=("mluOpGetToyWorkspaceSize",),
        fills={
            "rows": Fill(
                "rows",
                (
                    Option("spread", "number", 1.0, "how far"),
                    Option("place", "choice", "grid", "where", ("grid", "line")),
                ),
                lambda stream, context: stream.uniform(context.size, 0, 1, context.dtype).reshape(
                    context.shape
                ),
                "rows of numbers",
                check=lambda context: (
                    "has more rows than points" if context.dims["N"] > context.params["points"] else None
                ),
            )
        },
    )


@pytest.fixture
def operators(toy: Operator) -> dict[str, Operator]:
    return {"toy": toy}


@pytest.fixture
def load(operators: dict[str, Operator], tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Read the text of a file named toy.yaml: its cases, and its problems as they are shown."""
    monkeypatch.chdir(tmp_path)

    def read_text(text: str) -> tuple[list[Case], list[str]]:
        file = tmp_path / "toy.yaml"
        file.write_text(text, encoding="utf-8")
        cases, problems = read([file], operators)
        return cases, [str(problem) for problem in problems]

    return read_text


@pytest.fixture
def load_entry(load: Reader) -> Callable[..., tuple[list[Case], list[str]]]:
    """Read a file of one entry, a field a line: id, dims, params and data in lines 3 to 6, others behind.

    Fields are given as YAML; None leaves one of the first four out.
    """
    usual = {"id": "a", "dims": "{N: 3}", "params": "{points: 9}", "data": "{boxes: {fill: uniform}}"}

    def read_entry(**fields: str | None) -> tuple[list[Case], list[str]]:
        given = {**usual, **fields}
        lines = [f"    {name}: {value}" for name, value in given.items() if value is not None]
        lines[0] = lines[0].replace("    ", "  - ", 1)
        return load("\n".join(["operator: toy", "cases:", *lines, ""]))

    return read_entry
