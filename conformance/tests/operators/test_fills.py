"""The operators' own fills stay within what the documents allow, and off the places where devices differ."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.fills.registry import FillError

MAP = {"batches": 3, "hi": 40, "wi": 70, "num_rois": 500, "pooled_height": 3, "pooled_width": 5}
PIXELS = {"batch": 2, "height": 30, "width": 20, "channels": 1}
COLUMNS = {"channels": 1, "height": 6, "width": 9, "mask_cnt": 400, "kernel_h": 3, "kernel_w": 2}
VOXELS = {
    "boxes_num": 9,
    "out_x": 4,
    "out_y": 5,
    "out_z": 6,
    "channels": 2,
    "max_pts_each_voxel": 8,
    "pts_num": 30,
}
HALF_AND_FLOAT = pytest.mark.parametrize("dtype", ["float32", "float16"])


class TestRois:
    @pytest.fixture
    def rois(self, filled):
        def make(dtype="float32", scale=0.25, **options):
            params, name = {"spatial_scale": scale, "sampling_ratio": 0}, "deform_roi_pool_forward"
            return filled(name, "rois", "rois", MAP, params, dtype, **options).astype(float)

        return make

    @HALF_AND_FLOAT
    def test_lie_inside_of_the_image(self, rois, dtype):
        _, x1, y1, x2, y2 = rois(dtype).T
        assert min(x1.min(), y1.min()) >= 0
        assert x2.max() <= 70 / 0.25
        assert y2.max() <= 40 / 0.25

    def test_are_numbers_of_half_where_the_image_is_larger_than_half_can_hold(self, rois):
        """70 columns at scale 0.001 are 70000 image pixels; half ends at 65504."""
        regions = rois("float16", scale=0.001, side=(60000, 70000))
        assert np.isfinite(regions).all()
        assert regions[:, 3].max() == pytest.approx(65504, rel=1e-3)

    def test_name_every_image(self, rois):
        assert set(rois()[:, 0]) == {0, 1, 2}

    def test_have_sides_in_the_range_asked_for(self, rois):
        _, x1, y1, x2, y2 = rois(side=(30, 60)).T
        sides = np.concatenate([x2 - x1, y2 - y1])
        assert 28 <= sides.min() < 32
        assert 58 < sides.max() <= 62

    def test_keep_the_margin_asked_for(self, rois):
        _, x1, _, x2, _ = rois(margin=0.2).T
        room = np.minimum(x1, 70 / 0.25 - x2)
        assert (room >= 0.2 * (x2 - x1) - 1e-3).all()

    @HALF_AND_FLOAT
    def test_keep_off_sizes_where_the_sampling_grid_jumps(self, rois, dtype):
        _, x1, y1, x2, y2 = rois(dtype).T
        for grid in ((x2 - x1) * 0.25 / 5, (y2 - y1) * 0.25 / 3):
            assert np.abs(grid - np.round(grid)).min() > 0.05

    def test_need_a_scale_that_gives_the_image_a_size(self, filled):
        with pytest.raises(FillError, match="spatial_scale above 0, got 0"):
            filled("deform_roi_pool_forward", "rois", "rois", MAP, {"spatial_scale": 0})


class TestAnchorBoxes:
    @pytest.fixture
    def boxes(self, filled):
        def make(dtype="float32", dims=PIXELS, points=5, scale=0.5, **options):
            params = {"spatial_scale": scale, "points": points}
            name = "rotated_feature_align_backward"
            return filled(name, "bboxes", "anchor_boxes", dims, params, dtype, **options).astype(float)

        return make

    def test_are_near_their_pixels(self, boxes):
        centres = boxes(shift=(-1, 1))[..., :2] * 0.5
        pixels = np.stack(np.indices((2, 30, 20))[1:], axis=-1)
        assert np.abs(centres - pixels).max() <= 1

    def test_hold_the_row_first(self, boxes):
        assert boxes(shift=(0, 0))[0, 29, 4, :2].tolist() == [58, 8]

    def test_have_sides_in_map_pixels(self, boxes):
        sides = boxes(side=(2, 3))[..., 2:4] * 0.5
        assert 2 <= sides.min() <= sides.max() <= 3

    @HALF_AND_FLOAT
    def test_keep_their_points_off_the_limits_of_the_map(self, boxes, dtype):
        fields = np.moveaxis(boxes(dtype, side=(1, 6)), -1, 0)
        y, _, width, height = fields[:4] * 0.5
        cos, sin = np.cos(fields[4]), np.sin(fields[4])
        for across, along in ((0, 0), (1, 1), (-1, 1), (-1, -1), (1, -1)):
            rows = y + across * width / 2 * sin + along * height / 2 * cos
            assert np.abs(rows - 30).min() > 9e-4
            assert np.abs(rows + 1).min() > 9e-4

    def test_say_so_when_they_cannot(self, boxes):
        with pytest.raises(FillError, match="bboxes: fill 'anchor_boxes' cannot keep its points off"):
            boxes(dims={**PIXELS, "height": 1}, shift=(-1, -1), side=(0, 0))

    def test_do_not_look_at_corners_that_one_point_leaves_out(self, boxes):
        """Each left and right side lies on column -1 or 20, where no centre is."""
        made = boxes(points=1, dims={**PIXELS, "width": 1}, shift=(0, 0), side=(2, 2), angle=(0, 0))
        assert made.shape == (2, 30, 1, 5)

    def test_refuse_coordinates_that_half_cannot_hold(self, boxes):
        with pytest.raises(
            FillError, match=r"coordinates up to 70000 at spatial_scale 0\.001, which float16"
        ):
            boxes("float16", dims={**PIXELS, "width": 70}, scale=0.001, shift=(0, 0))


class TestMaskIndices:
    @pytest.fixture
    def indices(self, filled):
        def make(tensor, **options):
            params = {"pad_h": 2, "pad_w": 0}
            return filled("masked_im2col_forward", tensor, "mask_indices", COLUMNS, params, **options)

        return make

    @pytest.mark.parametrize(("tensor", "last"), [("mask_h_idx", 7), ("mask_w_idx", 7)])
    def test_are_all_output_positions_of_their_axis(self, indices, tensor, last):
        assert set(indices(tensor)) == set(range(last + 1))

    def test_reach_beyond_on_both_sides(self, indices):
        assert set(indices("mask_w_idx", beyond=2)) == set(range(-2, 10))

    def test_are_int32(self, indices):
        assert indices("mask_h_idx").dtype == np.int32


class TestVoxelPoints:
    @pytest.fixture
    def rows(self, filled):
        def make(**options):
            name = "roiaware_pool3d_backward"
            return filled(name, "pts_idx_of_voxels", "voxel_points", VOXELS, {}, **options).reshape(-1, 8)

        return make

    def test_count_from_none_to_all_slots(self, rows):
        assert set(rows()[:, 0]) == set(range(8))

    def test_name_existing_points(self, rows):
        points = rows()[:, 1:]
        assert (points.min(), points.max()) == (0, 29)

    def test_leave_points_behind_the_count(self, rows):
        data = rows(filled=(0, 0))
        assert (data[:, 0] == 0).all()
        assert len(set(data[:, 1:].ravel())) == 30

    def test_are_empty_as_often_as_asked_for(self, rows):
        share = (rows(filled=(1, 1), empty=0.5)[:, 0] == 0).mean()
        assert share == pytest.approx(0.5, abs=0.05)


class TestArgmax:
    @pytest.mark.parametrize("none", [0, 0.25, 1])
    def test_names_no_point_as_often_as_asked_for(self, filled, none):
        points = filled("roiaware_pool3d_backward", "argmax", "argmax", VOXELS, {}, none=none)
        assert (points == -1).mean() == pytest.approx(none, abs=0.03)
        assert points.max() == (29 if none < 1 else -1)


class TestRotatedBoxes:
    @pytest.fixture
    def boxes(self, filled):
        def make(count=300, box_dim=5, **options):
            dims = {"N": count, "box_dim": box_dim}
            return filled("nms_rotated", "boxes", "rotated_boxes", dims, {}, **options).astype(float)

        return make

    def test_carry_labels_in_the_sixth_column(self, boxes):
        assert set(boxes(box_dim=6, labels=3)[:, 5]) == {0, 1, 2}

    def test_are_positive_in_size(self, boxes):
        assert boxes(spread=0.5)[:, 2:4].min() > 0

    def test_come_in_clusters(self, boxes):
        centres = boxes(cluster=10, place="grid", center=(0, 3000), spread=0.1)[:, :2]
        distances = np.hypot(*(centres[:, None] - centres).transpose(2, 0, 1))
        assert ((distances < 20).sum(axis=1) == 10).all()

    def test_of_a_cluster_are_no_copies(self, boxes):
        data = boxes(count=12, cluster=12, size=(10, 20))
        assert np.abs(data[:, None] - data)[~np.eye(12, dtype=bool)].max(axis=-1).min() > 0.01

    def test_stay_in_the_cells_of_a_grid(self, boxes):
        with pytest.raises(FillError, match="has cells 10 wide, and boxes up to 90"):
            boxes(count=100, cluster=1, place="grid", center=(0, 100))
