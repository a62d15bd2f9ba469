"""The doctor's findings on machines with and without a usable device."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def ask(standin, tmp_path):
    """Ask the doctor about a stand-in."""

    def asked(version="1.11.1", cnrt="6.14.1", driver=False, **variables):
        return standin(version, cnrt, driver).command(tmp_path, "doctor", **variables)

    return asked


def lines(done):
    """The lines of the table, as (name, text)."""
    return [tuple(re.split(r"  +", line, maxsplit=1)) for line in done.out.split("\n\n")[0].splitlines()]


def test_a_usable_device_is_a_success_with_the_command_to_go_on(ask, device):
    done = ask()
    assert done.code == 0
    assert done.out.splitlines()[-1] == (
        "Cases run on this device: mluops-conformance run --backend device "
        f"--library {device.mluops} --cnrt {device.cnrt}"
    )


def test_libraries_are_told_with_release_and_place(ask, device):
    found = dict(lines(ask()))
    assert found["mlu-ops"] == f"1.11.1, {device.mluops} (argument)"
    assert found["CNRT"] == f"6.14.1, {device.cnrt}"
    assert found["driver"] == "5.10.22"


def test_every_visible_device_is_described(ask):
    done = ask(STANDIN_DEVICES="MLU370-X8,MLU590")
    described = [text for name, text in lines(done) if name.startswith("device ")]
    assert described == [
        "MLU370-X8: instruction set 372, 8 clusters of 4 cores, 786432 bytes of NRAM a core",
        "MLU590: instruction set 592, 12 clusters of 4 cores, 524288 bytes of NRAM a core",
    ]
    assert "these 2 devices, one worker each" in done.out


def test_what_an_older_release_lacks_is_left_out_with_the_release_that_brought_it(ask):
    left_out = [text for name, text in lines(ask("0.7.1", "5.0.0")) if name == "left out"]
    assert any(
        text.startswith("masked_im2col_forward: ") and text.endswith("which came with v0.8.0")
        for text in left_out
    )
    assert not any(text.startswith("nms_rotated") for text in left_out)


@pytest.mark.parametrize("driver", [False, True])
def test_without_the_driver_cases_that_limit_clusters_are_left_out(ask, driver):
    wanted = ("left out", "cases that limit clusters: no libcndrv is loaded with this library")
    assert (wanted in lines(ask(driver=driver))) is not driver


def test_hidden_devices_are_explained_by_the_variable_that_hides_them(ask):
    done = ask(MLU_VISIBLE_DEVICES="")
    assert done.code == 6
    assert "counts no device. MLU_VISIBLE_DEVICES is ''; cnmon lists the cards of the machine." in done.out
    assert ("variable", "MLU_VISIBLE_DEVICES=''") in lines(done)


def test_a_cnrt_that_is_too_old_is_explained_with_the_remedy(ask):
    done = ask(cnrt="6.0.2")
    assert done.code == 6
    assert "mlu-ops 1.11.1 refuses a CNRT older than 6.7.0" in done.out
    assert (
        "Install a newer CNToolkit; MLUOP_CHECK_DEP_VERSION=0 in the environment turns that check off"
        in done.out
    )


def test_a_release_of_mluops_that_is_too_old_is_named(ask):
    done = ask("0.4.2", "5.0.0")
    assert done.code == 6
    assert "is mlu-ops 0.4.2, which numbers data types unlike v0.5.0 and later; use one of these." in done.out


def test_libraries_in_each_others_place_are_noticed(device, tmp_path):
    exchanged = type(device)(mluops=device.cnrt, cnrt=device.cnrt)
    done = exchanged.command(tmp_path, "doctor")
    assert done.code == 6
    assert "has no mluOpCreate: it is not a library of mlu-ops" in done.out


def test_a_file_that_is_not_there_is_named(device, tmp_path):
    done = type(device)(mluops=tmp_path / "libmluops.so", cnrt=device.cnrt).command(tmp_path, "doctor")
    assert done.code == 6
    assert f"argument: {tmp_path / 'libmluops.so'}: no such file or folder" in done.out


def test_without_a_device_the_way_to_emulated_cases_is_told(ask):
    assert ask(STANDIN_DEVICES="").out.splitlines()[-1] == (
        "Emulated, cases run anywhere: mluops-conformance run --backend emulator"
    )
