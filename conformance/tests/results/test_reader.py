"""Reading runs: whole ones, killed ones, damaged ones; counts that add up and exit codes that are honest."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import textwrap
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest
from mluops_conformance import exit_codes
from mluops_conformance.errors import OutputError
from mluops_conformance.results.basis import Basis
from mluops_conformance.results.outcomes import OUTCOMES, exit_code
from mluops_conformance.results.reader import CRASHED, ENVIRONMENT, RESULTS, RunError, load_run
from mluops_conformance.results.record import Stopped, to_line
from mluops_conformance.results.writer import ResultsWriter


@contextmanager
def room_for(more):
    """Gives what limits files of this process to a size and some bytes more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, hard))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def store(tmp_path):
    """Writes events and raw bytes into a run's folder and reads it."""
    (tmp_path / ENVIRONMENT).write_text("{}")

    def write_and_load(*entries):
        lines = [entry if isinstance(entry, bytes) else to_line(entry) for entry in entries]
        (tmp_path / RESULTS).write_bytes(b"".join(lines))
        return load_run(tmp_path)

    return write_and_load


class TestWholeRuns:
    def test_each_case_has_one_record_in_the_order_of_beginnings(self, store, header, started):
        first, second = started("nms_rotated/a"), started("nms_rotated/b")
        run = store(header, first, second, second.finished("passed"), first.finished("failed", "why"))
        assert [(record.id, record.outcome) for record in run.records] == [
            ("nms_rotated/a", "failed"),
            ("nms_rotated/b", "passed"),
        ]
        assert run.problems == ()

    def test_counts_add_up(self, store, header, started):
        outcomes = ["passed", "passed", "failed", "skipped"]
        cases = [started(f"nms_rotated/{i}").finished(outcome, "why") for i, outcome in enumerate(outcomes)]
        run = store(header, *cases)
        assert run.counts == {"failed": 1, "passed": 2, "skipped": 1}
        assert run.executed == 3

    def test_bad_cases_stand_by_outcome_then_by_id(self, store, header, started):
        outcomes = {"nms_rotated/d": "crashed", "nms_rotated/c": "failed", "nms_rotated/b": "passed"}
        records = [started(case).finished(outcome, "why") for case, outcome in outcomes.items()]
        run = store(header, *records, started("nms_rotated/a").finished("failed", "why"))
        assert [record.id for record in run.bad] == ["nms_rotated/a", "nms_rotated/c", "nms_rotated/d"]

    def test_the_environment_comes_with_the_run(self, store, header, tmp_path):
        (tmp_path / ENVIRONMENT).write_text(json.dumps({"numpy": "1.20.3"}))
        assert store(header).environment == {"numpy": "1.20.3"}


class TestInterruptedRuns:
    def test_a_case_that_was_started_and_has_no_end_has_crashed(self, store, header, started):
        (record,) = store(header, started()).records
        assert (record.outcome, record.reason, record.repro) == ("crashed", CRASHED, started().repro)

    def test_a_truncated_last_line_is_named_and_left_out(self, store, header, started):
        whole = started("nms_rotated/a").finished("passed")
        run = store(header, whole, to_line(started("nms_rotated/b"))[:-20])
        assert [record.id for record in run.records] == ["nms_rotated/a"]
        assert ":3: truncated, as when a process ends while it writes" in run.problems[0]

    def test_a_case_whose_end_was_cut_off_has_crashed(self, store, header, started):
        run = store(header, started(), to_line(started().finished("passed"))[:-1][:-9])
        assert [record.outcome for record in run.records] == ["crashed"]

    def test_a_line_that_only_lacks_its_newline_counts(self, store, header, started):
        run = store(header, to_line(started().finished("passed"))[:-1])
        assert run.counts == {"passed": 1}

    def test_planned_cases_without_a_record_are_counted(self, store, header, started):
        run = store(header, started().finished("passed"))
        assert run.missing == 1
        assert "1 of 2 planned cases have no record" in run.problems[0]

    def test_a_damaged_line_is_named_and_left_out(self, store, header, started):
        run = store(header, b"\xff\xfe!\n", b"[]\n", b'{"event": "snow"}\n', started().finished("passed"))
        assert run.counts == {"passed": 1}
        assert [problem.split(": ", 1)[1] for problem in run.problems[:3]] == [
            "not JSON; left out",
            "no event; left out",
            "unknown event 'snow'; left out",
        ]

    def test_a_process_killed_while_it_writes_leaves_whole_lines(self, tmp_path, started):
        script = textwrap.dedent(f"""
            from mluops_conformance.results.record import Started
            from mluops_conformance.results.writer import ResultsWriter
            writer, number = ResultsWriter({str(tmp_path / RESULTS)!r}), 0
            print("ready", flush=True)
            while True:
                case = Started(f"op/{{number}}", "op", "emulator", "MLU370", "cases/op/a.yaml:1", 0, "run")
                writer.write(case)
                writer.write(case.finished("passed"))
                number += 1
        """)
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        process.stdout.readline()
        while not (tmp_path / RESULTS).stat().st_size > 20000:
            pass
        process.kill()
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        run = load_run(tmp_path)
        assert set(run.counts) <= {"passed", "crashed"}
        assert run.counts["passed"] > 10
        assert run.counts.get("crashed", 0) <= 1


