"""Trials of operators that have no cases: their own rules. CI runs them on a library that it builds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mluops_conformance.errors import UserError
from mluops_tools.cpu.metadata import Metadata
from mluops_tools.cpu.trials.run import chosen, main, outcome, trials
from mluops_tools.cpu.trials.trial import errors_of


def test_names_are_of_one_trial_each() -> None:
    names = [trial.name for trial in trials()]
    assert len(set(names)) == len(names)


def test_errors_are_relative_above_1_and_absolute_below() -> None:
    errors = errors_of(np.array([0.5, 110.0, 2.0]), np.array([0.25, 100.0, 2.0]))
    assert np.allclose(errors, [0.25, 0.1, 0])


def test_nan_agrees_with_nan_alone_and_what_is_masked_with_all() -> None:
    wanted = np.ma.masked_array([np.nan, 1.0, np.nan, 7.0, np.inf], [False] * 3 + [True, False])
    assert errors_of(np.array([np.nan, np.nan, 1.0, 0.0, np.inf]), wanted).tolist() == [
        0,
        np.inf,
        np.inf,
        0,
        0,
    ]


class TestTheChoice:
    @pytest.fixture
    def build(self, tmp_path: Path) -> Path:
        Metadata("abc", "1", "abc", "592", (), {"abs": ("mluOpAbs",), "log": ("mluOpLog",)}).write(tmp_path)
        return tmp_path

    def test_is_of_the_functions_that_a_build_has(self, build: Path) -> None:
        assert {trials()[number].function for number in chosen(build, ())} == {"mluOpAbs", "mluOpLog"}

    def test_is_of_names_with_a_word(self, build: Path) -> None:
        assert [trials()[number].name for number in chosen(build, ["half"])] == ["abs of half"]

    def test_of_nothing_is_refused(self, build: Path) -> None:
        with pytest.raises(UserError, match="no trial of sqrt"):
            chosen(build, ["sqrt"])


def test_a_folder_without_a_build_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 4
    assert "no build of mlu-ops" in capsys.readouterr().err


def test_what_ends_a_trial_is_its_outcome(tmp_path: Path) -> None:
    assert "libmluops.so" in outcome(tmp_path, 0)
