"""Results of references that are kept: read where nothing changed, computed anew where anything did."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.execution import cache as cache_module
from mluops_conformance.execution.cache import ABANDONED_SECONDS, Cache
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import CacheOptions
from mluops_conformance.operators.base import Expectation

GENEROUS = 1 << 30
INPUTS = {"boxes": np.arange(10, dtype=np.float32).reshape(2, 5), "scores": np.ones(2, np.float32)}
SCALARS = {"N": 2, "iou_threshold": 0.5}


class Reference:
    """Gives an expectation with all that one may hold, and counts how often it was asked."""

    def __init__(self):
        self.asked = 0

    def __call__(self, inputs, scalars):
        self.asked += 1
        sums = inputs["boxes"].astype(np.float64).sum(axis=1) * scalars["iou_threshold"]
        return Expectation(
            {"output": sums, "result_num": np.array([2], np.int32)}, {"output": 2}, {"margin": float("inf")}
        )


def evaluate(folder, inputs=INPUTS, scalars=SCALARS, name="nms_rotated double", reference=None):
    """Return the cache's answer, and True if it was computed."""
    reference = reference or Reference()
    found = Cache(folder, GENEROUS).evaluating(inputs, scalars)(name, reference)
    return found, reference.asked == 1


def entries(folder):
    return sorted(path for path in folder.iterdir())


@pytest.fixture
def entry(tmp_path):
    """The only entry of a cache."""
    evaluate(tmp_path)
    (path,) = entries(tmp_path)
    return path


def test_the_same_inputs_are_computed_once(tmp_path):
    first, second = evaluate(tmp_path), evaluate(tmp_path)
    assert (first[1], second[1]) == (True, False)


def test_what_is_read_is_what_was_computed(tmp_path):
    computed, read = evaluate(tmp_path)[0], evaluate(tmp_path)[0]
    assert list(read.outputs) == list(computed.outputs)
    for name, array in computed.outputs.items():
        assert read.outputs[name].dtype == array.dtype
        assert read.outputs[name].tobytes() == array.tobytes()
    assert (read.valid, read.notes) == (computed.valid, computed.notes)


@pytest.mark.parametrize(
    "change",
    [
        {"scalars": {**SCALARS, "iou_threshold": 0.25}},
        {"scalars": {**SCALARS, "N": 3}},
        {"name": "nms_rotated other"},
        {"inputs": {**INPUTS, "scores": np.zeros(2, np.float32)}},
        {"inputs": {**INPUTS, "boxes": INPUTS["boxes"].reshape(5, 2)}},
        {"inputs": {**INPUTS, "scores": INPUTS["scores"].view(np.int32)}},
        {"inputs": {**INPUTS, "boxes": INPUTS["boxes"] * np.float32(-1)}},
    ],
)
def test_anything_else_is_computed_anew(tmp_path, change):
    evaluate(tmp_path)
    assert evaluate(tmp_path, **change)[1]


def test_a_zero_of_the_other_sign_is_another_input(tmp_path):
    evaluate(tmp_path, {**INPUTS, "scores": np.float32([0.0, 1.0])})
    assert evaluate(tmp_path, {**INPUTS, "scores": np.float32([-0.0, 1.0])})[1]


def test_other_code_computes_anew(tmp_path, monkeypatch):
    evaluate(tmp_path)
    monkeypatch.setattr(cache_module, "_sources", lambda: b"edited")
    assert evaluate(tmp_path)[1]


@pytest.mark.parametrize("package", ["mluops_reference", "operators"])
def test_the_code_is_that_of_references_and_operators(package, tmp_path, monkeypatch):
    digest = cache_module._sources.__wrapped__
    monkeypatch.setattr(getattr(cache_module, package), "__path__", [str(tmp_path)])
    found = []
    for text in ("", "a = 1", "a = 2"):
        (tmp_path / "module.py").write_text(text, encoding="utf-8")
        found.append(digest())
    assert len(set(found)) == 3


@pytest.mark.parametrize("keep", [0, 1, 100, -1])
def test_an_entry_that_was_cut_off_is_replaced(tmp_path, entry, keep):
    whole = entry.read_bytes()
    entry.write_bytes(whole[:keep])
    found, computed = evaluate(tmp_path)
    assert computed
    assert found.outputs["output"].tolist() == [5.0, 17.5]
    assert not evaluate(tmp_path)[1]


