"""The operators as plain C++ loops at -O2, beside which the references are timed."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Mapping, NamedTuple

import numpy as np
from mluops_conformance.errors import UserError
from mluops_conformance.operators import the_operator

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.inputs import bench_cases, inputs_of
from mluops_tools.bench.probes import Call, repeated

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Arrays

SOURCE = Path(__file__).with_name("loops.cpp")
FLAGS = ("-O2", "-std=c++17", "-shared", "-fPIC")
GROUP = "loop"


class Loop(NamedTuple):
    """The numbers that a loop takes beside its tensors, by their names in a case.

    Attributes
    ----------
    cleared : tuple of int
        The outputs, by position, that must be zero before: the loop adds to them or leaves some elements out.
    """

    sizes: tuple[str, ...]
    scalars: tuple[str, ...] = ()
    cleared: tuple[int, ...] = ()


_POOLING = Loop(
    ("num_rois", "batches", "hi", "wi", "channels", "pooled_height", "pooled_width", "sampling_ratio"),
    ("spatial_scale", "gamma"),
    cleared=(0,),
)
_ALIGNMENT = Loop(("batch", "height", "width", "channels", "points"), ("spatial_scale",))
LOOPS: Mapping[str, Loop] = {
    "deform_roi_pool_forward": _POOLING,
    "deform_roi_pool_backward": _POOLING._replace(cleared=(0, 1)),
    "rotated_feature_align_forward": _ALIGNMENT,
    "rotated_feature_align_backward": _ALIGNMENT,
    "masked_im2col_forward": Loop(
        ("channels", "height", "width", "mask_cnt", "kernel_h", "kernel_w", "pad_h", "pad_w")
    ),
    "masked_col2im_forward": Loop(("channels", "height", "width", "mask_cnt"), cleared=(0,)),
    "roiaware_pool3d_forward": Loop(
        ("boxes_num", "pts_num", "channels", "max_pts_each_voxel", "out_x", "out_y", "out_z", "pool_method"),
        cleared=(1,),
    ),
    "roiaware_pool3d_backward": Loop(
        ("boxes_num", "out_x", "out_y", "out_z", "channels", "max_pts_each_voxel", "pool_method"),
        cleared=(0,),
    ),
    "box_iou_rotated": Loop(("n", "m", "aligned", "mode")),
    "nms_rotated": Loop(("N", "box_dim"), ("iou_threshold",), cleared=(0,)),
}

# Cases of float32 whose reference takes more than a millisecond.
CASES = (
    "deform_roi_pool_forward/998-rois:dtype=float32",
    "deform_roi_pool_backward/998-rois",
    "rotated_feature_align_forward/5-points",
    "rotated_feature_align_backward/5-points:dtype=float32",
    "rotated_feature_align_backward/1-point:dtype=float32",
    "masked_im2col_forward/k3-large",
    "masked_col2im_forward/many-channels",
    "roiaware_pool3d_forward/max",
    "roiaware_pool3d_forward/avg",
    "roiaware_pool3d_backward/max",
    "roiaware_pool3d_backward/avg",
    "nms_rotated/crowded:N=3000",
    "box_iou_rotated/pairwise",
    "box_iou_rotated/aligned",
)


def evaluate(case: Case, inputs: Arrays, outputs: Arrays) -> None:
    """Run the loop of a case's operator.

    Parameters
    ----------
    case : Case
        In float32.
    inputs : mapping of str to ndarray
    outputs : mapping of str to ndarray
        Written; with the shapes and dtypes of what the reference returns.

    Raises
    ------
    UserError
        There is no compiler.
    """
    operator, loop = the_operator(case.operator), LOOPS[case.operator]
    numbers = {**case.dims, **case.params}
    results = [outputs.get(tensor.name) for tensor in operator.outputs]
    for output in (results[position] for position in loop.cleared):
        if output is not None:
            output.fill(0)
    getattr(library(), case.operator)(
        _pointers([inputs.get(tensor.name) for tensor in operator.inputs]),
        _pointers(results),
        (ctypes.c_int64 * len(loop.sizes))(*(int(numbers[name]) for name in loop.sizes)),
        (ctypes.c_double * len(loop.scalars))(*(float(np.float32(numbers[name])) for name in loop.scalars)),
    )


def _pointers(arrays: list[np.ndarray | None]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(
        *(None if array is None else array.ctypes.data for array in arrays)
    )


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """Return the compiled loops; they are compiled once for a source.

    Raises
    ------
    UserError
        There is no compiler, or it fails.
    """
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if not compiler:
        raise UserError("the loops need a C++ compiler: install g++ (Debian, Ubuntu) or gcc-c++ (Fedora)")
    digest = hashlib.sha256(SOURCE.read_bytes() + " ".join((compiler, *FLAGS)).encode()).hexdigest()[:16]
    path = Path(tempfile.gettempdir(), f"mluops-loops-{os.getuid()}", f"{digest}.so")
    if not path.is_file():
        path.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder, path.name)
            done = subprocess.run(
                [compiler, *FLAGS, str(SOURCE), "-o", str(made)], capture_output=True, text=True
            )
            if done.returncode:
                raise UserError(f"{compiler} does not compile {SOURCE}:\n{done.stderr.strip()}")
            made.replace(path)
    return ctypes.CDLL(str(path))


def loop_call(case_id: str) -> Call:
    """Return the loop on the inputs of a case."""
    case = bench_cases()[case_id]
    operator, inputs, scalars = inputs_of(case_id)
    expected = operator.reference(inputs, scalars).outputs
    outputs = {name: np.empty_like(array) for name, array in expected.items()}
    return partial(evaluate, case, inputs, outputs)


BENCHMARKS = tuple(
    Benchmark(f"{GROUP}/{case_id}", repeated(partial(loop_call, case_id)), named_only=True)
    for case_id in CASES
)
