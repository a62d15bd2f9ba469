"""Data of cases is kept within a limit, and records name what was left out."""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
import pytest
from mluops_conformance.artefacts.file import load
from mluops_conformance.artefacts.keeper import Keeper, SaveOptions, file_name
from mluops_conformance.support import formatting
from mluops_conformance.support.flags import size


@pytest.fixture
def keep(tmp_path, artefact):
    """Offers the data of a record to a keeper of some options."""

    def offer(record, data=artefact, **options):
        return Keeper(tmp_path, SaveOptions(**options)).keep(record, lambda _: data)

    return offer


@pytest.mark.parametrize(
    ("when", "outcome", "is_kept"),
    [
        ("never", "failed", False),
        ("failed", "failed", True),
        ("failed", "mistrusted", True),
        ("failed", "passed", False),
        ("always", "passed", True),
    ],
)
def test_when_data_is_kept(keep, record, when, outcome, is_kept):
    assert bool(keep(record(outcome), when=when).artefact) is is_kept


def test_data_that_is_not_wanted_is_not_gathered(tmp_path, record):
    def gather(_):
        raise AssertionError("gathered")

    assert Keeper(tmp_path, SaveOptions("failed")).keep(record("passed"), gather) == record("passed")
    assert list(tmp_path.iterdir()) == []


def test_the_record_names_the_file_from_the_runs_folder(keep, record, tmp_path, artefact):
    kept = keep(record(case_id="nms_rotated/n:dtype=float16,dims.N=3"), when="always")
    assert kept.artefact == "artefacts/nms_rotated-n@dtype=float16,dims.N=3.npz"
    assert load(tmp_path / kept.artefact).seed == artefact.seed


def test_a_case_without_inputs_has_nothing_to_keep(keep, record, artefact):
    kept = keep(record(), replace(artefact, inputs={}), when="always")
    assert (kept.artefact, kept.left_out) == ("", "")


def test_what_exceeds_the_limit_is_left_out_and_the_record_says_so(keep, record, artefact, tmp_path):
    big = replace(artefact, inputs={"boxes": np.zeros(10_000)})
    assert keep(record(case_id="op/a"), big, when="always", limit=100_000).artefact
    second = keep(record(case_id="op/b"), big, when="always", limit=100_000)
    assert second.artefact == ""
    assert "KiB more would exceed the limit of 97.66 KiB (--save-limit)" in second.left_out
    assert keep(record(case_id="op/c"), when="always", limit=100_000).artefact  # a small one still fits


def test_a_folder_that_cannot_be_written_does_not_change_the_outcome(keep, record, tmp_path):
    (tmp_path / "artefacts").write_text("in the way")
    kept = keep(record("passed"), when="always")
    assert (kept.outcome, kept.artefact) == ("passed", "")
    assert "artefacts" in kept.left_out


def test_a_worker_on_another_machine_says_that_nothing_was_kept(record):
    kept = Keeper(None, SaveOptions("failed")).keep(record(), lambda _: None)
    assert "on a machine that does not have the run's folder" in kept.left_out


class TestNames:
    def test_names_of_distinct_cases_are_distinct(self):
        ids = ["op/a:x=1", "op/a.x=1", "op/a-x", "op_a/x", "op/a/x", "op/a x", "op/a\nx", "op/" + "y" * 300]
        ids += ["op/" + "y" * 301]
        assert len({file_name(case_id) for case_id in ids}) == len(ids)

    @pytest.mark.parametrize(
        "case_id", ["op/../../x", "/etc/passwd", "..", "op/.hidden", "op/\ud800", "a" * 999]
    )
    def test_a_name_stays_in_its_folder(self, case_id):
        name = file_name(case_id)
        assert "/" not in name
        assert not name.startswith(".")
        assert len(name.encode("utf-8")) < 200


class TestSizes:
    @pytest.mark.parametrize(
        ("text", "nbytes"), [("0", 0), ("12", 12), ("1k", 1024), ("1.5M", 1572864), ("2GB", 2 << 30)]
    )
    def test_a_size_is_a_number_and_a_unit(self, text, nbytes):
        assert size(text) == nbytes

    @pytest.mark.parametrize("text", ["", "x", "-1", "1.M", "1 M", "5P"])
    def test_anything_else_is_refused(self, text):
        with pytest.raises(argparse.ArgumentTypeError, match="write one as 500M"):
            size(text)

    @pytest.mark.parametrize(("nbytes", "text"), [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB")])
    def test_a_size_is_written_for_people(self, nbytes, text):
        assert formatting.size(nbytes) == text

    @pytest.mark.parametrize("nbytes", [0, 1, 12345, 3 << 40])
    def test_the_engine_gets_the_same_limit(self, nbytes):
        words = SaveOptions("failed", nbytes).arguments("--mluop-")
        assert words[:2] == ("--mluop-save", "failed")
        assert size(words[3]) == nbytes
