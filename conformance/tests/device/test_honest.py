"""A device that does everything right."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.slow

COMPUTED = ("masked_im2col_forward tag!=large", "nms_rotated tag!=large tag!=hard N<1000")
"""The calls that the stand-in computes, among those that take no time."""


@pytest.fixture(scope="module")
def honest(standin, tmp_path_factory):
    return standin().run(tmp_path_factory.mktemp("honest"), *COMPUTED)


def test_every_case_passes_but_those_that_limit_clusters_without_a_driver(honest):
    outcomes = Counter(
        (record["outcome"], record["reason"])
        for record in honest.records.values()
        if "lacks mluOpBoxIouRotated"
        not in record["reason"]  # the stand-in has nms_rotated alone of the pair
    )
    number = outcomes.pop(("passed", ""))
    limited = {("unsupported", "limits clusters; no libcndrv is loaded with this library")}
    assert (honest.code, number > 400, set(outcomes)) == (0, True, limited)


def test_the_run_names_the_device_and_is_not_emulated(honest):
    header, *events = honest.events
    assert (header["backend"], header["device"]) == ("device", "MLU370-X8")
    assert {(event["backend"], event["device"]) for event in events} == {("device", "MLU370-X8")}
    assert "EMULATED" not in honest.err


def test_the_report_names_the_device_and_the_release(honest):
    last = honest.out.splitlines()[-1]
    assert last.endswith("(on MLU370-X8, libmluops 1.11.1)")


def test_junit_is_well_formed_and_complete(honest):
    suites = ElementTree.parse(honest.folder / "junit.xml").getroot()
    assert int(suites.get("tests")) == len(honest.records)
    assert (suites.get("failures"), suites.get("errors")) == ("0", "0")
