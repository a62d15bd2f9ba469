"""Cases that can never be judged: outputs are to be compared of a call that computes none."""

from __future__ import annotations

from typing import Any, Callable

import pytest
from mluops_conformance.language.load import read

WANTS = "a call that computes nothing needs expect: {status: ...} if it is refused, else {outputs: untouched}"

SIZES = {
    "deform_roi_pool_forward": "batches: 1, hi: 4, wi: 4, channels: 1, num_rois: 1, pooled_height: 1, "
    "pooled_width: 1",
    "masked_im2col_forward": "channels: 1, height: 4, width: 4, mask_cnt: 2, kernel_w: 1",
    "nms_rotated": "N: 2",
    "roiaware_pool3d_backward": "boxes_num: 1, out_x: 1, out_y: 1, out_z: 1, channels: 1, "
    "max_pts_each_voxel: 2",
    "rotated_feature_align_backward": "batch: 1, height: 4, width: 4, channels: 1",
}
"""The dimensions and scalars of each operator, without the scalar that a test gives."""

Lint = Callable[..., "list[str]"]


@pytest.fixture
def lint(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Lint:
    """The problems of one case of an operator, its dims in line 4, its params in line 5."""
    monkeypatch.chdir(tmp_path)

    def problems(operator: str, dims: str = "", params: str = "", expect: str = "{}") -> list[str]:
        sizes = ", ".join(filter(None, [dims, SIZES[operator]]))
        lines = [f"operator: {operator}", "cases:", "  - id: a", f"    dims: {{{sizes}}}"]
        lines += [f"    params: {{{params}}}", f"    expect: {expect}", ""]
        file = tmp_path / "a.yaml"
        file.write_text("\n".join(lines), encoding="utf-8")
        return [str(problem) for problem in read([file])[1]]

    return problems


@pytest.mark.parametrize(
    ("operator", "given", "problem"),
    [
        ("nms_rotated", {"dims": "box_dim: 7"}, "4:21: dims.box_dim: 7 is not accepted (5 or 6)"),
        (
            "masked_im2col_forward",
            {"dims": "kernel_h: 0"},
            "4:22: dims.kernel_h: 0 is not accepted (1 or more)",
        ),
        (
            "roiaware_pool3d_backward",
            {"dims": "pts_num: 0"},
            "4:21: dims.pts_num: 0 is not accepted (1 or more)",
        ),
        (
            "roiaware_pool3d_backward",
            {"dims": "pts_num: 1", "params": "pool_method: 5"},
            "5:27: params.pool_method: 5 is not accepted (0 or 1)",
        ),
        (
            "rotated_feature_align_backward",
            {"params": "points: 3"},
            "5:22: params.points: 3 is not accepted (1 or 5)",
        ),
        (
            "deform_roi_pool_forward",
            {"params": "pooled_width: 0"},
            "5:28: params.pooled_width: 0 is not accepted (1 or more)",
        ),
    ],
)
class TestOutputsOfACallThatComputesNone:
    def test_cannot_be_compared(self, lint: Lint, operator: str, given: dict[str, str], problem: str) -> None:
        assert lint(operator, **given) == [f"a.yaml:{problem}; {WANTS}"]

    @pytest.mark.parametrize("expect", ["{status: BAD_PARAM}", "{outputs: untouched}"])
    def test_need_not_be_compared(
        self, lint: Lint, operator: str, given: dict[str, str], problem: str, expect: str
    ) -> None:
        assert lint(operator, **given, expect=expect) == []


def test_a_size_beyond_what_the_library_takes_is_not_compared(lint: Lint) -> None:
    (problem,) = lint("roiaware_pool3d_backward", params="channels: 65536", dims="pts_num: 1")
    assert "params.channels: 65536 is not accepted (1 to 65535)" in problem


@pytest.mark.parametrize("points", [1, 5])
def test_what_is_accepted_is_compared(lint: Lint, points: int) -> None:
    assert lint("rotated_feature_align_backward", params=f"points: {points}") == []


def test_a_status_with_a_typo_says_nothing_about_sizes(lint: Lint) -> None:
    (problem,) = lint("nms_rotated", dims="box_dim: 7", expect="{status: BADPARAM}")
    assert problem == "a.yaml:6:22: unknown status 'BADPARAM' (did you mean 'BAD_PARAM'?)"