class TestRepeatedCases:
    def test_the_later_word_counts(self, store, header, started):
        run = store(header, started().finished("failed", "why"), started().finished("passed"))
        assert run.counts == {"passed": 1}

    def test_a_case_that_was_begun_again_and_has_no_end_has_crashed(self, store, header, started):
        assert store(header, started().finished("passed"), started()).counts == {"crashed": 1}


class TestUnreadableRuns:
    def test_a_folder_without_a_run(self, tmp_path):
        with pytest.raises(RunError, match=r"results\.jsonl: no run is stored here"):
            load_run(tmp_path)

    def test_a_later_schema_version(self, store):
        with pytest.raises(RunError, match="schema version 2, and this program reads 1: use a newer one"):
            store(b'{"event": "run", "schema": 2}\n')

    def test_a_missing_environment_is_a_problem_and_no_end(self, store, header, tmp_path):
        (tmp_path / ENVIRONMENT).unlink()
        run = store(header)
        assert any(ENVIRONMENT in problem for problem in run.problems)
        assert run.environment == {}

    def test_a_missing_header_is_a_problem_and_no_end(self, store, started):
        run = store(started().finished("passed"))
        assert (run.header.backend, run.header.device) == ("emulator", "MLU370")
        assert "no event of the run's beginning" in run.problems[0]


class TestStoppedRuns:
    def test_cases_in_hand_are_skipped_and_are_not_done(self, store, header, started):
        run = store(header, started("nms_rotated/a"), Stopped("no space"))
        assert run.counts == {"skipped": 1}
        assert run.records[0].reason == "the run was interrupted meanwhile"

    def test_a_case_that_is_begun_after_it_may_crash(self, store, header, started):
        run = store(header, started("nms_rotated/a"), Stopped("no space"), header, started("nms_rotated/b"))
        assert run.counts == {"crashed": 1, "skipped": 1}

    def test_a_case_that_ended_stays_what_it_is(self, store, header, started):
        run = store(header, started().finished("passed"), Stopped("no space"))
        assert run.counts == {"passed": 1}


class TestChangedCases:
    def test_a_case_that_changed_before_the_run_was_resumed_has_no_record(self, store, header, started):
        begun = replace(header, basis=Basis(cases={"nms_rotated/a": "1", "nms_rotated/b": "2"}))
        resumed = replace(header, planned=1, basis=Basis(cases={"nms_rotated/a": "1", "nms_rotated/b": "9"}))
        done = [started(f"nms_rotated/{name}").finished("passed") for name in "ab"]
        run = store(begun, *done, resumed)
        assert [record.id for record in run.records] == ["nms_rotated/a"]
        assert run.missing == 1

    def test_its_new_record_counts(self, store, header, started):
        begun = replace(header, basis=Basis(cases={"nms_rotated/a": "1"}))
        resumed = replace(header, planned=1, basis=Basis(cases={"nms_rotated/a": "9"}))
        case = started("nms_rotated/a")
        run = store(begun, case.finished("passed"), resumed, case, case.finished("failed", "why"))
        assert (run.counts, run.missing) == ({"failed": 1}, 0)


