"""Settings of all test folders."""

from __future__ import annotations

from hypothesis import settings

# A slow machine is no defect of the code.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")
