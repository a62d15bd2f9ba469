"""Artefacts as files."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.artefacts.file import load
from mluops_conformance.artefacts.replay import unpack
from mluops_conformance.errors import UserError


def test_what_is_saved_is_loaded(artefact, tmp_path):
    artefact.save(tmp_path / "a.npz")
    again = load(tmp_path / "a.npz")
    assert (again.case, again.replay, again.seed, again.record) == (
        artefact.case,
        artefact.replay,
        artefact.seed,
        artefact.record,
    )
    assert again.inputs["boxes"].dtype == np.float16
    np.testing.assert_array_equal(again.inputs["boxes"], artefact.inputs["boxes"])
    np.testing.assert_array_equal(again.outputs["output"], artefact.outputs["output"])
    assert list(again.expected["output"]) == ["half coordinates", "double"]


def test_numpy_alone_reads_it(artefact, tmp_path):
    artefact.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as entries:
        assert set(entries.files) >= {"case", "inputs/boxes", "outputs/output", "expected/output/double"}


def test_its_size_is_known_before_it_is_written(artefact, tmp_path):
    artefact.save(tmp_path / "a.npz")
    assert artefact.nbytes <= (tmp_path / "a.npz").stat().st_size < artefact.nbytes + 5000


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(artefact, tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(UserError, match="taken"):
        artefact.save(tmp_path / "taken")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


class TestOtherFiles:
    @pytest.mark.parametrize("content", [b"", b"operator: nms_rotated\n", b"PK\x03\x04 and more"])
    def test_what_is_no_npz_is_named(self, tmp_path, content):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(UserError, match="x is not an artefact of a case"):
            load(tmp_path / "x")

    def test_an_npz_of_something_else_is_named(self, tmp_path):
        np.savez(tmp_path / "x.npz", a=np.zeros(3))
        with pytest.raises(UserError, match="is not an artefact of a case"):
            load(tmp_path / "x.npz")

    def test_nothing_is_unpickled(self, tmp_path):
        np.savez(tmp_path / "x.npz", case=np.array([print], object))
        with pytest.raises(UserError, match="is not an artefact of a case"):
            load(tmp_path / "x.npz")

    def test_a_missing_file_is_named(self, tmp_path):
        with pytest.raises(UserError, match="missing"):
            load(tmp_path / "missing.npz")

    def test_a_file_that_was_cut_short_is_named(self, artefact, tmp_path):
        artefact.save(tmp_path / "a.npz")
        content = (tmp_path / "a.npz").read_bytes()
        (tmp_path / "a.npz").write_bytes(content[: len(content) // 2])
        with pytest.raises(UserError, match="is truncated"):
            load(tmp_path / "a.npz")


class TestUnpack:
    def test_it_writes_the_case_file_and_its_inputs(self, artefact, tmp_path):
        path = unpack(artefact, tmp_path / "new" / "folder")
        assert path.read_text(encoding="utf-8") == artefact.replay
        np.testing.assert_array_equal(np.load(path.with_name("boxes.npy")), artefact.inputs["boxes"])

    @pytest.mark.parametrize("name", ["../escape", "/etc/escape", "a b", ""])
    def test_a_name_that_leads_elsewhere_is_refused(self, artefact, tmp_path, name):
        artefact.inputs[name] = np.zeros(1)
        with pytest.raises(UserError, match="not one of this program"):
            unpack(artefact, tmp_path / "folder")
