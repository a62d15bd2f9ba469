"""Deletes the folders of runs, and nothing in them that is not a run's."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from mluops_conformance.artefacts.keeper import FOLDER as ARTEFACTS
from mluops_conformance.nativelog import FOLDER as LOGS
from mluops_conformance.results.reader import ENVIRONMENT, JUNIT, RESULTS
from mluops_conformance.results.writer import LOCK

FILES = (RESULTS, ENVIRONMENT, JUNIT, LOCK)
FOLDERS = (ARTEFACTS, LOGS)


def delete_run(directory: Path) -> bool:
    """Delete what a run wrote.

    Returns
    -------
    bool
        Whether nothing else was there, and so the folder itself is gone.
    """
    if not (directory / RESULTS).is_file():
        return False
    for name in FOLDERS:
        shutil.rmtree(directory / name, ignore_errors=True)
    for name in FILES:
        with suppress(FileNotFoundError):
            (directory / name).unlink()
    with suppress(OSError):
        directory.rmdir()
    return not directory.exists()
