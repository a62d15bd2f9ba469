"""The lock on a run's folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from mluops_conformance.errors import OutputError, UserError
from mluops_conformance.results.reader import RESULTS
from mluops_conformance.results.writer import LOCK, claim, is_claimed

CLAIM_AND_WAIT = """\
import sys, time
from pathlib import Path
from mluops_conformance.results.writer import claim
claim(Path(sys.argv[1]))
print("claimed", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    """Another process that claims a folder, and lives on."""
    process = subprocess.Popen([sys.executable, "-c", CLAIM_AND_WAIT, str(tmp_path)], stdout=subprocess.PIPE)
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_is_refused_and_told_who_writes(other, tmp_path):
    with pytest.raises(UserError, match=f"another run writes to this folder .process {other.pid} on "):
        claim(tmp_path)


def test_a_killed_process_leaves_no_lock(other, tmp_path):
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    claim(tmp_path)


def test_a_folder_is_claimed_while_another_process_writes_to_it(other, tmp_path):
    assert is_claimed(tmp_path)
    other.kill()
    other.wait()
    assert not is_claimed(tmp_path)


def test_a_process_may_claim_a_folder_twice(tmp_path):
    claim(tmp_path)
    claim(tmp_path)


def test_a_folder_that_was_never_claimed_is_free(tmp_path):
    assert not is_claimed(tmp_path)


def test_a_stored_run_is_not_overwritten(tmp_path):
    (tmp_path / RESULTS).touch()
    with pytest.raises(UserError, match="already holds a run; choose another --out, remove it, or --resume"):
        claim(tmp_path)


def test_a_stored_run_may_be_continued(tmp_path):
    (tmp_path / RESULTS).touch()
    claim(tmp_path, resume=True)


def test_a_lock_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / LOCK).mkdir()
    with pytest.raises(OutputError, match="lock cannot be written: Is a directory"):
        claim(tmp_path)
