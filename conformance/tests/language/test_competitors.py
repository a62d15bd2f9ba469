"""competitors.yaml: what documents say of other devices, and on which cases."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Tuple

import pytest
from mluops_conformance.language.competitors import (
    Figure,
    competitor_files,
    competitors_of,
    figures,
    problems_with,
    read_competitors,
)
from mluops_conformance.language.load import load_cases
from mluops_conformance.language.model import Case, CaseFileError, Origin
from mluops_conformance.support.files import cases_root

FILE = """\
device: A card
source: the document, 1.5.2
figures:
  - {cases: ["it dtype=float32"], seconds: 20e-6, compute_efficiency: 0.5, io_efficiency: 25}
"""
CASE = Case("nms_rotated/it", "nms_rotated", Origin("it.yaml", 3, 5), {}, {}, "float32")

Reader = Callable[[str], Tuple[List[Figure], List[str]]]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.chdir(tmp_path)

    def read_text(text: str) -> tuple[list[Figure], list[str]]:
        (tmp_path / "competitors.yaml").write_text(text, encoding="utf-8")
        found, problems = read_competitors(competitor_files([tmp_path]))
        return found, [str(problem) for problem in problems]

    return read_text


def test_a_figure_holds_for_the_cases_of_its_queries(read: Reader) -> None:
    known, _ = read(FILE)
    (competitor,) = competitors_of(CASE, known)
    assert (competitor.device, competitor.seconds) == ("A card", 20e-6)
    other = Case("nms_rotated/it", "nms_rotated", CASE.origin, {}, {}, "float16")
    assert competitors_of(other, known) == ()


def test_efficiencies_are_written_in_per_cent(read: Reader) -> None:
    ((figure,), _) = read(FILE)
    assert figure.competitor.io_efficiency == 0.25
    assert figure.competitor.compute_efficiency == pytest.approx(0.005)


def test_a_figure_may_be_a_time_alone(read: Reader) -> None:
    ((figure,), _) = read(FILE.replace(", compute_efficiency: 0.5, io_efficiency: 25", ""))
    assert (figure.competitor.compute_efficiency, figure.competitor.io_efficiency) == (None, None)


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        (FILE, "5", "1:1: a file of figures needs a mapping, got 5"),
        ("device: A card\n", "", "1:1: device is missing: the other device"),
        ("20e-6", "0", "4:44: seconds needs seconds above 0, got 0"),
        ("seconds", "second", "4:35: unknown field 'second' (did you mean 'seconds'?)"),
        ("io_efficiency: 25", "io_efficiency: most", "4:91: io_efficiency needs a number, got 'most'"),
        (
            '  - {cases: ["it dtype=float32"]',
            '  - 5\n  - {cases: ["it"]',
            "4:5: a figure needs a mapping, got 5",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_place(read: Reader, right: str, wrong: str, problem: str) -> None:
    _, problems = read(FILE.replace(right, wrong))
    assert f"competitors.yaml:{problem}" in problems


def test_a_figure_about_no_case_is_a_problem(read: Reader) -> None:
    known, _ = read(FILE.replace("it dtype", "them dtype"))
    (problem,) = problems_with(known, [CASE])
    assert "4:5: is about no case: unknown case 'them'" in str(problem)


def test_wrong_figures_beside_cases_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "competitors.yaml").write_text(FILE.replace("20e-6", "0"), encoding="utf-8")
    with pytest.raises(CaseFileError, match="seconds needs seconds above 0, got 0"):
        figures((tmp_path,))


def test_each_of_the_figures_of_the_documents_is_about_one_case() -> None:
    known, cases = figures((cases_root(),)), load_cases((cases_root(),))
    assert list(problems_with(known, cases)) == []
    concerned = [sum(query.holds(case) for case in cases for query in figure.cases) for figure in known]
    assert concerned == [1] * 24