def test_a_flipped_bit_in_a_number_is_noticed(tmp_path, entry):
    whole = bytearray(entry.read_bytes())
    at = whole.index(np.float64(17.5).tobytes())
    whole[at] ^= 1
    entry.write_bytes(bytes(whole))
    found, computed = evaluate(tmp_path)
    assert computed
    assert found.outputs["output"].tolist() == [5.0, 17.5]


def test_something_else_by_the_name_of_an_entry_is_replaced(tmp_path, entry):
    entry.write_text("no archive at all", encoding="utf-8")
    assert evaluate(tmp_path)[1]
    np.savez(entry, other=np.zeros(3))
    assert evaluate(tmp_path)[1]
    assert not evaluate(tmp_path)[1]


def test_a_full_disk_costs_the_entry_only(tmp_path, monkeypatch):
    def fail(*arguments, **keywords):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", fail)
    found, _ = evaluate(tmp_path)
    assert found.outputs["result_num"].tolist() == [2]
    assert entries(tmp_path) == []


def test_writers_of_one_entry_do_not_disturb_each_other(tmp_path):
    def work(_):
        return evaluate(tmp_path)[0].outputs["output"].tolist()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(64))) == [[5.0, 17.5]] * 64
    assert len(entries(tmp_path)) == 1


def stored(folder, names):
    """The entries of a new cache, one a name, each a minute older than the one behind it."""
    cache = Cache(folder, GENEROUS)
    paths = []
    for name in names:
        cache.evaluating(INPUTS, SCALARS)(name, Reference())
        (path,) = set(entries(folder)) - set(paths)
        os.utime(path, (1e9 + 60 * len(paths), 1e9 + 60 * len(paths)))
        paths.append(path)
    return paths


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    _, older, newest = stored(tmp_path, "abc")
    Cache(tmp_path, 2 * newest.stat().st_size)
    assert set(entries(tmp_path)) == {older, newest}


def test_reading_counts_as_use(tmp_path):
    oldest, _, newest = stored(tmp_path, "abc")
    assert not evaluate(tmp_path, name="a")[1]
    Cache(tmp_path, 2 * newest.stat().st_size)
    assert set(entries(tmp_path)) == {oldest, newest}


def test_writing_keeps_to_the_limit(tmp_path, entry):
    limit = 20 * entry.stat().st_size
    cache = Cache(tmp_path, limit)
    for number in range(100):
        cache.evaluating(INPUTS, SCALARS)(str(number), Reference())
    assert sum(path.stat().st_size for path in entries(tmp_path)) <= limit * 17 / 16


def test_what_a_killed_process_left_unfinished_is_removed(tmp_path):
    left, recent = tmp_path / "a.b.new", tmp_path / "c.d.new"
    for path in (left, recent):
        path.write_bytes(b"half")
    long_ago = os.stat(left).st_mtime - ABANDONED_SECONDS - 60
    os.utime(left, (long_ago, long_ago))
    Cache(tmp_path, GENEROUS)
    assert entries(tmp_path) == [recent]


def test_other_files_in_the_folder_stay(tmp_path):
    (tmp_path / "README").write_bytes(b"x" * 1000)
    Cache(tmp_path, 10)
    assert [path.name for path in entries(tmp_path)] == ["README"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"--cache .*file/below"):
        CacheOptions(str(tmp_path / "file" / "below")).open()


DEFORM = """
dtype: float16
dims: {batches: 1, hi: 9, wi: 8, channels: 12, num_rois: 3, pooled_height: 2, pooled_width: 2}
data: {rois: {fill: rois, side: [2, 6]}, offset: {fill: uniform, range: [-1, 1]}}
"""


def test_a_case_with_a_cache_has_the_record_that_it_has_without(session, case_of, tmp_path):
    case = case_of("deform_roi_pool_forward", DEFORM)
    folder = tmp_path / "cache"
    plain = execute(case, session)
    session.evaluating = Cache(folder, GENEROUS).evaluating
    assert execute(case, session).outputs == execute(case, session).outputs == plain.outputs
    assert len(entries(folder)) == 5  # reference, scale and baseline in double; both in float32


def test_repetitions_need_one_evaluation(session, case_of):
    """The reference is not asked again for each call, nor by an interpretation that shares its inputs."""
    asked = []

    def evaluating(inputs, scalars):
        def evaluate(name, function):
            asked.append(name)
            return function(inputs, scalars)

        return evaluate

    session.evaluating = evaluating
    execute(case_of("deform_roi_pool_forward", DEFORM + "mode: repeat\nrepeat: 4\n"), session)
    assert len(asked) == len(set(asked)) == 5