class TestWriter:
    @pytest.mark.parametrize("room", range(-1, 250, 10))
    def test_the_end_of_a_run_finds_room_on_a_full_disk(self, tmp_path, header, started, room):
        path = tmp_path / RESULTS
        with ResultsWriter(path) as writer, room_for(room) as limit:
            for entry in (header, started("nms_rotated/a").finished("passed"), started("nms_rotated/b")):
                writer.write(entry)
            limit(path.stat().st_size)
            with suppress(OutputError):
                writer.write(started("nms_rotated/b").finished("failed", "x" * 1000))
            writer.stop("no space")
        run = load_run(tmp_path)
        assert "crashed" not in run.counts
        assert [problem for problem in run.problems if "cut off" in problem] == []

    def test_it_appends_to_what_is_there(self, tmp_path, header, started):
        for entry in (header, started()):
            with ResultsWriter(tmp_path / RESULTS) as writer:
                writer.write(entry)
        assert (tmp_path / RESULTS).read_bytes() == to_line(header) + to_line(started())

    def test_the_end_of_a_run_stands_behind_every_line(self, tmp_path, header, started):
        with ResultsWriter(tmp_path / RESULTS) as writer:
            writer.write(header)
            writer.write(started())
            writer.stop("interrupted")
        lines = (header, started(), Stopped("interrupted"))
        assert (tmp_path / RESULTS).read_bytes() == b"".join(map(to_line, lines))

    def test_it_does_not_continue_a_line_that_was_cut_off(self, tmp_path, started):
        (tmp_path / RESULTS).write_bytes(b'{"event": "star')
        with ResultsWriter(tmp_path / RESULTS) as writer:
            writer.write(started().finished("passed"))
        assert load_run(tmp_path).counts == {"passed": 1}

    def test_two_writers_do_not_mix_their_lines(self, tmp_path, started):
        with ResultsWriter(tmp_path / RESULTS) as one, ResultsWriter(tmp_path / RESULTS) as other:
            for number in range(20):
                (one if number % 2 else other).write(started(f"nms_rotated/{number}").finished("passed"))
        assert load_run(tmp_path).counts == {"passed": 20}

    def test_a_full_disk_is_an_error(self, started):
        if not os.path.exists("/dev/full"):
            pytest.skip("no /dev/full here")
        with ResultsWriter("/dev/full") as writer, pytest.raises(OutputError, match="No space left"):
            writer.write(started())

    def test_it_is_closed_at_the_end_of_its_block(self, tmp_path, started):
        with ResultsWriter(tmp_path / RESULTS) as writer:
            pass
        with pytest.raises(OutputError):
            writer.write(started())

    def test_it_may_be_closed_twice(self, tmp_path):
        writer = ResultsWriter(tmp_path / RESULTS)
        writer.close()
        writer.close()


EXIT_CODES = [
    ("passed", 0, 0),
    ("xfailed", 0, 0),
    ("failed", 1, 1),
    ("mistrusted", 1, 1),
    ("crashed", 1, 1),
    ("timeout", 1, 1),
    ("error", 1, 1),
    ("xpassed", 1, 1),
    ("skipped", 5, 0),
    ("unsupported", 5, 0),
]
"""Exit codes of a run by outcome: of that case alone, and beside one that passed."""


class TestExitCode:
    @pytest.mark.parametrize(("outcome", "alone", "beside"), EXIT_CODES)
    def test_by_outcome(self, store, header, started, outcome, alone, beside):
        case = started("nms_rotated/case").finished(outcome, "why")
        assert exit_code(store(replace(header, planned=1), case)) == alone
        assert exit_code(store(header, case, started("nms_rotated/good").finished("passed"))) == beside

    def test_every_outcome_is_in_this_table(self):
        assert {outcome for outcome, _, _ in EXIT_CODES} == set(OUTCOMES)

    @pytest.mark.parametrize(
        ("outcome", "code"), [(name, 1 if alone == 1 else 2) for name, alone, _ in EXIT_CODES]
    )
    def test_a_run_that_lacks_cases_is_never_green(self, store, header, started, outcome, code):
        passed = started("nms_rotated/good").finished("passed")
        case = started("nms_rotated/case").finished(outcome, "why")
        assert exit_code(store(replace(header, planned=9), passed, case)) == code

    def test_passes_and_known_issues_are_green(self, store, header, started):
        passed, known = started("nms_rotated/a").finished("passed"), started("nms_rotated/b")
        assert exit_code(store(header, passed, known.finished("xfailed", "known"))) == 0

    def test_a_run_of_skips_alone_is_not_green(self, store, header, started):
        cases = [started(f"nms_rotated/{i}").finished("skipped", "no device") for i in range(2)]
        assert exit_code(store(header, *cases)) == exit_codes.NOTHING_EXECUTED == 5

    def test_a_run_without_cases_is_not_green(self, store, header):
        assert exit_code(store(header)) == exit_codes.NOTHING_EXECUTED

    def test_a_run_that_was_cut_short_is_not_green(self, store, header, started):
        assert exit_code(store(header, started().finished("passed"))) == exit_codes.INTERRUPTED == 2
