"""Commands in processes of their own, forked from a server that has loaded the harness and its cases.

A fresh interpreter takes two seconds for a command that takes a tenth. The fork server of the standard
library makes a process for each command, with a folder, environment, streams and exit code of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from functools import lru_cache
from multiprocessing import forkserver
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence

HERE = str(Path(__file__).parent)
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["commands_loaded"])

Function = Callable[[Sequence[str]], Optional[int]]
"""A function of a module, which gets words and returns an exit code; None is 0."""


@lru_cache(maxsize=1)
def start_server() -> None:
    """Start the server; before Python 3.13 it finds what it loads first by PYTHONPATH alone."""
    given = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [HERE, given]))
    try:
        forkserver.ensure_running()
    finally:
        if given is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = given


def run_forked(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a command as `subprocess.run` does, with the output captured as text."""
    return call_forked(_command, words, folder, environment, timeout)


def call_forked(
    function: Function, words: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Call a function with words in a process of its own, with the output captured as text."""
    start_server()
    with tempfile.TemporaryDirectory() as name:
        out, err = Path(name, "out"), Path(name, "err")
        process = SERVER.Process(
            target=_call, args=(function, [*map(str, words)], folder, dict(environment), out, err)
        )
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, timeout, out.read_bytes(), err.read_bytes())
        texts = [path.read_text(encoding="utf-8") for path in (out, err)]
        return subprocess.CompletedProcess(words, process.exitcode, *texts)


def _call(
    function: Function,
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    out: Path,
    err: Path,
) -> None:
    """Set what a process inherits, and exit with what the function returns."""
    for descriptor, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), descriptor)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.exit(function(words))


def _command(words: Sequence[str]) -> int:
    """Call the command as its script does."""
    sys.argv = ["mluops-conformance", *words]
    from mluops_conformance.cli import main

    return main()
