"""Right answers that a judgement of roiaware_pool3d_forward knows."""

from __future__ import annotations

from functools import partial

import mluops
import numpy as np
import pytest
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.expectations import expect
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.judging.verdict import judge
from mluops_conformance.language.load import select
from mluops_conformance.operators import the_operator

DTYPES = pytest.mark.parametrize("dtype", ["float32", "float16"])


def inner_faces(dtype):
    (case,) = select((), [f"roiaware_pool3d_forward/inner-faces:dtype={dtype},pool_method=1"])
    return case


@pytest.fixture
def on():
    """Open a session on an emulated device."""
    opened = []

    def session_on(device):
        opened.append(Session(RunOptions(backend="emulator", emulated_device=device)))
        return opened[-1]

    yield session_on
    for session in opened:
        session.close()


@DTYPES
@pytest.mark.parametrize(("device", "reading"), [("MLU370", "reciprocal"), ("MLU590", "division")])
def test_points_on_inner_faces_tell_the_arithmetic_of_a_device(on, dtype, device, reading):
    record = execute(inner_faces(dtype), on(device))
    matched = {output.name: output.matched for output in record.outputs}
    assert record.outcome == "passed"
    assert (matched["pts_idx_of_voxels"], matched["pooled_features"]) == (reading, reading)


@DTYPES
def test_a_point_in_the_voxel_before_that_of_either_reading_fails(on, dtype):
    case, operator = inner_faces(dtype), the_operator("roiaware_pool3d_forward")
    rights = expect(case, operator, fill_inputs(case, operator, 0), on("MLU590")).interpretations
    double, division, reciprocal = (right.expected for right in rights["pts_idx_of_voxels"])
    assert not np.array_equal(division, reciprocal)
    wrong = np.roll(division, 1, axis=3)
    assert judge("pts_idx_of_voxels", wrong, rights["pts_idx_of_voxels"]).outcome == "failed"
    assert not np.array_equal(double, division)


@pytest.mark.parametrize(
    "entry", ["inner-faces:dtype=float32,pool_method=0", "workspace:dtype=float32,channels=4"]
)
def test_a_library_that_has_the_old_names_alone_is_called_by_them(monkeypatch, on, entry):
    monkeypatch.setattr(mluops, "load", partial(mluops.load, version=(0, 11, 0)))
    session = on("MLU590")
    (case,) = select((), [f"roiaware_pool3d_forward/{entry}"])
    assert not session.library.has("mluOpRoiAwarePool3dForward")
    assert not session.library.has("mluOpGetRoiAwarePool3dForwardWorkspaceSize")
    assert session.obstacle(case) is None
    assert execute(case, session).outcome == "passed"
