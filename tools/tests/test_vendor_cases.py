"""The vendor's own case files, in the folder that $MLUOPS_GTEST_CASES names."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.language.load import load
from mluops_conformance.language.model import KNOWN_DEVICES, Case, Origin
from mluops_conformance.operators import the_operator
from mluops_tools.gtest.export_folder import export_into
from mluops_tools.gtest.import_folder import import_into
from mluops_tools.gtest.textformat import parse

FOLDER = os.environ.get("MLUOPS_GTEST_CASES", "")
MLU370 = KNOWN_DEVICES["MLU370"]

pytestmark = pytest.mark.skipif(not FOLDER, reason="MLUOPS_GTEST_CASES names no folder of the vendor's cases")
FILES = sorted(Path(FOLDER).rglob("*.prototxt")) if FOLDER else []


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """The cases, by the vendor's file."""
    folder = tmp_path_factory.mktemp("imported")
    done = import_into(FILES, folder)
    assert [*done.refusals()] == []
    return {path: load([file])[0] for path, file in done.written.items()}


def without_origin(case: Case) -> Case:
    return replace(case, origin=Origin("", 0), source="")


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parent.name}/{path.stem}" for path in FILES])
def test_each_is_imported_exported_and_imported_again_without_change(imported, tmp_path, path):
    case = imported[path]
    again = import_into(export_into([case], tmp_path / "out", MLU370).written.values(), tmp_path / "in")
    (reimported,) = load(again.written.values())
    assert without_origin(reimported) == without_origin(case)
    for spec in case.data.values():
        if spec.name == "file":
            stored = [Path(each.origin.file).parent / spec.options["path"] for each in (case, reimported)]
            assert stored[0].read_bytes() == stored[1].read_bytes()


@pytest.mark.slow
def test_all_run_and_pass(imported, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    code, lines, _ = command(
        "run", "--gtest-cases", FOLDER, "--backend", "emulator", "--out", "run", "-n", "0"
    )
    assert code == 0
    assert lines[-1].startswith(f"{len(FILES)} passed (emulated")


def test_the_boxes_that_the_vendor_keeps_are_those_that_the_reference_keeps(imported):
    (path,) = (path for path in FILES if path.parent.name == "nms_rotated")
    stored = [
        [s.integer() for s in (o.scalars("value_i") or o.scalars("value_l"))]
        for o in parse(path.read_text()).messages("output")
    ]
    case = imported[path]
    operator = the_operator("nms_rotated")
    found = operator.reference(fill_inputs(case, operator, 0), scalars_of(case)).outputs
    assert found["result_num"].tolist() == stored[1]
    assert found["output"][: stored[1][0]].tolist() == stored[0][: stored[1][0]]
