"""Known issues in a run and in `lint`."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow

ENTRY = """\
- cases: [tag=tiny]
  reason: It overflows.
  links: [https://host/1]
  expires: 2099-12-31
"""


@pytest.fixture
def run(command, tmp_path, cases):
    """Runs the cases under the text of a file of known issues; the outcomes by case."""

    def outcomes(text, *words):
        (tmp_path / "known.yaml").write_text(text)
        done = command(
            "run", "--cases", "cases.yaml", "--known-issues", "known.yaml", "--out", "r", "-n", "0", *words
        )
        events = [json.loads(line) for line in (tmp_path / "r/results.jsonl").read_text().splitlines()]
        found = {event["id"].partition("/")[2]: event["outcome"] for event in events if "outcome" in event}
        return done, found

    return outcomes


def test_a_pass_that_was_not_expected_fails_the_run(run):
    done, found = run(ENTRY)
    assert done.returncode == 1
    assert found == {"tiny:dtype=float32": "xpassed", "tiny:dtype=float16": "xpassed", "refused": "passed"}


def test_an_issue_that_shows_leaves_the_run_green_and_says_where_it_showed(run, cases):
    cases.write_text(
        "operator: rotated_feature_align_backward\n"
        "cases: [{id: it, tags: [tiny], dims: {batch: 1, height: 4, width: 5, channels: 3}}]\n"
    )
    done, found = run(ENTRY, "--threshold", "diff1=0")
    assert (done.returncode, found) == (0, {"it": "xfailed"})
    assert "known issue, showed in 1 of 1 case: It overflows." in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 xfailed (")


def test_an_issue_that_does_not_show_is_counted_in_the_report(run):
    done, found = run(ENTRY + "  fails: sometimes\n")
    assert (done.returncode, set(found.values())) == (0, {"passed"})
    assert (
        "known issue, showed in 0 of 2 cases: It overflows. (https://host/1; until 2099-12-31)" in done.stdout
    )


def test_a_repro_line_names_the_known_issues(run, tmp_path):
    run(ENTRY)
    assert "--known-issues known.yaml" in (tmp_path / "r/results.jsonl").read_text()


def test_a_wrong_file_is_refused_before_anything_runs(command, tmp_path, cases):
    (tmp_path / "known.yaml").write_text(ENTRY.replace("expires", "expiry"))
    done = command("run", "--cases", "cases.yaml", "--known-issues", "known.yaml", "--out", "r")
    assert done.returncode == 4
    assert "known.yaml:4:3: unknown field 'expiry'" in done.stderr
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("2099", "1999", "known.yaml:1:3: expired on 1999-12-31"),
        ("=tiny", "=huge", "known.yaml:1:3: concerns nothing: no case has the tag 'huge'"),
    ],
)
def test_lint_finds_entries_that_are_of_no_use(command, tmp_path, cases, old, new, problem):
    (tmp_path / "known.yaml").write_text(ENTRY.replace(old, new))
    done = command("lint", "cases.yaml", "--known-issues", "known.yaml")
    assert done.returncode == 4
    assert problem in done.stderr
