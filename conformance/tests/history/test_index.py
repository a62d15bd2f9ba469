"""The index: what goes in comes out, again and again."""

from __future__ import annotations

import math
import multiprocessing
import shutil
import sqlite3
from contextlib import closing

import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.history.index import Index, delete_run


def test_a_run_is_indexed_with_what_it_ran_on(index, run_on, case):
    index.add(run_on(3, case("op/a"), case("op/b", "failed")))
    (run,) = index.runs()
    assert (run.folder, run.name, run.backend, run.device) == ("night-03", "night-03", "emulator", "MLU370")
    assert (run.exit_code, run.counts, run.build) == (1, {"failed": 1, "passed": 1}, "1.11.1 abababab")


def test_runs_are_ordered_by_their_beginning_not_by_their_adding(index, run_on, case):
    for day in (5, 2, 9):
        index.add(run_on(day, case("op/a")))
    assert [run.name for run in index.runs()] == ["night-02", "night-05", "night-09"]


def test_a_folder_that_is_added_again_takes_its_own_place(index, run_on, case):
    index.add(run_on(1, case("op/a", "failed"), case("op/gone")))
    index.add(run_on(1, case("op/a")))
    assert [run.counts for run in index.runs()] == [{"passed": 1}]
    assert index.points("op/gone") == {}


def test_a_case_has_a_point_for_each_run_with_its_judged_measures(index, run_on, case):
    index.add(run_on(1, case("op/a", diff1=1e-6)))
    index.add(run_on(2, case("op/b")))
    index.add(run_on(3, case("op/a", "failed", diff1=4e-5)))
    first, last = index.points("op/a").values()
    assert (first.outcome, first.seconds, first.measures["y", "diff1"]) == ("passed", 0.25, (1e-6, 1e-5))
    assert (last.outcome, last.closeness) == ("failed", pytest.approx(4))


def test_an_infinite_measure_is_kept(index, run_on, case):
    index.add(run_on(1, case("op/a", "failed", diff1=math.inf)))
    (point,) = index.points("op/a").values()
    assert point.closeness == math.inf


def test_a_hardware_time_is_kept_where_it_was_measured(index, run_on, case):
    index.add(run_on(1, case("op/a")))
    index.add(run_on(2, case("op/a", hardware=40e-6)))
    assert [point.hardware for point in index.points("op/a").values()] == [None, 40e-6]


def test_an_index_from_before_hardware_times_goes_on_with_them(run_on, case, tmp_path):
    file = tmp_path / "runs" / "history.sqlite"
    with Index(file, create=True) as index:
        index.add(run_on(1, case("op/a")))
    with closing(sqlite3.connect(str(file))) as connection:
        connection.executescript(
            'CREATE TABLE old AS SELECT run, "case", outcome, seconds, closeness FROM results;'
            "DROP TABLE results; ALTER TABLE old RENAME TO results; PRAGMA user_version = 1;"
        )
    with Index(file) as index:
        index.add(run_on(2, case("op/a", hardware=40e-6)))
        assert [point.hardware for point in index.points("op/a").values()] == [None, 40e-6]


def test_it_is_still_there_when_it_is_opened_again(index, run_on, case, tmp_path):
    index.add(run_on(1, case("op/a")))
    with Index(tmp_path / "runs" / "history.sqlite") as again:
        assert again.cases() == ["op/a"]


def test_folders_below_the_index_move_with_it(index, run_on, case, tmp_path):
    run = run_on(1, case("op/a"))
    index.add(run)
    shutil.move(str(tmp_path / "runs"), str(tmp_path / "moved"))
    with Index(tmp_path / "moved" / "history.sqlite") as moved:
        assert moved.directory(moved.runs()[0]) == tmp_path / "moved" / "night-01"


def test_what_is_removed_leaves_no_trace(index, run_on, case):
    for day in (1, 2):
        index.add(run_on(day, case(f"op/{day}")))
    index.remove([index.runs()[0].id])
    assert [run.name for run in index.runs()] == ["night-02"]
    assert index.cases() == ["op/2"]


class TestFilesThatAreNoIndex:
    def test_another_file_is_named(self, tmp_path):
        (tmp_path / "x").write_text("no database " * 100)
        with pytest.raises(UserError, match="x: file is not a database; `history add DIR` makes a new"):
            Index(tmp_path / "x")

    def test_a_later_version_is_refused(self, tmp_path):
        connection = sqlite3.connect(str(tmp_path / "x"))
        connection.execute("PRAGMA user_version = 9")
        connection.close()
        with pytest.raises(UserError, match="an index of version 9; this program reads 2"):
            Index(tmp_path / "x")

    def test_a_folder_that_cannot_be_made_is_named(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(UserError, match="file"):
            Index(tmp_path / "file" / "history.sqlite", create=True)


class TestDeletion:
    def folder(self, tmp_path, *more):
        for name in ("results.jsonl", "environment.json", "artefacts/a.npz", *more):
            (tmp_path / "r" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "r" / name).write_text("")
        return tmp_path / "r"

    def test_a_runs_folder_goes_as_a_whole(self, tmp_path):
        assert delete_run(self.folder(tmp_path))
        assert not (tmp_path / "r").exists()

    def test_what_is_not_the_runs_stays(self, tmp_path):
        folder = self.folder(tmp_path, "notes.txt", "thesis/chapter.tex")
        assert not delete_run(folder)
        assert sorted(path.name for path in folder.iterdir()) == ["notes.txt", "thesis"]

    def test_a_folder_without_a_run_is_left_alone(self, tmp_path):
        (tmp_path / "artefacts").mkdir()
        assert not delete_run(tmp_path)
        assert (tmp_path / "artefacts").is_dir()


def test_four_processes_fill_one_new_index_at_once(tmp_path, run_on, case):
    runs = [run_on(day, case("op/a")) for day in (1, 2, 3, 4)]
    context = multiprocessing.get_context("fork")
    together = context.Barrier(4)
    writers = [
        context.Process(target=_add_one, args=(together, tmp_path / "new.sqlite", run)) for run in runs
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    with Index(tmp_path / "new.sqlite") as index:
        assert len(index.runs()) == 4


def _add_one(together, path, run):
    together.wait()
    with Index(path, create=True) as index:
        index.add(run)
