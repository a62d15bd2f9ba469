"""Peaks of devices that answer what a test says."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from mluops.constants import cnrtDeviceAttr_t, cnrtRet_t
from mluops.errors import status_error
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.perf import peaks_for
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.operators.limits import Device

CLOCK, MEMORY, BUS = (
    cnrtDeviceAttr_t.cnrtAttrIpuClockRate,
    cnrtDeviceAttr_t.cnrtAttrMemClockRate,
    cnrtDeviceAttr_t.cnrtAttrGmemBusWidth,
)
MLU370 = {CLOCK: 1_300_000, MEMORY: 3_200_000, BUS: 384}  # kHz, kHz, bits
CASE = Case("nms_rotated/it", "nms_rotated", Origin("it.yaml", 1), {}, {}, "float32")
HALF = replace(CASE, operator="rotated_feature_align_backward", dtype="float16")


@pytest.fixture
def peaks():
    def of(case=CASE, attributes=MLU370, **options):
        def attribute(name):
            if name not in attributes:
                raise status_error("cnrtDeviceGetAttribute", cnrtRet_t.cnrtErrorNoAttribute)
            return attributes[name]

        asked = SimpleNamespace(attribute=attribute)
        backend = SimpleNamespace(asked=asked, device="MLU370-X8", figures=Device(786432, 8, 4, 4 << 20))
        return peaks_for(case, backend, RunOptions(**options))

    return of


def test_the_bandwidth_of_an_mlu370_is_the_one_of_gtest_s_table(peaks):
    assert peaks().bandwidth.value == pytest.approx(307.2e9)


def test_a_core_computes_32_floats_or_64_halves_a_cycle(peaks):
    assert peaks().compute.value == 32 * 32 * 1.3e9
    assert peaks(HALF).compute.value == 64 * 32 * 1.3e9


def test_the_dtype_that_counts_is_that_of_the_first_input(peaks):
    indices_first = replace(HALF, operator="roiaware_pool3d_backward")
    assert peaks(indices_first).compute.value == 32 * 32 * 1.3e9


@pytest.mark.parametrize(("clusters", "cores"), [(2, 8), (1, 4), (0, 1), (None, 32)])
def test_a_case_with_fewer_clusters_has_a_lower_peak_of_operations(peaks, clusters, cores):
    assert peaks(replace(CASE, clusters=clusters)).compute.value == 32 * cores * 1.3e9


@pytest.mark.parametrize("clusters", [0, 1])
def test_one_cluster_of_an_mlu370_has_less_bandwidth(peaks, clusters):
    assert peaks(replace(CASE, clusters=clusters)).bandwidth.value == 128e9


def test_an_option_counts_more_than_what_the_device_tells(peaks):
    given = peaks(peak_bandwidth=100.0, peak_compute=1000.0)
    assert (given.bandwidth.value, given.compute.value) == (100e9, 1000e9)


def test_a_given_peak_of_operations_is_that_of_all_cores_in_float(peaks):
    assert peaks(HALF, peak_compute=1000.0).compute.value == 2000e9
    assert peaks(replace(CASE, clusters=2), peak_compute=1000.0).compute.value == 250e9


@pytest.mark.parametrize("attributes", [{}, dict.fromkeys(MLU370, 0), dict.fromkeys(MLU370, -1)])
def test_a_device_that_does_not_tell_has_no_peaks(peaks, attributes):
    found = peaks(attributes=attributes)
    assert (found.compute, found.bandwidth) == (None, None)


def test_where_a_peak_comes_from_is_said(peaks):
    assert peaks().bandwidth.origin == "2 x 3200 MHz of memory x 384 bits"
    assert peaks().compute.origin == "32 operations of float32 a cycle x 32 cores x 1300 MHz"
    assert peaks(peak_compute=1.0).compute.origin == "--peak-compute, for float32 on 32 of 32 cores"
