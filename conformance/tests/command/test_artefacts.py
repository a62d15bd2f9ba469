"""`run --save`, `replay`, `diff` and `show --data`: the data of a case, from the run to the debugger."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytestmark = pytest.mark.slow

CASE = "rotated_feature_align_backward/it"
FILE = "r/artefacts/rotated_feature_align_backward-it.npz"
SUM = """\
operator: rotated_feature_align_backward
cases:
  - id: it
    dims: {batch: 1, height: 4, width: 5, channels: 3}
"""
STRICT = ("--threshold", "diff1=0")


@pytest.fixture
def failing(command, tmp_path):
    """The folder `r` of a run in which the case fails, by a threshold that nothing meets, and is kept."""
    (tmp_path / "cases.yaml").write_text(SUM, encoding="utf-8")
    return command("run", "--cases", "cases.yaml", *STRICT, "--save", "failed", "--out", "r", "-n", "1")


def test_the_data_of_a_failing_case_is_kept_and_named(failing, tmp_path):
    assert (
        "  data    artefacts/rotated_feature_align_backward-it.npz in the run's folder"
        in failing.stdout.splitlines()
    )
    with np.load(tmp_path / FILE) as entries:
        assert json.loads(str(entries["record"]))["outcome"] == "failed"
        assert entries["outputs/bottom_input"].shape == (1, 4, 5, 3)


def test_nothing_is_kept_unless_asked_for(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(SUM, encoding="utf-8")
    command("run", "--cases", "cases.yaml", *STRICT, "--out", "r", "-n", "0")
    assert not (tmp_path / "r/artefacts").exists()


def test_what_the_limit_leaves_out_is_said(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(SUM, encoding="utf-8")
    done = command("run", "--cases", "cases.yaml", "--save", "always", "--save-limit", "1K", "--out", "r")
    assert done.returncode == 0
    assert "the data of 1 case was left out, the first because" in done.stdout


def test_a_replay_gives_the_same_bits_and_its_own_verdict(command, failing):
    done = command("replay", FILE)
    assert done.returncode == 0
    assert "against the stored one: all 60 elements are the same" in done.stdout
    again = command("replay", FILE, *STRICT)
    assert again.returncode == 1
    assert (
        f"  repeat  mluops-conformance replay {FILE} --backend emulator --threshold diff1=0" in again.stdout
    )


def test_a_replay_uses_the_stored_inputs(command, failing, tmp_path):
    with np.load(tmp_path / FILE) as entries:
        changed = dict(entries)
    changed["inputs/top_output"] = changed["inputs/top_output"] * 2
    np.savez(tmp_path / "changed.npz", **changed)
    done = command("replay", "changed.npz", "--out", "again.npz")
    assert done.returncode == 0
    with np.load(tmp_path / "again.npz") as again, np.load(tmp_path / FILE) as first:
        np.testing.assert_allclose(
            again["outputs/bottom_input"], 2 * first["outputs/bottom_input"], rtol=1e-5
        )


def test_an_unpacked_case_is_a_case_file_like_any_other(command, failing):
    command("replay", FILE, "--unpack", "alone")
    done = command("run", "--cases", "alone", "--out", "r2", "-n", "0")
    assert done.stdout.splitlines()[-1].startswith("1 passed")


def test_diff_shows_where_the_output_is_off(command, failing):
    done = command("diff", FILE, "--top", "2")
    assert done.returncode == 1
    assert "output `bottom_input` against double:" in done.stdout
    assert "axis 3:" in done.stdout


def test_diff_of_equal_executions_is_empty(command, failing):
    command("replay", FILE, "--out", "again.npz")
    done = command("diff", FILE, "again.npz")
    assert (done.returncode, done.stdout.strip()) == (
        0,
        f"output `bottom_input` against {FILE}: all 60 elements are the same",
    )


def test_show_writes_what_a_run_would_use(command, failing, tmp_path):
    done = command("show", CASE, "--cases", "cases.yaml", "--data", "shown.npz")
    assert (done.returncode, done.stdout) == (0, "")
    with np.load(tmp_path / "shown.npz") as shown, np.load(tmp_path / FILE) as kept:
        for name in ("inputs/top_output", "inputs/bboxes", "expected/bottom_input/double"):
            np.testing.assert_array_equal(shown[name], kept[name])
    assert command("diff", "shown.npz").returncode == 5
    assert command("replay", "shown.npz").returncode == 0


def test_show_has_no_data_of_a_call_that_must_be_refused(command, cases):
    done = command("show", "masked_im2col_forward/refused", "--cases", "cases.yaml", "--data", "x.npz")
    assert done.returncode == 4
    assert "no data is made for a call that must be refused" in done.stderr


@pytest.mark.parametrize("name", ["replay", "diff"])
def test_what_is_no_artefact_is_named(command, cases, name):
    done = command(name, "cases.yaml")
    assert done.returncode == 4
    assert "cases.yaml is not an artefact of a case" in done.stderr
