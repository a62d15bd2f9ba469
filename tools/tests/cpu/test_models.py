"""Runs that are repeated under other assumptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mluops_conformance.results.reader import Run
from mluops_conformance.results.record import Record, RunHeader
from mluops_tools.cpu import models
from mluops_tools.cpu.models import compare_models, other_verdicts


def run(**outcomes: str) -> Run:
    records = [
        Record(case, "op", "", "", "a.yaml:1", 0, "", outcome=outcome) for case, outcome in outcomes.items()
    ]
    header = RunHeader("run", ("run",), "2026-05-01T02:00:00+00:00", len(records), "cpu", "MLU590-H8")
    return Run(Path("runs"), header, records, {}, ())


ASSUMED = run(a="passed", b="failed", c="passed")


def test_the_models_are_the_switches_of_the_table() -> None:
    assert models.models() == (
        "zero_by_zero=0",
        "fusion=once",
        "sum=float",
        "sum=backwards",
        "argmax=last",
        "argmax=nan",
    )


def test_a_verdict_is_another_where_the_outcome_is() -> None:
    assert other_verdicts(ASSUMED, run(a="passed", b="passed", c="crashed")) == ["b", "c"]


def test_a_case_without_a_record_has_another_verdict() -> None:
    assert other_verdicts(ASSUMED, run(a="passed", b="failed")) == ["c"]


def test_each_model_is_told_with_its_cases_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"argmax=last": run(a="failed", b="failed", c="failed"), "argmax=nan": run(a="failed")}
    monkeypatch.setattr(models, "load_run", lambda folder: ASSUMED)
    monkeypatch.setattr(models, "_repeated", lambda assumed, model, folder: answers.get(model, ASSUMED))
    said: list[str] = []
    lines = list(compare_models(Path("runs"), said.append))
    assert lines[:2] == ["argmax=last changes 2 verdicts: a, c", "argmax=nan changes 3 verdicts: a, b, c"]
    assert lines[2].startswith("the verdicts of 3 of 3 cases hang on an assumption (zero_by_zero=0, ")
    assert said[-1] == "again with MLUOPS_CPU_MODEL=argmax=nan"


def test_only_a_library_for_the_cpu_has_models(tmp_path: Path, command: Any) -> None:
    words = ("run", "--backend", "emulator", "--models", "operator=nms_rotated suite=smoke")
    status, _, log = command(*words, "--out", tmp_path / "run")
    assert status == 4
    assert "--models goes with --library DIR of build-cpu" in log
