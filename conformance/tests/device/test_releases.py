"""Older releases of mlu-ops and CNRT: what they lack is left out and said, all else runs."""

from __future__ import annotations

from functools import lru_cache

import pytest

pytestmark = pytest.mark.slow

CASES = {
    "im2col": """\
operator: masked_im2col_forward
cases:
  - id: copy
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
""",
    "nms": """\
operator: nms_rotated
cases:
  - id: boxes
    dims: {N: 20}
  - id: newer
    dims: {N: 20}
    library: ">=1.6"
""",
    "roiaware": """\
operator: roiaware_pool3d_backward
cases:
  - id: max
    dims: {boxes_num: 1, out_x: 2, out_y: 3, out_z: 4, channels: 5, max_pts_each_voxel: 6, pts_num: 7}
    params: {pool_method: 0}
""",
}
NAMES = (
    "masked_im2col_forward/copy",
    "nms_rotated/boxes",
    "nms_rotated/newer",
    "roiaware_pool3d_backward/max",
)
PASSED, LEFT_OUT = "passed", "unsupported"

# the oldest CNRT that the release takes, and the outcomes of `NAMES`
RELEASES = {
    "1.11.1": ("6.7.0", (PASSED, PASSED, PASSED, PASSED)),
    "1.0.0": ("6.7.0", (PASSED, PASSED, LEFT_OUT, PASSED)),
    "0.8.0": ("6.3.0", (PASSED, PASSED, LEFT_OUT, PASSED)),
    "0.7.1": ("5.0.0", (LEFT_OUT, PASSED, LEFT_OUT, PASSED)),
    "0.5.0": ("5.0.0", (LEFT_OUT, LEFT_OUT, LEFT_OUT, PASSED)),
}


@pytest.fixture(scope="module")
def run_on(standin, tmp_path_factory):
    """The run of the cases on a release, which is made once."""

    @lru_cache(maxsize=None)
    def run(version):
        cnrt, _ = RELEASES[version]
        return standin(version, cnrt).run(tmp_path_factory.mktemp("release"), cases=CASES)

    return run


@pytest.mark.parametrize("version", RELEASES)
def test_a_release_runs_what_it_has_and_leaves_out_the_rest(run_on, version):
    done, (_, outcomes) = run_on(version), RELEASES[version]
    assert tuple(done.records[name]["outcome"] for name in NAMES) == outcomes
    assert done.code == 0


@pytest.mark.parametrize("version", RELEASES)
def test_the_report_ends_with_the_release(run_on, version):
    assert run_on(version).out.splitlines()[-1].endswith(f"(on MLU370-X8, libmluops {version})")


@pytest.mark.parametrize(
    ("version", "case", "reason"),
    [
        ("0.7.1", "masked_im2col_forward/copy", "lacks mluOpMaskedIm2colForward, which came with v0.8.0"),
        ("0.5.0", "nms_rotated/boxes", "lacks mluOpNmsRotated, which came with v0.4.2 (but not in v0.5.0)"),
        ("1.0.0", "nms_rotated/newer", "for libmluops >=1.6; this is 1.0.0"),
    ],
)
def test_what_is_left_out_says_which_release_brought_it(run_on, version, case, reason):
    assert run_on(version).records[case]["reason"].endswith(reason)


def test_a_run_of_nothing_but_what_the_release_lacks_is_not_green(standin, tmp_path):
    done = standin("0.5.0", "5.0.0").run(tmp_path, "operator=nms_rotated", cases=CASES)
    assert done.code == 5


def test_smoke_cases_pass_on_a_release_whose_integers_are_small(standin, tmp_path):
    """Before v0.7.0 dimensions cross the interface as int32."""
    done = standin("0.6.0", "5.0.0").run(tmp_path, "operator=nms_rotated tag=smoke after!=box_iou_rotated")
    assert {record["outcome"] for record in done.records.values()} == {PASSED}
