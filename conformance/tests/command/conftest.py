"""The command as a user runs it, in a folder of its own."""

from __future__ import annotations

import os
import subprocess
from functools import partial
from pathlib import Path
from typing import Any, Callable

import pytest
from forked import run_forked

HIDDEN = ("MLUOPS_LIBRARY", "MLUOPS_CNRT_LIBRARY", "NEUWARE_HOME", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")


@pytest.fixture
def cases(tmp_path: Path, case_text: str) -> Path:
    path = tmp_path / "cases.yaml"
    path.write_text(case_text, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def command_in() -> Callable[..., subprocess.CompletedProcess[str]]:
    environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}

    def call(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        # Workers cost more than a small run itself: a test that is about them asks for them.
        workers = ["-n", "0"] if words[:1] == ("run",) and not {"-n", "--help"} & {*words} else []
        return run_forked([*words, *workers], folder, {**environment, **more}, timeout=120)

    return call


@pytest.fixture
def command(
    tmp_path: Path, command_in: Callable[..., Any]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    return partial(command_in, tmp_path)
