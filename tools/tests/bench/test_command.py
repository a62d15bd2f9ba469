"""`bench` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance.cli import main
from mluops_conformance.exit_codes import PASSED, USAGE
from mluops_tools.bench.profiling import CASES, profiles

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
QUICK = ("binding/call-over-bare-ctypes", "--repeats", "2")


def test_it_names_its_benchmarks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--list", "fill"]) == PASSED
    assert capsys.readouterr().out.split() == [
        "fill/uniform-float32",
        "fill/uniform-float16",
        "fill/integers-int32",
        "fill/distinct-float32",
    ]


def test_it_compares_with_what_it_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = str(tmp_path / "before.json")
    assert main(["bench", *QUICK, "--json", stored]) == PASSED
    capsys.readouterr()
    assert main(["bench", *QUICK, "--against", stored]) == PASSED
    _, table = capsys.readouterr().out.split("\n\n")
    assert table.splitlines()[-1].startswith("binding/call-over-bare-ctypes")


def test_it_measures_another_checkout_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *QUICK, "--against", str(ROOT)]) == PASSED
    _, table = capsys.readouterr().out.split("\n\n")
    assert table.splitlines()[-1].startswith("binding/call-over-bare-ctypes")


def test_it_wants_something_to_compare_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *QUICK, "--against", str(tmp_path)]) == USAGE
    assert "neither samples of bench nor a checkout" in capsys.readouterr().err


def test_the_slowest_cases_of_a_run_are_profiled(tmp_path: Path) -> None:
    run = tmp_path / "run"
    query = ["nms_rotated/network-34*", "masked_im2col_forward/case2*"]
    assert main(["run", *query, "--backend", "emulator", "--out", str(run), "-n", "1"]) == PASSED
    texts = list(profiles(run))
    assert len(texts) == 8 < CASES
    assert {text.splitlines()[0].rpartition(": ")[2] for text in texts} == {"passed"}
    assert all("Ordered by: internal time" in text for text in texts)
