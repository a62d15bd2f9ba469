"""The findings of a type checker in a user's program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """\
import ctypes
import mluops
import numpy as np
from mluops import operators, types

library = mluops.load("emulator", device="MLU370")
handle = mluops.Handle(library)
boxes, scores = np.zeros((3, 5), np.float32), np.zeros(3, np.float32)
on_device = mluops.DeviceArray.from_numpy(library, boxes)
also = mluops.DeviceArray.from_numpy(library, scores)
reveal_type(operators.nms_rotated(handle, boxes, scores, 0.5))
reveal_type(operators.nms_rotated(handle, on_device, also, 0.5))
reveal_type(operators.nms_rotated(handle, on_device, also, 0.5, synchronize=False))
size = ctypes.c_size_t()
reveal_type(library.mluOpGetNmsRotatedWorkspaceSize(handle, on_device.descriptor(), ctypes.byref(size)))
library.mluOpCreate.checked(handle=ctypes.byref(types.mluOpHandle_t()))
library.cnrtMemset(ptr=on_device, value=0, bytes=4)
library.mluOpNmsRotate
library.mluOpSetQueue(handle)
library.mluOpSetQueue(handle, handle)
mluops.load("emulator", devcie="MLU370")
mluops.load(devcie="MLU370")
operators.nms_rotated(handle, boxes, scores, 0.5, synchronize=False)
operators.nms_rotated(handle, boxes, scores, iou=0.5)
"""
EXPECTED = {
    11: 'Revealed type is "numpy.ndarray[',
    12: 'Revealed type is "mluops.array.DeviceArray"',
    13: 'Revealed type is "mluops.selection.Selection"',
    15: 'Revealed type is "mluops.constants.mluOpStatus_t"',
    18: '"Library" has no attribute "mluOpNmsRotate"',
    19: 'Missing positional argument "queue"',
    20: 'incompatible type "Handle"; expected "Queue | cnrtQueue_t | None"',
    21: "[call-overload]",
    22: "[call-overload]",
    23: "[call-overload]",
    24: "[call-overload]",
}


@pytest.mark.slow
def test_a_type_checker_knows_functions_operators_and_options(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(program)]
    output = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    said = [line.split(":", 2) for line in output.splitlines() if line.startswith("program.py:")]
    by_line = {int(line): "" for _, line, _ in said}
    for _, line, text in said:
        by_line[int(line)] += text
    assert by_line.keys() == EXPECTED.keys(), output
    for line, text in EXPECTED.items():
        assert text.replace(" ", "") in by_line[line].replace("builtins.", "").replace(" ", ""), by_line[line]
