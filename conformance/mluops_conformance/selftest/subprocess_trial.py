"""Faults that end or stop their process: the ordinary `run` executes a few cases with them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Iterable

from mluops_conformance.engine.plan import elements
from mluops_conformance.results.reader import load_run
from mluops_conformance.selftest.trial import Catch, Trial, concerned

if TYPE_CHECKING:
    from mluops_emulator.faults import Fault

    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case

CASES = 3
TIME_LIMIT = 5.0
"""Seconds for each of them: far more than it takes, and less than with a fault that is slow."""


def run_apart(fault: Fault, cases: Iterable[Case], options: RunOptions) -> Trial:
    """Run the smallest cases that get as far as the kernel, with the fault."""
    chosen = [case for case in concerned(fault, cases) if elements(case) and case.compare]
    planted = replace(options, fault=(fault.name,), timeout=TIME_LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        ids = [case.id for case in chosen[:CASES]]
        command = [sys.executable, "-m", "mluops_conformance", "run", *ids, *planted.arguments()]
        subprocess.run(
            [*command, "-n", "1", "--out", str(out)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        records = load_run(out).records
    caught = tuple(Catch.of(record) for record in records if not record.is_good)
    return Trial(fault.name, {fault.group: len(records)}, caught)
