"""The import of this module loads what commands need: the server of `forked` does it once for all of them."""

from __future__ import annotations

import mluops_conformance.commands.compare
import mluops_conformance.commands.coverage
import mluops_conformance.commands.history
import mluops_conformance.commands.lint
import mluops_conformance.commands.report
import mluops_conformance.commands.run
import mluops_conformance.engine.plugin
import mluops_conformance.execution.execute
import mluops_emulator.faults
from mluops_conformance.language.load import load_cases
from mluops_conformance.operators import case_folders

__all__ = ["mluops_conformance", "mluops_emulator"]

load_cases(case_folders())
