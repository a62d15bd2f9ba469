"""roiaware_pool3d_forward on both devices, through the C interface where not said otherwise."""

from __future__ import annotations

import mluops
import numpy as np
import pytest
from mluops import operators

MAX, AVERAGE = 0, 1
NAMES = ("mluOpRoiAwarePool3dForward", "mluOpGetRoiAwarePool3dForwardWorkspaceSize")
OLD_NAMES = ("mluOpRoiawarePool3dForward", "mluOpGetRoiawarePool3dForwardWorkspaceSize")


def pool(handle, roi, pts, features, pool_method=MAX, slots=4, grid=(1, 1, 1), dtype=np.float32):
    """Pool one channel in the voxels of one box."""
    out_x, out_y, out_z = grid
    argmax, points, pooled = operators.roiaware_pool3d_forward(
        handle,
        np.array([roi], dtype),
        np.array(pts, dtype),
        np.array(features, dtype)[:, np.newaxis],
        pool_method=pool_method,
        max_pts_each_voxel=slots,
        out_x=out_x,
        out_y=out_y,
        out_z=out_z,
    )
    return argmax.ravel().tolist(), points.reshape(-1, slots).tolist(), pooled.ravel().tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_voxel_without_points_holds_zero_and_no_maximum(handle, dtype):
    """The lower voxel has the points 0 and 2; the upper one none."""
    roi, pts = [0, 0, 0, 4, 4, 4, 0], [[1, 1, 1], [9, 9, 9], [-1, 0, 0]]
    found = pool(handle, roi, pts, [5, 9, 7], grid=(1, 1, 2), dtype=dtype)
    assert found == ([2, -1], [[2, 0, 2, 0], [0, 0, 0, 0]], [7, 0])


def test_an_average_has_no_argmax(handle):
    roi, pts = [0, 0, 0, 4, 4, 4, 0], [[1, 1, 1], [9, 9, 9], [-1, 0, 0]]
    found = pool(handle, roi, pts, [5, 9, 7], AVERAGE, grid=(1, 1, 2))
    assert found == ([0, 0], [[2, 0, 2, 0], [0, 0, 0, 0]], [6, 0])


def test_a_full_voxel_keeps_the_first_points(handle):
    found = pool(handle, [0, 0, 0, 4, 4, 4, 0], [[0, 0, 1]] * 4, [1, 2, 3, 4], slots=3)
    assert found == ([1], [[2, 0, 1]], [2])


def test_faces_along_z_are_inside_and_those_along_x_and_y_outside(handle):
    pts = [[0, 0, 1], [0, 0, 5], [2, 0, 2], [-2, 0, 2], [0, 2, 2], [0, -2, 2], [0, 0, 0.5], [0, 0, 5.5]]
    _, points, _ = pool(handle, [0, 0, 1, 4, 4, 4, 0], pts, range(8), slots=9)
    assert points == [[2, 0, 1, 0, 0, 0, 0, 0, 0]]


def test_the_heading_turns_from_x_to_y(handle):
    """The box is 8 long and 2 wide, and points along (0.8, 0.6)."""
    roi = [0, 0, 0, 8, 2, 2, np.arctan2(0.6, 0.8)]
    _, points, _ = pool(handle, roi, [[2.4, 1.8, 1], [2.4, -1.8, 1]], [1, 2])
    assert points == [[1, 0, 0, 0]]


@pytest.mark.parametrize(("device", "voxel"), [("MLU370", 2), ("MLU590", 3)], indirect=["device"])
def test_a_point_on_an_inner_face_shows_the_reciprocal(handle, voxel):
    """With float32 numbers 3 x 6 / 7 divided by 6 / 7 is 3, and less when multiplied by the reciprocal."""
    _, points, _ = pool(handle, [0, 0, 0, 4, 4, 6, 0], [[0, 0, 3 * 6 / 7]], [1], grid=(1, 1, 7))
    assert [count for count, *_ in points].index(1) == voxel


@pytest.mark.parametrize(("version", "names"), [((0, 11, 0), OLD_NAMES), ((1, 11, 1), NAMES)])
def test_a_release_is_called_by_the_newest_names_that_it_has(version, names):
    library = mluops.load("emulator", version=version)
    assert [library.has(name) for name in NAMES] == [names == NAMES] * 2
    assert all(map(library.has, OLD_NAMES))
    with mluops.Handle(library) as handle:
        assert pool(handle, [0, 0, 0, 4, 4, 4, 0], [[1, 1, 1]], [5]) == ([0], [[1, 0, 0, 0]], [5])
        assert library.first(*NAMES[:1], *OLD_NAMES[:1]).name == names[0]
    library.symbols.close()


def test_the_old_names_of_a_new_library_take_the_same(handle):
    for name, old in zip(NAMES, OLD_NAMES):
        assert getattr(handle.library, old).parameters == getattr(handle.library, name).parameters
