"""The time limit of a case."""

from __future__ import annotations

import os

import pytest
from mluops_conformance.engine.items import patience


@pytest.fixture
def load(monkeypatch):
    """Have a machine of two cores with a load."""

    def set_to(load):
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))

    return set_to


@pytest.mark.parametrize(("busy", "seconds"), [(0.0, 10), (2.0, 10), (6.0, 30), (1000.0, 80)])
def test_a_busy_machine_gets_more_time_within_bounds(load, busy, seconds):
    load(busy)
    assert patience(10, 0) == seconds


def test_gigabytes_get_more_time(load):
    load(1.0)
    assert patience(10, 5_000_000_000) == 110
