"""A stored run is held to what it was judged by."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.execution.basis import basis_of, case_digest
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.load import load as load_files
from mluops_conformance.language.model import FillSpec
from mluops_conformance.operators import the_operator
from mluops_conformance.results.basis import Basis, demand_continued, edited_cases, refuse_other_bases

BEGUN = Basis("0.1.0", {"op/a": "1", "op/b": "2"}, "known", "limits")

ISSUES = """\
- cases: [masked_im2col_forward/tiny]
  reason: {reason}
  links: [https://example.org/1]
  expires: 2999-01-01
"""


@pytest.fixture
def loaded(tmp_path, case_text):
    """The first case of a file, loaded from a text in which one word is replaced by another."""

    def load(old="", new=""):
        path = tmp_path / "cases.yaml"
        path.write_text(case_text.replace(old, new) if old else case_text, encoding="utf-8")
        return load_files([path])[0]

    return load


class TestDigests:
    def test_a_case_for_another_series_has_another_digest(self, loaded):
        case = loaded()
        digests = {
            case_digest(replace(case, series=frozenset({name}))) for name in ("MLU370", "MLU590", "MLU590-H8")
        }
        assert len(digests) == 3

    def test_the_same_case_has_the_same_digest_wherever_its_file_lies(self, loaded):
        case = loaded()
        elsewhere = replace(case, origin=replace(case.origin, file="/elsewhere/c.yaml", line=99))
        assert case_digest(elsewhere) == case_digest(case)

    @pytest.mark.parametrize(
        ("old", "new"),
        [("channels: 2", "channels: 3"), ("mask_cnt: 7", "mask_cnt: 6"), ("tags:", "clusters: 1\n    tags:")],
    )
    def test_an_edited_case_has_another_digest(self, loaded, old, new):
        assert case_digest(loaded(old, new)) != case_digest(loaded())

    def test_words_about_a_case_change_nothing(self, loaded):
        assert case_digest(loaded("tags: [tiny]", "note: Small.")) == case_digest(loaded())

    def test_the_content_of_a_file_of_data_counts(self, loaded, tmp_path):
        digests = set()
        for content, name in ((b"1", "a.npy"), (b"2", "b.npy"), (b"1", "c.npy")):
            (tmp_path / name).write_bytes(content)
            case = replace(loaded(), data={"feature": FillSpec("file", {"path": "a.npy"})})
            (tmp_path / "a.npy").write_bytes(content)
            from mluops_conformance.execution.basis import file_digest

            file_digest.cache_clear()
            digests.add(case_digest(case))
        assert len(digests) == 2

    def test_an_edited_known_issue_changes_the_digest_of_known_issues_alone(self, loaded, tmp_path):
        found = []
        for reason in ("It overflows.", "It underflows."):
            path = tmp_path / f"{len(found)}.yaml"
            path.write_text(ISSUES.format(reason=reason), encoding="utf-8")
            found.append(basis_of([loaded()], RunOptions(known_issues=(str(path),))))
        assert found[0].known_issues != found[1].known_issues
        assert replace(found[0], known_issues="") == replace(found[1], known_issues="")

    def test_a_threshold_of_the_command_line_changes_the_digest_of_thresholds_alone(self, loaded):
        plain, loose = (basis_of([loaded()], RunOptions(threshold=given)) for given in ((), ("diff3=1",)))
        assert plain.thresholds != loose.thresholds
        assert replace(plain, thresholds="") == replace(loose, thresholds="")

    def test_criteria_of_an_operator_change_the_digest_of_thresholds(self, loaded, monkeypatch):
        case = loaded()
        before = basis_of([case], RunOptions()).thresholds
        monkeypatch.setitem(vars(the_operator(case.operator).criteria), "static", {"float32": 1.0})
        assert basis_of([case], RunOptions()).thresholds != before

    def test_the_program_is_named_by_its_version(self, loaded):
        assert basis_of([loaded()], RunOptions()).program == "0.1.0"


class TestResumed:
    def test_an_unchanged_basis_is_continued(self):
        assert demand_continued("r", BEGUN, BEGUN, again=False) == []

    @pytest.mark.parametrize(
        "cases", [{"op/a": "1", "op/b": "9"}, {"op/a": "1"}, {**BEGUN.cases, "op/c": "3"}]
    )
    def test_changed_removed_and_added_cases_are_named(self, cases):
        now = replace(BEGUN, cases=cases)
        with pytest.raises(
            UserError, match=r"--resume r: op/[bc] changed since the run began; --rerun-changed"
        ):
            demand_continued("r", BEGUN, now, again=False)

    def test_changed_cases_may_run_again(self):
        now = replace(BEGUN, cases={"op/a": "1", "op/b": "9"})
        assert demand_continued("r", BEGUN, now, again=True) == ["op/b"]

    @pytest.mark.parametrize(
        ("field", "words"),
        [
            ("program", "version of this program"),
            ("known_issues", "known issues"),
            ("thresholds", "thresholds"),
        ],
    )
    def test_other_rules_are_refused_also_where_cases_may_run_again(self, field, words):
        now = replace(BEGUN, **{field: "other"})
        with pytest.raises(UserError, match=f"judged with another {words}; "):
            demand_continued("r", BEGUN, now, again=True)


class TestParts:
    def test_parts_of_one_basis_are_accepted(self):
        refuse_other_bases({"a": BEGUN, "b": BEGUN})

    @pytest.mark.parametrize(
        ("other", "words"),
        [
            (replace(BEGUN, program="0.2.0"), "version of this program"),
            (replace(BEGUN, known_issues="x"), "known issues"),
            (replace(BEGUN, thresholds="x"), "thresholds"),
            (replace(BEGUN, cases={"op/a": "1", "op/b": "9"}), r"cases \(op/b\)"),
        ],
    )
    def test_others_are_refused_and_the_difference_is_named(self, other, words):
        with pytest.raises(UserError, match=f"not parts of one run: a and b differ in {words}$"):
            refuse_other_bases({"a": BEGUN, "b": other})


def test_edited_cases_are_those_that_both_runs_have():
    now = replace(BEGUN, cases={"op/a": "9", "op/c": "3"})
    assert edited_cases(BEGUN, now) == ["op/a"]
