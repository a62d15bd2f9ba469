"""The properties of devices."""

from __future__ import annotations

from typing import Any, Callable

import pytest
from mluops import Device, Handle
from mluops.constants import cnrtDeviceAttr_t
from mluops.errors import CnrtDeviceInvalid, CnrtNoAttribute, NotInitialized

Load = Callable[..., Any]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_devices_are_counted(standin: Any, count: int) -> None:
    standin.cnrt.standin_devices(count)
    assert Device.count(standin.library) == count


def test_a_device_is_described_by_its_attributes(standin: Any) -> None:
    device = Device(standin.library, 0)
    assert (device.name, device.isa_version, device.series) == ("MLU370-X8", 372, "300")
    assert (device.clusters, device.cores_per_cluster, device.nram_bytes) == (8, 4, 768 * 1024)


@pytest.mark.parametrize(("ordinal", "architecture"), [(0, "MLU370"), (1, "MLU590")])
def test_a_device_is_what_its_instruction_set_says(standin: Any, ordinal: int, architecture: str) -> None:
    assert Device(standin.library, ordinal).architecture == architecture


@pytest.mark.parametrize("cnrt", ["6.0.2", "6.14.1"], ids=["256 bytes", "584 bytes"])
def test_the_name_is_read_whatever_the_size_of_the_structure(load_standin: Load, cnrt: str) -> None:
    assert Device(load_standin(cnrt=cnrt).library, 1).name == "MLU590"


def test_another_device_is_made_current(standin: Any) -> None:
    Device(standin.library, 1).make_current()
    assert Device(standin.library).ordinal == 1
    Device(standin.library, 0).make_current()


def test_a_device_that_is_not_there_is_an_error(standin: Any) -> None:
    with pytest.raises(CnrtDeviceInvalid, match="cnrtSetDevice returned cnrtErrorDeviceInvalid"):
        Device(standin.library, 5).make_current()


def test_an_attribute_that_a_device_lacks_is_an_error(standin: Any) -> None:
    with pytest.raises(CnrtNoAttribute):
        Device(standin.library).attribute(cnrtDeviceAttr_t.cnrtAttrEccEnable)


@pytest.mark.parametrize(("release", "needed"), [("1.11.1", "6.7.0"), ("0.8.0", "6.3.0"), ("0.7.1", "5.0.0")])
def test_a_handle_that_is_refused_says_which_cnrt_is_needed(
    load_standin: Load, release: str, needed: str
) -> None:
    library = load_standin(release, cnrt="6.0.2", CREATE_STATUS=1).library
    with pytest.raises(NotInitialized) as refused:
        Handle(library)
    message = str(refused.value)
    assert message.startswith("mluOpCreate returned MLUOP_STATUS_NOT_INITIALIZED (1)")
    assert f"mlu-ops {release} refuses a CNRT older than {needed}" in message
    assert "this CNRT is 6.0.2" in message
    assert "MLUOP_CHECK_DEP_VERSION=0" in message
