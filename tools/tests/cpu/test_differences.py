"""The page of the cases in which the emulator and a library for the CPU differ, and its check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.judging.values import OutputVerdict, Threshold
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record, RunHeader
from mluops_tools.cpu.differences import Explanation, compared, contradictions, explanations, listed, text

PAGE = Path(__file__).resolve().parents[3] / "docs/emulator-differences.md"
ISSUE = "It is rounded. (https://host/1; until 2027-12-31)"
RAYS = Explanation("emulator", ("op/ray*",), "One ray.")


def record(case: str, outcome: str = "passed", issue: str = "", error: float = 1e-6, **fields: Any) -> Record:
    verdict = OutputVerdict(
        "out", "passed", measures={"diff1": error}, thresholds={"diff1": Threshold(1e-5, "static")}
    )
    reason = "" if outcome == "passed" else "It is 2, not 1."
    return Record(
        case,
        "op",
        "",
        "",
        "a.yaml:1",
        0,
        "",
        outcome=outcome,
        reason=reason,
        issue=issue,
        outputs=(verdict,),
        **fields,
    )


def run(backend: str, *records: Record, device: str = "MLU590-H8") -> Run:
    header = RunHeader("run", ("run",), "2026-05-01T02:00:00+00:00", len(records), backend, device)
    return Run(Path("runs") / backend, header, records, {}, ())


def difference_of(emulated: Record, cpu: Record) -> Any:
    found = compared(run("emulator", emulated, device="MLU590"), run("cpu", cpu)).differences
    return tuple(found[0]) if found else None


class TestADifference:
    def test_may_be_a_known_issue_of_the_library_with_its_reason(self) -> None:
        found = difference_of(record("op/a"), record("op/a", "xfailed", ISSUE))
        assert found == ("op/a", "library", "It is rounded.")

    def test_may_be_a_known_issue_of_the_emulator(self) -> None:
        assert difference_of(record("op/a", "xfailed", ISSUE), record("op/a"))[1] == "emulator"

    def test_may_be_a_status(self) -> None:
        assert difference_of(record("op/a"), record("op/a", "failed", failures=("status",)))[1] == "status"

    def test_may_be_another_outcome(self) -> None:
        assert difference_of(record("op/a", "crashed"), record("op/a"))[1] == "outcome"

    def test_may_be_an_accuracy(self) -> None:
        assert difference_of(record("op/a"), record("op/a", error=2.5e-6))[1] == "accuracy"

    def test_is_none_where_errors_differ_by_a_rounding(self) -> None:
        assert difference_of(record("op/a"), record("op/a", error=1.5e-6)) is None

    def test_is_none_where_one_of_them_did_not_execute_the_case(self) -> None:
        assert difference_of(record("op/a"), record("op/a", "unsupported")) is None


class TestThePage:
    RUNS = (
        compared(
            run("emulator", record("op/a"), record("op/ray", "xfailed", ISSUE), device="MLU370"),
            run("cpu", record("op/a", "xfailed", ISSUE), record("op/ray"), device="MLU370-X8"),
        ),
        compared(
            run("emulator", record("op/a"), record("op/ray"), device="MLU590"),
            run("cpu", record("op/a", "xfailed", ISSUE), record("op/ray")),
        ),
    )

    def test_counts_differences_by_device_and_reason(self) -> None:
        page = text(self.RUNS, [RAYS])
        assert "| It is rounded. | 1 | 1 | `op/a` |\n" in page
        assert "| One ray. | 1 | 0 | `op/ray` (MLU370) |\n" in page
        assert "| MLU370 | 2 | 1 | 1 | 0 | 0 | 0 |\n" in page

    def test_lists_what_was_written(self) -> None:
        page = text(self.RUNS, [RAYS])
        assert listed(page, "MLU370")["emulator"] == {"op/ray"}
        assert listed(page, "MLU590")["emulator"] == set()
        assert listed(page, "MLU590")["library"] == {"op/a"}

    def test_agrees_with_the_runs_that_it_is_made_of(self) -> None:
        page = text(self.RUNS, [RAYS])
        assert [line for one in self.RUNS for line in contradictions(page, one)] == []

    def test_is_contradicted_by_runs_that_differ_elsewhere(self) -> None:
        other = compared(
            run("emulator", record("op/a"), record("op/b"), device="MLU590"),
            run("cpu", record("op/a"), record("op/b", "xfailed", ISSUE)),
        )
        assert list(contradictions(text(self.RUNS, [RAYS]), other)) == [
            "op/b differs on MLU590 (library), and the page does not list it",
            "the page lists op/a on MLU590 (library), and it does not differ",
        ]

    def test_leaves_no_difference_unexplained(self) -> None:
        with pytest.raises(UserError, match="op/ray differs"):
            text(self.RUNS, [])

    def test_has_no_explanation_of_nothing(self) -> None:
        with pytest.raises(UserError, match="concerns nothing: status, op/z"):
            text(self.RUNS, [RAYS, Explanation("status", ("op/z",), "Why.")])


def test_runs_of_other_backends_are_refused() -> None:
    with pytest.raises(UserError, match="a run on cpu; give EMULATED, then CPU"):
        compared(run("cpu", record("op/a")), run("emulator", record("op/a")))


def test_runs_of_other_devices_are_refused() -> None:
    with pytest.raises(UserError, match="other device series or seeds"):
        compared(run("emulator", record("op/a"), device="MLU370"), run("cpu", record("op/a")))


def test_every_group_of_the_page_has_a_reason() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(explanation.why in page for explanation in explanations(PAGE))
    assert all(listed(page, "MLU590").values()) or "None." in page
