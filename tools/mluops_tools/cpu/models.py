"""Repeat a run on a library for the CPU under its other models, and name the verdicts that change.

A model is an assumption about behaviour that no document defines: a word of MLUOPS_CPU_MODEL.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Callable, Iterator, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.results.outcomes import CPU_MODEL
from mluops_conformance.results.reader import Run, load_run
from mluops_conformance.support.formatting import counted

from mluops_tools.cpu.semantics import SEMANTICS

SHOWN = 5
"""The number of cases that a line names."""


def models() -> tuple[str, ...]:
    """Return the words that switch an assumption, of the table of intrinsics."""
    return tuple(word for row in SEMANTICS for word in re.findall(r"\b[a-z_]+=\w+", row.switch))


def compare_models(directory: Path, say: Callable[[str], None]) -> Iterator[str]:
    """Repeat the run in a folder under each other model.

    Parameters
    ----------
    directory : Path
        The folder; the repeated runs go to DIR/models.
    say : callable
        Gets a line before each run.

    Yields
    ------
    str
        A line for each model that changes verdicts, and one that counts.

    Raises
    ------
    UserError
        A repeated run did not come to its end.
    """
    assumed = load_run(directory)
    hanging: set[str] = set()
    for model in models():
        say(f"again with {CPU_MODEL}={model}")
        changed = other_verdicts(assumed, _repeated(assumed, model, directory / "models" / model))
        hanging.update(changed)
        if changed:
            yield f"{model} changes {counted(len(changed), 'verdict')}: {_some(changed)}"
    cases = counted(len(assumed.records), "case")
    yield f"the verdicts of {len(hanging)} of {cases} hang on an assumption ({', '.join(models())})"


def other_verdicts(assumed: Run, other: Run) -> list[str]:
    """Return the cases whose outcome is another one."""
    outcomes = {record.id: record.outcome for record in other.records}
    return sorted(record.id for record in assumed.records if outcomes.get(record.id) != record.outcome)


def _some(cases: Sequence[str]) -> str:
    more = f" and {len(cases) - SHOWN} more" if len(cases) > SHOWN else ""
    return ", ".join(cases[:SHOWN]) + more


def _repeated(run: Run, model: str, directory: Path) -> Run:
    words = run.header.command[run.header.command.index("run") :]
    done = subprocess.run(
        [sys.executable, "-m", "mluops_conformance", *words, "--out", str(directory)],
        env={**os.environ, CPU_MODEL: model},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode not in (exit_codes.PASSED, exit_codes.FAILED, exit_codes.NOTHING_EXECUTED):
        raise UserError(f"the run with {CPU_MODEL}={model} ended: {done.stderr.strip()[-300:]}")
    return load_run(directory)
