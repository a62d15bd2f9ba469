"""The import of this module loads what commands need: the server of `forked` does it once for all of them."""

from __future__ import annotations

import gc
from importlib import import_module

import mluops_conformance.artefacts.replay
import mluops_conformance.commands.compare
import mluops_conformance.commands.coverage
import mluops_conformance.commands.history
import mluops_conformance.commands.lint
import mluops_conformance.commands.report
import mluops_conformance.commands.run
import mluops_conformance.engine.recorder
import mluops_conformance.engine.terminal
import mluops_conformance.plugin
import mluops_conformance.reports.junit
import mluops_emulator.emulator
import mluops_emulator.faults
import pytest_timeout
import xdist.plugin
from _pytest.config import default_plugins
from mluops_conformance.language.load import load_cases
from mluops_conformance.language.requirements import own_requirements
from mluops_conformance.operators import case_folders

__all__ = ["mluops_conformance", "mluops_emulator", "pytest_timeout", "xdist"]

for plugin in default_plugins:
    import_module(f"_pytest.{plugin}")
load_cases(case_folders())
own_requirements()
gc.freeze()  # collections in the commands' processes leave out what is loaded here
