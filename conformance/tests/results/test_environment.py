"""The description of what a run ran on."""

from __future__ import annotations

import json
import os
import platform

import mluops
import numpy as np
import pytest
from mluops_conformance.results import environment


@pytest.fixture(scope="module")
def described():
    variables = {
        "CAMBRICON_TF32_OVERRIDE": "0",
        "MLUOP_MIN_LOG_LEVEL": "3",
        "MLU_VISIBLE_DEVICES": "1",
        "HOME": "/root",
    }
    return environment.describe(mluops.load("emulator", device="MLU590"), variables)


def test_the_library_and_how_it_was_found(described):
    assert described["library"]["backend"] == "emulator"
    assert described["library"]["found_via"]
    assert described["library"]["version"].count(".") == 2


def test_the_device_is_described(described):
    device = described["device"]
    assert "MLU590" in device["name"]
    assert (device["isa_version"], device["cores_per_cluster"]) == (592, 4)


def test_the_version_of_the_driver_is_described(described):
    assert described["driver"]["version"] == "6.14.1"


def test_the_host_is_described(described):
    assert sorted(described["host"]) == ["cpus", "machine", "name", "system"]
    assert described["host"]["cpus"] == os.cpu_count()


def test_python_and_numpy_are_named(described):
    assert (described["python"], described["numpy"]) == (platform.python_version(), np.__version__)


def test_only_variables_that_change_a_run_are_kept(described):
    assert described["variables"] == {
        "CAMBRICON_TF32_OVERRIDE": "0",
        "MLUOP_MIN_LOG_LEVEL": "3",
        "MLU_VISIBLE_DEVICES": "1",
    }


def test_a_library_file_has_a_digest(tmp_path):
    file = tmp_path / "libmluops.so"
    file.write_bytes(b"abc")
    digest = environment._digest(str(file))
    assert digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_what_is_stored_can_be_read(described, tmp_path):
    environment.write(tmp_path / "environment.json", described)
    assert json.loads((tmp_path / "environment.json").read_text()) == described
