"""Limits of clusters and job types, through the three CNDrv functions, called by their addresses."""

from __future__ import annotations

import ctypes

import pytest
from mluops.constants import cnrtFunctionType_t, mluOpStatus_t
from mluops_emulator.discovery import discover

VISIBLE_CLUSTER, VISIBLE_CLUSTER_NUM, UNION_LIMIT = 0, 1, 2
BLOCK, UNION1, UNION8 = 1, 4, 32


@pytest.fixture
def context(machine):
    """Functions that set and get a limit."""
    get_current, set_param, get_param = (
        ctypes.CFUNCTYPE(ctypes.c_int, *arguments)(machine.emulator.address(name))
        for name, arguments in (
            ("cnCtxGetCurrent", (ctypes.c_void_p,)),
            ("cnSetCtxConfigParam", (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)),
            ("cnGetCtxConfigParam", (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)),
        )
    )
    current = ctypes.c_void_p()
    assert get_current(ctypes.byref(current)) == 0

    def set_limit(kind, value):
        return set_param(current, kind, ctypes.byref(ctypes.c_uint64(value)))

    def get_limit(kind):
        value = ctypes.c_uint64()
        assert get_param(current, kind, ctypes.byref(value)) == 0
        return value.value

    return set_limit, get_limit


@pytest.fixture
def seen(machine, monkeypatch):
    """Clusters and job type that an operator sees through a handle."""
    calls = []

    def host(call):
        calls.append((call.device.clusters, call.job))
        return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)

    def through(handle):
        machine.library.mluOpAbs(handle, None, None, None, None)
        return calls[-1]

    return through


def test_without_limits_kernels_get_the_whole_device(machine, seen):
    assert seen(machine.handle()) == (8, cnrtFunctionType_t.cnrtFuncTypeUnion8)


def test_a_new_handle_reads_the_limits(machine, context, seen):
    set_limit, _ = context
    assert (set_limit(UNION_LIMIT, UNION1), set_limit(VISIBLE_CLUSTER, 0b11)) == (0, 0)
    assert seen(machine.handle()) == (2, cnrtFunctionType_t.cnrtFuncTypeUnion1)


def test_an_old_handle_keeps_what_it_read(machine, context, seen):
    handle = machine.handle()
    context[0](UNION_LIMIT, BLOCK)
    assert seen(handle)[1] == UNION8


def test_an_old_handle_can_be_updated(machine, context, seen):
    handle = machine.handle()
    context[0](UNION_LIMIT, BLOCK)
    machine.library.mluOpUpdateContextInformation(handle)
    assert seen(handle)[1] == BLOCK


def test_limits_can_be_read_back(context):
    set_limit, get_limit = context
    set_limit(UNION_LIMIT, UNION1)
    set_limit(VISIBLE_CLUSTER, 0b1111)
    limits = [get_limit(kind) for kind in (VISIBLE_CLUSTER, VISIBLE_CLUSTER_NUM, UNION_LIMIT)]
    assert limits == [0b1111, 4, UNION1]


@pytest.mark.parametrize("clusters", [0b1, 0b0])
def test_fewer_clusters_than_the_union_limit_needs_are_refused(context, clusters):
    assert context[0](VISIBLE_CLUSTER, clusters) != 0


def test_a_union_of_more_clusters_than_there_are_is_refused(context):
    set_limit, _ = context
    set_limit(UNION_LIMIT, UNION1)
    set_limit(VISIBLE_CLUSTER, 0b1)
    assert set_limit(UNION_LIMIT, UNION8) != 0


@pytest.mark.parametrize(("kind", "value"), [(UNION_LIMIT, 7), (VISIBLE_CLUSTER_NUM, 4), (9, 1)])
def test_what_cannot_be_set_is_refused(context, kind, value):
    assert context[0](kind, value) != 0
