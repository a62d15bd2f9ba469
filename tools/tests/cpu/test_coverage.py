"""The page of the folders of kernels, and its check."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mluops_conformance.errors import UserError
from mluops_tools.cpu.checkout import read_checkout
from mluops_tools.cpu.coverage import contradictions, listed, main, text, tried_by
from mluops_tools.cpu.metadata import LeftOut, Metadata
from mluops_tools.cpu.project import CXX

PAGE = Path(__file__).resolve().parents[3] / "docs/cpu-kernels.md"
SOURCE = os.environ.get("MLUOPS_SOURCE", "")
CONV = LeftOut("conv", ("mluOpConv",), "__bang_conv is not modelled", "kernels/conv/a.mlu:7", "__bang_conv")
SYNTAX = LeftOut("odd", (), "expected ';'", "kernels/odd/b.mlu:3")
NEW = Metadata("v1.11.1", "1.11.1", "", "592", (), {"abs": ("mluOpAbs",), "conv": ("mluOpConv",)}, (SYNTAX,))
OLD = replace(NEW, arch="372", folders={"abs": ("mluOpAbs",)}, left_out=(CONV, SYNTAX))


def row(page: str, folder: str) -> list[str]:
    return next(line for line in page.splitlines() if line.startswith(f"| {folder} "))[2:-2].split(" | ")


class TestThePage:
    PAGE = text([NEW, OLD])

    def test_tells_where_a_folder_builds_and_what_it_misses_otherwise(self) -> None:
        missing = "`__bang_conv` (kernels/conv/a.mlu:7)"
        assert row(self.PAGE, "conv") == ["conv", "mluOpConv", "builds", missing, ""]

    def test_tells_an_error_that_is_no_missing_name(self) -> None:
        assert row(self.PAGE, "odd")[2:] == [*["expected ';' (kernels/odd/b.mlu:3)"] * 2, ""]

    def test_counts_what_builds_and_what_is_tried(self) -> None:
        assert (
            "Of 3 folders, 2 build for architecture 592 and 1 build for architecture 372. "
            "2 of them have public functions;\n1 of these are tried."
        ) in self.PAGE

    def test_is_read_as_it_was_written(self) -> None:
        assert listed(self.PAGE)["abs"] == {"592": "builds", "372": "builds"}

    def test_is_of_one_source_and_of_one_build_an_architecture(self) -> None:
        for builds in ([NEW, NEW], [NEW, replace(OLD, source="abc")]):
            with pytest.raises(UserError, match="one build for each architecture, all of the same sources"):
                text(builds)


@pytest.mark.parametrize(
    ("functions", "tried"),
    [
        (("mluOpNmsRotated",), "cases"),
        (("mluOpAbs",), "trial"),
        (("mluOpDiv",), "trial on 592 alone"),
        (("mluOpDCNForward",), ""),
    ],
)
def test_a_function_is_tried_by_cases_or_by_a_trial(functions: Any, tried: str) -> None:
    assert tried_by(functions) == tried


class TestTheCheck:
    def test_finds_nothing_in_the_builds_that_made_the_page(self) -> None:
        page = text([NEW, OLD])
        assert [*contradictions(page, NEW), *contradictions(page, OLD)] == []

    def test_looks_at_the_folders_that_were_built_alone(self) -> None:
        assert [*contradictions(text([NEW, OLD]), replace(NEW, folders={}, left_out=(SYNTAX,)))] == []

    def test_names_a_folder_that_builds_no_more(self) -> None:
        changed = replace(NEW, folders={"abs": ("mluOpAbs",)}, left_out=(CONV, SYNTAX))
        assert [*contradictions(text([NEW, OLD]), changed)] == [
            "conv on 592: `__bang_conv` (kernels/conv/a.mlu:7); the page says: builds"
        ]

    def test_fails_by_its_exit_code(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "page.md").write_text(text([NEW, OLD]))
        OLD.write(tmp_path)
        assert main(["--check", str(tmp_path / "page.md"), str(tmp_path)]) == 0
        assert "3 folders compared" in capsys.readouterr().out
        replace(OLD, folders={}, left_out=(CONV, LeftOut("abs", (), "why", "f:1"))).write(tmp_path)
        assert main(["--check", str(tmp_path / "page.md"), str(tmp_path)]) == 1
        assert "abs on 372: why (f:1); the page says: builds" in capsys.readouterr().err

    def test_refuses_a_folder_without_a_build(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main([str(tmp_path / "page.md"), str(tmp_path)]) == 4
        assert "no build of mlu-ops" in capsys.readouterr().err


@pytest.mark.skipif(not SOURCE, reason="MLUOPS_SOURCE names no sources of mlu-ops")
class TestThePageOfTheDocumentation:
    def test_has_each_folder_of_the_sources_with_its_functions(self) -> None:
        units = read_checkout(Path(SOURCE)).units()
        page = PAGE.read_text(encoding="utf-8")
        assert {unit.name: ", ".join(unit.functions) for unit in units} == {
            folder: row(page, folder)[1].strip() for folder in listed(page)
        }

    def test_names_what_is_missing_where_the_sources_use_it(self) -> None:
        ours = "".join(path.read_text(encoding="utf-8") for path in CXX.rglob("*.h"))
        for folder, states in listed(PAGE.read_text(encoding="utf-8")).items():
            for state in set(states.values()) - {"builds"}:
                missing, file, line = re.fullmatch(r"`(\w+)` \((kernels/.*):(\d+)\)", state).groups()  # type: ignore[union-attr]
                used = (Path(SOURCE) / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
                assert missing in used, folder
                assert not re.search(rf"\b{missing}\b", ours), folder
