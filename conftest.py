"""Settings of all test folders."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("project", deadline=None, derandomize=True)  # a slow machine is no defect of the code
settings.load_profile("project")
