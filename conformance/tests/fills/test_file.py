"""Data from a NumPy file beside the case file."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.language.load import load
from mluops_conformance.language.model import CaseFileError
from mluops_conformance.operators import the_operator

SCORES = np.array([0.5, np.nan, -0.0], np.float32)
SCORES.view(np.uint32)[1] = 0x7FC12345  # a NaN that text could not tell from others


@pytest.fixture
def scores_from(tmp_path: Path) -> Callable[[str], Any]:
    """The scores of a case in tmp_path/cases, filled from a file that is named there."""
    folder = tmp_path / "cases"
    folder.mkdir(exist_ok=True)

    def filled(path: str) -> Any:
        entry = f"{{id: a, dims: {{N: 3}}, data: {{scores: {{fill: file, path: {path}}}}}}}"
        (folder / "a.yaml").write_text(f"operator: nms_rotated\ncases:\n  - {entry}\n")
        (case,) = load([folder / "a.yaml"])
        return fill_inputs(case, the_operator("nms_rotated"), 0)["scores"]

    np.save(folder / "good.npy", SCORES)
    return filled


def test_every_bit_of_the_file_is_taken(scores_from):
    assert scores_from("good.npy").tobytes() == SCORES.tobytes()


def test_the_path_is_relative_to_the_case_file(scores_from, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert scores_from("good.npy").tobytes() == SCORES.tobytes()


def test_a_subfolder_may_hold_the_file(scores_from, tmp_path):
    (tmp_path / "cases/data").mkdir()
    (tmp_path / "cases/good.npy").rename(tmp_path / "cases/data/good.npy")
    assert scores_from("data/good.npy").tobytes() == SCORES.tobytes()


def test_a_link_in_the_folder_may_lead_to_the_file(scores_from, tmp_path):
    np.save(tmp_path / "elsewhere.npy", SCORES)
    (tmp_path / "cases/link.npy").symlink_to(tmp_path / "elsewhere.npy")
    assert scores_from("link.npy").tobytes() == SCORES.tobytes()


@pytest.mark.parametrize("path", ["../good.npy", "/etc/hostname", "data/../../good.npy"])
def test_no_name_leads_out_of_the_folder(scores_from, tmp_path, path):
    np.save(tmp_path / "good.npy", SCORES)
    (tmp_path / "cases/data").mkdir()
    with pytest.raises(CaseFileError, match="reads only below the case file's own folder"):
        scores_from(path)


@pytest.mark.parametrize(
    ("contents", "complaint"),
    [
        (None, "a.yaml:3:.*: data.scores: fill file cannot read bad.npy: No such file"),
        (b"no array", "cannot read bad.npy: it is not an .npy file"),
        (np.zeros(4, np.float32), r"finds float32\[4\] in bad.npy, and needs float32\[3\]"),
        (np.zeros(3), r"finds float64\[3\] in bad.npy, and needs float32\[3\]"),
        (np.zeros(3, ">f4"), r"finds >f4\[3\] in bad.npy"),
        (np.array([{}, {}, {}]), r"finds object\[3\] in bad.npy"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_runs(scores_from, tmp_path, contents, complaint):
    file = tmp_path / "cases/bad.npy"
    if isinstance(contents, bytes):
        file.write_bytes(contents)
    elif contents is not None:
        np.save(file, contents)
    with pytest.raises(CaseFileError, match=complaint):
        scores_from("bad.npy")
