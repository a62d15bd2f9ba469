"""A run that began on a device is finished on it, and with the same library, or not at all."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow

CASES = """\
operator: masked_im2col_forward
cases:
  - id: copy
    dims: {channels: 1, height: 5, width: 4, kernel_h: 1, kernel_w: 1}
    matrix: {mask_cnt: [1, 2]}
"""


@pytest.fixture
def interrupted(standin, tmp_path):
    """The home of the libraries of a run that lacks its last record; gives what resumes the run."""
    device, home = standin(), tmp_path / "neuware/lib64"
    home.mkdir(parents=True)
    (home / "libmluops.so").symlink_to(device.mluops)
    (home / "libcnrt.so").symlink_to(device.cnrt)
    (tmp_path / "copy.yaml").write_text(CASES, encoding="utf-8")
    words = ("run", "--out", "r", "--cases", "copy.yaml")
    begun = device.plain(tmp_path, *words, NEUWARE_HOME=str(home.parent))
    lines = [json.dumps(event) + "\n" for event in begun.events[:-1]]
    (tmp_path / "r/results.jsonl").write_text("".join(lines), encoding="utf-8")
    return home, lambda: device.plain(tmp_path, "run", "--resume", "r", NEUWARE_HOME=str(home.parent))


def test_the_same_device_and_library_finish_it(interrupted):
    _, resume = interrupted
    done = resume()
    assert (done.code, len(done.records)) == (0, 2)


def test_another_build_of_the_library_does_not(interrupted, standin):
    home, resume = interrupted
    (home / "libmluops.so").unlink()
    (home / "libmluops.so").symlink_to(standin("1.10.0").mluops)
    done = resume()
    assert (done.code, len(done.records)) == (4, 1)
    assert "started on device MLU370-X8, libmluops " in done.err


def test_the_emulator_does_not(interrupted):
    home, resume = interrupted
    (home / "libmluops.so").unlink()
    done = resume()
    assert (done.code, len(done.records)) == (4, 1)
    assert "; cannot resume on emulator MLU370" in done.err
