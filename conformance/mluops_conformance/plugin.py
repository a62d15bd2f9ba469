"""The name by which pytest loads the engine: `pytest -p mluops_conformance.plugin cases/`."""

from mluops_conformance.engine.plugin import pytest_addoption, pytest_configure

__all__ = ["pytest_addoption", "pytest_configure"]
