"""Cases of several calls: what a step takes from its case, and what may be linked."""

from __future__ import annotations

import textwrap
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Callable

import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import load, read
from mluops_conformance.language.model import KNOWN_DEVICES, Case, FillSpec, Link, Step, misfit, sized
from mluops_conformance.language.query import parse_queries
from mluops_conformance.operators import the_operator

DIMS = "boxes_num: 2, pts_num: 40, max_pts_each_voxel: 4, out_x: 2, out_y: 3, out_z: 1"
LINKED = f"""
  - id: it
    dims: {{{DIMS}, channels: 5}}
    params: {{pool_method: 1}}
    dtype: float16
    after:
      pool:
        operator: roiaware_pool3d_forward
        data: {{pts: {{fill: uniform, range: [0, 2]}}}}
    data: {{argmax: {{from: pool.argmax}}}}
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    monkeypatch.chdir(tmp_path)

    def write(entries: str, defaults: str = "") -> Path:
        path = tmp_path / "case.yaml"
        head = "operator: roiaware_pool3d_backward\n"
        path.write_text(
            head + textwrap.dedent(defaults) + "cases:\n" + entries.lstrip("\n"), encoding="utf-8"
        )
        return path

    return write


@pytest.fixture
def the_case(written: Callable[..., Path]) -> Callable[..., Case]:
    def build(entries: str, defaults: str = "") -> Case:
        (case,) = load([written(entries, defaults)])
        return case

    return build


@pytest.fixture
def problem(written: Callable[..., Path]) -> Callable[..., str]:
    """The only problem of one entry, whose dims are given by the defaults."""

    def build(fields: str) -> str:
        entry = textwrap.indent("id: it\n" + textwrap.dedent(fields).strip(), "    ").replace(
            "    ", "  - ", 1
        )
        _, problems = read([written(entry + "\n", f"defaults: {{dims: {{{DIMS}, channels: 5}}}}\n")])
        (only,) = map(str, problems)
        return only

    return build


def test_a_step_takes_sizes_scalars_and_dtype_from_its_case(the_case):
    (step,) = the_case(LINKED).after
    assert (step.name, step.case.operator) == ("pool", "roiaware_pool3d_forward")
    assert step.case.dims["channels"] == 5
    assert step.case.params == {"pool_method": 1}
    assert step.case.dtype == "float16"


def test_a_step_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Step("pool", None).name = "other"


def test_a_step_may_give_them_itself(the_case):
    own = LINKED.replace(
        "        data: {pts",
        "        dims: {max_pts_each_voxel: 9}\n        params: {pool_method: 0}\n        data: {pts",
    )
    (step,) = the_case(own).after
    assert (step.case.dims["max_pts_each_voxel"], step.case.params["pool_method"]) == (9, 0)


def test_the_data_of_a_step_have_the_fills_of_its_operator(the_case):
    data = the_case(LINKED).after[0].case.data
    assert data == {
        "rois": FillSpec("boxes"),
        "pts": FillSpec("uniform", {"range": (0, 2)}),
        "pts_feature": FillSpec("uniform", {"range": (-1, 1)}),
    }


def test_a_linked_input_has_no_fill(the_case):
    case = the_case(LINKED)
    assert case.links == {"argmax": Link("pool", "argmax")}
    assert "argmax" not in case.data


def test_an_id_of_its_own_decides_the_data_of_a_step(the_case):
    assert the_case(LINKED).after[0].case.id == "roiaware_pool3d_backward/it#pool"


def test_steps_of_the_defaults_come_before_each_case_that_computes_something(written):
    defaults = f"""\
    defaults:
      dims: {{{DIMS}, channels: 5}}
      after: {{pool: {{operator: roiaware_pool3d_forward}}}}
    """
    text = "  - id: computes\n  - id: refused\n    params: {channels: 0}\n    expect: {status: BAD_PARAM}\n"
    computes, refused = load([written(text, defaults)])
    assert ([step.name for step in computes.after], refused.after) == (["pool"], ())


def test_a_matrix_reaches_into_a_step(written):
    text = LINKED + "    matrix: {out_x: [7, 8], after.pool.data.rois.seed: [1, 2]}\n"
    text = text.replace("out_x: 2, ", "").replace("data: {pts:", "data: {rois: {fill: boxes}, pts:")
    cases = load([written(text)])
    assert [case.after[0].case.dims["out_x"] for case in cases] == [7, 7, 8, 8]
    assert [case.after[0].case.data["rois"].options["seed"] for case in cases] == [1, 2, 1, 2]


def test_a_size_that_follows_from_the_device_is_the_same_in_a_step(the_case):
    case = the_case(LINKED.replace("channels: 5", "channels: 2 * cores + 1"))
    channels = [
        sized(case, the_operator(case.operator), KNOWN_DEVICES[name]).after[0].case.dims["channels"]
        for name in ("MLU370", "MLU590")
    ]
    assert channels == [65, 97]


def test_a_step_can_follow_from_the_device_alone(the_case):
    text = LINKED.replace(
        "        data: {pts", "        dims: {max_pts_each_voxel: slots}\n        data: {pts"
    )
    case = the_case(text)
    on_device = sized(case, the_operator(case.operator), KNOWN_DEVICES["MLU370"])
    assert on_device.after[0].case.dims["max_pts_each_voxel"] == 2944
    assert misfit(case, the_operator(case.operator), KNOWN_DEVICES["MLU370"]) == ""


@pytest.mark.parametrize("channels", ["5", "cores + 1"])
def test_a_case_with_steps_is_written_as_it_was_read(the_case, channels):
    case = the_case(LINKED.replace("channels: 5", f"channels: {channels}"))
    again = the_case(to_yaml(case).partition("cases:\n")[2])
    assert again == replace(case, origin=again.origin)


def test_a_query_selects_by_the_operators_called_before(the_case):
    cases = [the_case(LINKED)]
    assert parse_queries(["after=roiaware_pool3d_forward"]).select(cases) == cases
    with pytest.raises(UserError, match="no case has the after 'nms_rotated'"):
        parse_queries(["after=nms_rotated"]).select(cases)


FORWARD = "after: {pool: {operator: roiaware_pool3d_forward}}"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            f"{FORWARD}\ndata: {{argmax: {{from: pol.argmax}}}}",
            "case.yaml:6:27: unknown step in data.argmax.from: 'pol' (did you mean 'pool'?)",
        ),
        (
            f"{FORWARD}\ndata: {{argmax: {{from: pool.argmin}}}}",
            "case.yaml:6:27: unknown tensor of roiaware_pool3d_forward in data.argmax.from: 'argmin' "
            "(did you mean 'argmax'?)",
        ),
        (
            "data: {argmax: {from: pool.argmax}}",
            "case.yaml:5:27: data.argmax.from: unknown step 'pool'; no call stands before under after",
        ),
        (
            "after: {a: {operator: roiaware_pool3d_backward, data: {argmax: {from: a.argmax}}}}",
            "case.yaml:5:75: data.argmax.from: a is not called before a; steps are called in their order",
        ),
        (
            "after:\n  a: {operator: roiaware_pool3d_backward, data: {argmax: {from: b.argmax}}}\n"
            "  b: {operator: roiaware_pool3d_forward}",
            "case.yaml:6:69: data.argmax.from: b is not called before a; steps are called in their order",
        ),
        (
            f"{FORWARD}\ndata: {{argmax: {{from: pool.pooled_features}}}}",
            "case.yaml:6:27: data.argmax.from: argmax is int32, and pool.pooled_features is float32; "
            "link a tensor of its dtype, or give a fill",
        ),
        (
            "after: {pool: {operator: roiaware_pool3d_forward, dims: {channels: 6}}}\n"
            "data: {argmax: {from: pool.argmax}}",
            "case.yaml:6:27: data.argmax.from: argmax is 2x2x3x1x5 (boxes_num, out_x, out_y, out_z, "
            "channels), and pool.argmax is 2x2x3x1x6 (boxes_num, out_x, out_y, out_z, channels); make "
            "their dims agree",
        ),
        (
            "dims: {channels: cores}\n"
            "after: {pool: {operator: roiaware_pool3d_forward, dims: {channels: 32}}}\n"
            "data: {argmax: {from: pool.argmax}}",
            "case.yaml:7:27: data.argmax.from: argmax is 2x2x3x1x48 (boxes_num, out_x, out_y, out_z, "
            "channels), and pool.argmax is 2x2x3x1x32 (boxes_num, out_x, out_y, out_z, channels); make their "
            "dims agree (on MLU590)",
        ),
        (
            "after: {p: {operator: deform_roi_pool_forward, data: {offset: null}, dims: {batches: 1, hi: 2, "
            "wi: 2, num_rois: 1, pooled_height: 1, pooled_width: 1}}}\ndata: {grad_out: {from: p.offset}}",
            "case.yaml:6:29: data.grad_out.from: p.offset is absent; give it data, or give this input a fill",
        ),
        (
            f"{FORWARD}\ndata: {{argmax: {{from: pool}}}}",
            "case.yaml:6:27: data.argmax.from needs STEP.TENSOR, a step of after and one of its tensors, "
            "got 'pool'",
        ),
        (
            f"{FORWARD}\ndata: {{argmax: {{from: pool.}}}}",
            "case.yaml:6:27: data.argmax.from needs STEP.TENSOR, a step of after and one of its tensors, "
            "got 'pool.'",
        ),
        (
            f"{FORWARD}\ndata: {{argmax: {{from: .argmax}}}}",
            "case.yaml:6:27: data.argmax.from needs STEP.TENSOR, a step of after and one of its tensors, "
            "got '.argmax'",
        ),
        (
            f"{FORWARD}\ndata: {{argmax: {{from: pool.argmax, fill: zeros}}}}",
            "case.yaml:6:40: data.argmax is a tensor of another call: nothing else stands beside 'from'",
        ),
        (
            "after: {pool: {operator: roiaware_pool3d_forwards}}",
            "case.yaml:5:30: unknown operator 'roiaware_pool3d_forwards' (did you mean "
            "'roiaware_pool3d_forward'?)",
        ),
        (
            "after: {pool: {dims: {}}}",
            "case.yaml:5:19: after.pool.operator is missing: the operator of the call",
        ),
        (
            "after: {pool: {operator: roiaware_pool3d_forward, dim: {}}}",
            "case.yaml:5:55: unknown field of after 'dim' (did you mean 'dims'?)",
        ),
        (
            "after: {a.b: {operator: roiaware_pool3d_forward}}",
            "case.yaml:5:13: after: 'a.b' is no name of a step: letters, digits and _",
        ),
        (
            "after: {box: {operator: box_iou_rotated, dims: {n: 3}}}",
            "case.yaml:5:52: dims.m is missing: second boxes; as many as the first where they are aligned",
        ),
        (
            f"{FORWARD}\nparams: {{channels: 0}}\nexpect: {{status: BAD_PARAM}}",
            "case.yaml:5:5: after is of no use: nothing is computed in this case",
        ),
        (f"mode: perf\n{FORWARD}", "case.yaml:5:5: mode perf takes one call, without after"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_remedy(problem, fields, expected):
    assert problem(fields) == expected


def test_a_size_that_a_step_cannot_have_is_told_at_the_step(problem):
    complaint = problem("dims: {max_pts_each_voxel: 3000}\n" + FORWARD)
    assert complaint.startswith("case.yaml:6:19: dims.max_pts_each_voxel: 3000 is not accepted (1 to 2976)")
