"""Every command that the pages on reports, comparisons and CI show does what they say, on the emulator."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

DOCS = Path(__file__).resolve().parents[3] / "docs"
PROGRAM = "mluops-conformance"
SMALLER = {
    "'rotated_feature_align_backward/channels*'": "'rotated_feature_align_backward/channels:channels=15,*'",
    "suite=full --backend device": "'nms_rotated/network*' --backend emulator",
    '"${GITHUB_STEP_SUMMARY:-summary.md}"': "summary.md",
}
"""Substitutes for commands that take long, or need a device or a server."""
NO_DEVICE = 6

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DOCS.is_dir(), reason="the pages are not part of an installation"),
]


def blocks(page, language):
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(lines):
    """(words, expected exit code) of the lines that call the program."""
    for line in lines:
        if line.startswith(PROGRAM):
            for long, short in SMALLER.items():
                line = line.replace(long, short)
            call, _, expected = line.partition("# exit code ")
            yield shlex.split(call.replace("|| true", ""))[1:], int(expected or 0)


@pytest.fixture
def follow(command):
    """Executes commands one after the other in one folder; each must end as the page says."""

    def run(lines):
        told = list(commands(lines))
        assert told
        for words, expected in told:
            done = command(*words)
            assert done.returncode == expected, (words, done.stdout[-1000:], done.stderr[-1000:])

    return run


@pytest.mark.parametrize("page", ["reading-a-report.md", "comparing.md"])
def test_the_commands_of_a_page_follow_each_other(follow, page):
    follow(line for block in blocks(page, "sh") for line in block.splitlines())


def test_parts_are_merged_as_shown(follow):
    follow(blocks("ci.md", "sh")[-1].splitlines())


@pytest.fixture
def last_good(command):
    command("run", "nms_rotated/network*", "--backend", "emulator", "--out", "last-good")


def test_the_jobs_for_gitlab_run(follow, last_good, command):
    jobs = yaml.safe_load(blocks("ci.md", "yaml")[0]).values()
    lines = [line for job in jobs for line in (*job["script"], *job["after_script"])]
    assert lines[0] == f"{PROGRAM} doctor"
    follow([f"{lines[0]}  # exit code {NO_DEVICE}", *lines[1:]])


def test_the_steps_for_jenkins_run(follow, last_good):
    follow(re.findall(r"sh '(.*)'", blocks("ci.md", "groovy")[0]))


def test_the_steps_for_github_run(follow, last_good):
    (job,) = yaml.safe_load(blocks("ci.md", "yaml")[1])["jobs"].values()
    follow(step["run"] for step in job["steps"] if "run" in step)
