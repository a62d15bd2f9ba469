"""Several devices, few devices, and limits on what a device has."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

pytestmark = pytest.mark.slow

CASES = """\
operator: masked_im2col_forward
defaults:
  dims: {channels: 1, height: 5, width: 4, kernel_h: 1, kernel_w: 1}
cases:
  - id: copy
    matrix: {mask_cnt: [%s]}
"""
TIMED = """\
operator: nms_rotated
cases:
  - id: many-boxes
    requires: [device]
    timeout: 1
    dims: {N: 30}
"""
SIZES = CASES % "10, %d"
MANY = {"copy": CASES % ", ".join(map(str, range(1, 41)))}
LIMITED = "operator=masked_im2col_forward tag=jobs"
TWO_CARDS = "MLU370-X8,MLU590"


def devices(run):
    return Counter(record["device"] for record in run.records.values())


@pytest.fixture(scope="module")
def both(standin, tmp_path_factory):
    """A run on two cards, in which the first case of each worker crashes."""
    return standin().run(
        tmp_path_factory.mktemp("both"),
        cases=MANY,
        STANDIN_DEVICES=TWO_CARDS,
        STANDIN_KERNEL_MS="40",
        STANDIN_FAULTS="segfault@40 segfault@20",
    )


def test_each_of_two_devices_has_a_worker(both):
    assert set(devices(both)) == {"MLU370-X8", "MLU590"}


def test_records_tell_cards_apart(both):
    cards = {(record["device"], record["card"]) for record in both.records.values()}
    assert cards == {("MLU370-X8", 0), ("MLU590", 1)}


def test_the_report_names_both_devices_and_each_bad_case_its_own(both):
    assert "(on MLU370-X8 and MLU590, libmluops 1.11.1)" in both.out
    shown = both.records["masked_im2col_forward/copy:mask_cnt=20"]
    assert f"  device  {shown['device']} ({shown['card']})\n" in both.out


def test_both_devices_get_their_share(both):
    assert min(devices(both).values()) > 5


def test_a_crash_names_the_device_that_it_happened_on(both):
    """The process that tells of the crash is not the one that had the device."""
    crashed = [record for record in both.records.values() if record["outcome"] == "crashed"]
    assert {record["device"] for record in crashed} == {"MLU370-X8", "MLU590"}
    assert all(f"crashing on device {record['device']}" in record["log"] for record in crashed)


def test_only_visible_devices_are_used(device, tmp_path):
    done = device.run(tmp_path, cases=MANY, STANDIN_DEVICES=TWO_CARDS, MLU_VISIBLE_DEVICES="1")
    assert devices(done) == {"MLU590": 40}


@pytest.mark.parametrize("variables", [{"MLU_VISIBLE_DEVICES": ""}, {"STANDIN_DEVICES": ""}])
def test_without_a_device_nothing_is_run_and_nothing_emulated(device, tmp_path, variables):
    done = device.run(tmp_path, cases=MANY, **variables)
    assert done.code == 6
    assert "counts no device. MLU_VISIBLE_DEVICES is" in done.err
    assert not done.folder.exists()


def test_a_library_that_makes_no_handle_is_refused_once_and_not_in_every_case(standin, tmp_path):
    done = standin(cnrt="6.0.2").run(tmp_path, cases=MANY)
    assert done.code == 6
    assert "mlu-ops 1.11.1 refuses a CNRT older than 6.7.0" in done.err
    assert "this CNRT is 6.0.2" in done.err


def test_the_check_of_versions_can_be_turned_off(standin, tmp_path):
    done = standin(cnrt="6.0.2").run(tmp_path, cases=MANY, MLUOP_CHECK_DEP_VERSION="0")
    assert done.code == 0


@pytest.mark.parametrize(("card", "other"), [("MLU370-X8", "MLU590"), ("MLU590", "MLU370")])
def test_time_limits_are_checked_by_one_core_of_the_series_that_they_are_for(standin, tmp_path, card, other):
    done = standin(driver=True).run(tmp_path, "nms_rotated tag=limits", STANDIN_DEVICES=card)
    outcomes = Counter((record["outcome"], record["reason"]) for record in done.records.values())
    assert outcomes == {("passed", ""): 2, ("unsupported", f"for {other}; this is {card}"): 2}


def test_a_card_of_another_name_is_of_the_series_that_its_instruction_set_says(standin, tmp_path):
    """mlu-ops takes an MLU365 for an MLU370, and so do cases."""
    done = standin(driver=True).run(tmp_path, "nms_rotated/one-core-370*", STANDIN_DEVICES="MLU365-D2")
    assert {record["outcome"] for record in done.records.values()} == {"passed"}


def test_a_time_limit_that_is_exceeded_is_a_timeout(device, tmp_path):
    done = device.run(tmp_path, cases={"nms": TIMED}, STANDIN_KERNEL_MS="60000")
    (record,) = done.records.values()
    assert (record["outcome"], record["reason"]) == ("timeout", "no end after 1 s; its process was ended")


def test_clusters_are_limited_where_the_driver_is_loaded(standin, tmp_path):
    done = standin(driver=True).run(tmp_path, LIMITED)
    reasons = Counter((record["outcome"], record["reason"]) for record in done.records.values())
    assert done.code == 0
    assert set(reasons) == {("passed", ""), ("unsupported", "for 16 clusters; this device has 8")}


def test_a_case_that_finds_no_memory_is_an_error_that_says_so_and_costs_no_other(device, tmp_path):
    done = device.run(tmp_path, cases={"sizes": SIZES % 1000000}, STANDIN_MEMORY_MIB="4")
    fits, exceeds = (done.records[f"masked_im2col_forward/copy:mask_cnt={count}"] for count in (10, 1000000))
    assert (fits["outcome"], exceeds["outcome"]) == ("passed", "error")
    assert "the device has no memory left for this" in exceeds["reason"]


def test_a_case_that_plainly_does_not_fit_is_skipped_with_what_it_needs(device, tmp_path):
    done = device.run(tmp_path, cases={"sizes": SIZES % 12000000}, STANDIN_MEMORY_MIB="100")
    (record,) = (entry for entry in done.records.values() if entry["outcome"] == "skipped")
    assert record["reason"] == "needs about 0.3 GB of device memory; 0.1 GB are free"


def test_a_device_is_found_without_being_named(device, tmp_path):
    """As on a machine with CNToolkit: NEUWARE_HOME, and a run that takes a device where there is one."""
    folder = tmp_path / "neuware" / "lib64"
    folder.mkdir(parents=True)
    for library in (device.mluops, device.cnrt):
        shutil.copy(library, folder)
    words = ("run", "masked_im2col_forward tag=smoke", "--out", "r")
    done = device.plain(tmp_path, *words, NEUWARE_HOME=str(tmp_path / "neuware"))
    assert done.err.startswith(f"MLU370-X8: {folder / 'libmluops.so'} (NEUWARE_HOME)")
    assert (done.code, set(devices(done))) == (0, {"MLU370-X8"})
