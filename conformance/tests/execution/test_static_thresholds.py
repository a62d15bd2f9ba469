"""`--static-thresholds`: the documents' numbers, whatever a baseline's error is."""

from __future__ import annotations

import shlex
from typing import Any, Iterator

import pytest
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session

ALIGN = "dims: {batch: 1, height: 8, width: 8, channels: 4}\nparams: {points: 5}\ndtype: "


@pytest.fixture
def static_session() -> Iterator[Session]:
    opened = Session(RunOptions(backend="emulator", static_thresholds=True))
    yield opened
    opened.close()


def thresholds(session: Session, case: Any) -> dict[str, Any]:
    return execute(case, session).outputs[0].thresholds


@pytest.mark.parametrize(("dtype", "value"), [("float16", 1e-3), ("float32", 1e-5)])
def test_they_are_those_of_the_rotated_feature_align_document(static_session, case_of, dtype, value):
    """Section 1.5.1, where a case fails by the dynamic ones: 1e-3 for half, 1e-5 for float."""
    found = thresholds(static_session, case_of("rotated_feature_align_backward", ALIGN + dtype))
    assert (found["diff1"].value, found["diff2"].value) == (value, value)
    assert found["diff1"].origin.startswith("static ")


def test_one_sided_errors_are_refused_all_the_same(static_session, case_of):
    assert "diff4" in thresholds(static_session, case_of("rotated_feature_align_backward", ALIGN + "float32"))


def test_without_the_option_they_are_multiples_of_the_baselines_error(session, case_of):
    found = thresholds(session, case_of("rotated_feature_align_backward", ALIGN + "float16"))
    assert found["diff1"].origin.startswith("dynamic 10 x baseline ")


def test_a_threshold_of_the_case_stands_above_them(static_session, case_of):
    case = case_of("rotated_feature_align_backward", f"{ALIGN}float32\nthresholds: {{diff1: 0.5}}")
    assert thresholds(static_session, case)["diff1"].value == 0.5


def test_the_line_that_repeats_a_case_has_the_option(static_session, case_of):
    record = execute(case_of("rotated_feature_align_backward", ALIGN + "float32"), static_session)
    assert "--static-thresholds" in shlex.split(record.repro)


def test_the_option_is_a_word_of_its_own():
    assert RunOptions(static_thresholds=True, seed=3).arguments() == ("--seed", "3", "--static-thresholds")
