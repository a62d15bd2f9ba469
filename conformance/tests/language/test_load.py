"""Files and folders of cases."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mluops_conformance.language import load as loading
from mluops_conformance.language.documents import Findings, read_document
from mluops_conformance.language.fields import fields_of
from mluops_conformance.language.load import is_case_file, load, read
from mluops_conformance.language.model import Case, CaseFileError, Origin, suggestion
from mluops_conformance.language.nodes import Node
from mluops_conformance.language.query import QueryError
from mluops_conformance.operators import operator_names
from mluops_conformance.operators.base import Operator
from mluops_conformance.support.files import cases_root

Reader = Callable[[str], Tuple[List[Case], List[str]]]

PLAIN_ENTRY = '{"id": "a", "dims": {"N": 1}, "params": {"points": 1}, "data": {"boxes": {"fill": "zeros"}}}'
ENTRY = "  - {{id: {0}, dims: {{N: 1}}, params: {{points: 1}}, data: {{boxes: {{fill: zeros}}}}}}\n"


def file_of(*ids: str) -> str:
    return "operator: toy\ncases:\n" + "".join(map(ENTRY.format, ids))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy").mkdir()
    return tmp_path


def test_a_folder_means_its_case_files_and_those_of_its_subfolders(
    folder: Path, operators: dict[str, Operator]
) -> None:
    (folder / "toy" / "b.yaml").write_text(file_of("b"))
    (folder / "toy" / "a.yml").write_text(file_of("a"))
    (folder / "toy" / "requirements.yaml").write_text("operator: toy\n")
    (folder / "suites.yaml").write_text("smoke: []\n")
    (folder / "README.md").write_text("no cases")
    assert [case.id for case in load([folder], operators)] == ["toy/a", "toy/b"]


def test_a_file_named_twice_is_read_once(folder: Path, operators: dict[str, Operator]) -> None:
    file = folder / "toy" / "a.yaml"
    file.write_text(file_of("a"))
    assert len(load([folder, file], operators)) == 1


def test_ids_are_unique_over_all_files(folder: Path, operators: dict[str, Operator]) -> None:
    (folder / "toy" / "a.yaml").write_text(file_of("x"))
    (folder / "toy" / "b.yaml").write_text(file_of("y", "x"))
    _, problems = read([folder], operators)
    assert [str(problem) for problem in problems] == [
        "toy/b.yaml:4:10: id toy/x is taken, by toy/a.yaml:3:5",
    ]


def test_all_errors_of_all_files_come_at_once(folder: Path, operators: dict[str, Operator]) -> None:
    (folder / "toy" / "a.yaml").write_text(file_of("a").replace("N: 1", "N: x"))
    (folder / "toy" / "b.yaml").write_text(file_of("b").replace("zeros", "zeroes"))
    with pytest.raises(CaseFileError) as raised:
        load([folder], operators)
    assert str(raised.value) == (
        "toy/a.yaml:3:23: unknown limit in dims.N: 'x' (there are: cluster, cores)\n"
        "toy/b.yaml:3:69: unknown fill 'zeroes' (did you mean 'zeros'?)"
    )


def test_cases_without_errors_are_read_beside_those_with(
    folder: Path, operators: dict[str, Operator]
) -> None:
    (folder / "toy" / "a.yaml").write_text(
        file_of("a", "b").replace("id: b, dims: {N: 1}", "id: b, dims: {}")
    )
    cases, problems = read([folder], operators)
    assert ([case.id for case in cases], len(problems)) == (["toy/a"], 1)


def test_places_are_shown_from_the_current_folder(
    folder: Path, operators: dict[str, Operator], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "toy" / "a.yaml"
    file.write_text(file_of("a"))
    assert load([file], operators)[0].origin.file == "toy/a.yaml"
    monkeypatch.chdir(folder / "toy")
    assert load([file], operators)[0].origin.file == "a.yaml"
    (folder / "other").mkdir()
    monkeypatch.chdir(folder / "other")
    assert load([file], operators)[0].origin.file == str(file)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "",
            [
                "1:1: operator is missing: the operator of all cases of the file",
                "1:1: cases is missing: the cases",
            ],
        ),
        ("- a\n", ["1:1: a case file needs a mapping, got a list"]),
        (
            "operator: tyo\ncases: []\n",
            ["1:11: unknown operator 'tyo' (did you mean 'toy'?)", "2:8: cases has no entry"],
        ),
        ("operator: toy\ncases: {}\n", ["2:8: cases needs a list of cases, got a mapping"]),
        ("operator: toy\ncases: [a]\n", ["2:9: a case needs a mapping, got 'a'"]),
        (
            "operator: toy\ncases: []\ndefault: {}\n",
            ["2:8: cases has no entry", "3:1: unknown field 'default' (did you mean 'defaults'?)"],
        ),
        (
            "operator: toy\ndefaults: []\ncases: []\n",
            ["2:11: defaults needs a mapping, got a list", "3:8: cases has no entry"],
        ),
    ],
)
def test_errors_of_a_whole_file(load: Reader, text: str, problems: list[str]) -> None:
    assert load(text)[1] == [f"toy.yaml:{problem}" for problem in problems]


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-10, 10), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["N", "boxes", "fill", "range", "status", "dtype", "x"]), inner, max_size=3
        ),
    ),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(fields=st.dictionaries(st.sampled_from(sorted(fields_of("case"))), ANYTHING, min_size=1, max_size=3))
def test_whatever_stands_in_a_field_is_a_case_or_an_error(load: Reader, fields: dict[str, Any]) -> None:
    text = json.dumps({"operator": "toy", "cases": [{**json.loads(PLAIN_ENTRY), **fields}]})
    cases, problems = load(text.replace("NaN", ".nan").replace("Infinity", ".inf"))
    assert cases or problems


def test_a_file_that_does_not_exist(operators: dict[str, Operator], folder: Path) -> None:
    _, problems = read([folder / "none.yaml"], operators)
    assert [str(problem) for problem in problems] == [
        "none.yaml:1:1: cannot be read: No such file or directory"
    ]


def test_a_folder_without_case_files(operators: dict[str, Operator], folder: Path) -> None:
    _, problems = read([folder / "toy"], operators)
    assert [str(problem) for problem in problems] == ["toy:1:1: no case file (*.yaml) lies in this folder"]


def test_bytes_that_are_not_utf8(operators: dict[str, Operator], folder: Path) -> None:
    (folder / "a.yaml").write_bytes("operator: toy\n# é ".encode() + b"\xff\n")
    _, problems = read([folder / "a.yaml"], operators)
    assert [str(problem) for problem in problems] == ["a.yaml:2:5: the byte 0xff is not UTF-8"]


def test_a_byte_order_mark_is_no_part_of_the_text(operators: dict[str, Operator], folder: Path) -> None:
    (folder / "a.yaml").write_bytes(b"\xef\xbb\xbf" + file_of("a").encode())
    assert [case.id for case in load([folder / "a.yaml"], operators)] == ["toy/a"]


@pytest.mark.parametrize(
    ("name", "cases"), [("a.yaml", True), ("a.yml", True), ("suites.yaml", False), ("a.json", False)]
)
def test_case_files_are_known_by_their_names(name: str, cases: bool) -> None:
    assert is_case_file(Path(name)) is cases


def test_reading_cases_needs_no_pytest() -> None:
    imports = "import mluops_conformance.language.load, mluops_conformance.language.query, sys"
    program = f"{imports}; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_place_of_a_whole_line_is_its_first_column():
    assert str(Origin("a.yaml", 3)) == "a.yaml:3:1"


def test_an_unknown_name_is_told_at_most_twelve_known_ones():
    known = [f"n{number:02}" for number in range(13)]
    listed = "n00, n01, n02, n03, n04, n05, n06, n07, n08, n09, n10, n11"
    assert suggestion("x", known[:12]) == f" (there are: {listed})"
    assert suggestion("x", known) == f" (there are: {listed}, ...)"


def test_further_files_of_other_programs_are_left_out(tmp_path):
    path = tmp_path / "compose.yaml"
    path.write_text("services: {web: {image: nginx}}\n")
    assert read([], among=[path]) == ([], [])


def test_a_file_without_a_case_is_an_error(tmp_path):
    path = tmp_path / "none.yaml"
    path.write_text("operator: nms_rotated\ncases: []\n")
    _, problems = read([path])
    assert [str(problem).rpartition(":")[2] for problem in problems] == [" cases has no entry"]


def test_links_in_a_circle_and_pipes_are_named_and_never_waited_for(tmp_path):
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "self.yaml").symlink_to(tmp_path / "self.yaml")
    os.mkfifo(tmp_path / "pipe.yaml")
    _, problems = read([tmp_path])
    assert sorted(str(problem).rpartition(": ")[2] for problem in problems) == [
        "Too many levels of symbolic links",
        "no regular file",
    ]


class TestCasesOfSomeOperators:
    """A query that only cases of some operators can meet reads the folders of these operators alone."""

    @pytest.fixture
    def read_files(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        files: list[str] = []

        def read_and_note(file: Path) -> tuple[Node | None, Findings]:
            if is_case_file(file):
                files.append(file.parent.name)
            return read_document(file)

        monkeypatch.setattr(loading, "read_document", read_and_note)
        monkeypatch.setattr(loading, "load_cases", loading.load_cases.__wrapped__)  # without its cache
        return files

    @pytest.fixture
    def loaded(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, ...]]:
        """The paths of each load, which gives no case."""
        paths: list[tuple[Path, ...]] = []
        monkeypatch.setattr(loading, "load_cases", lambda given: paths.append(given) or ())
        return paths

    @pytest.mark.parametrize(
        "queries",
        [
            ["nms_rotated/network-34*"],
            ["operator=nms_rotated", "tag=hard"],
            ["nms_rotated"],
            ["nms_rotated/network-34 N>1", "operator=nms_rotated dtype=float32"],
        ],
    )
    def test_one_operator(self, queries: list[str], read_files: list[str]) -> None:
        assert {case.operator for case in loading.select((), queries)} == {"nms_rotated"}
        assert set(read_files) == {"nms_rotated"}

    def test_a_query_of_two_operators_reads_two_folders(self, read_files: list[str]) -> None:
        loading.select((), ["operator=nms_rotated,box_iou_rotated tag=smoke"])
        assert set(read_files) == {"box_iou_rotated", "nms_rotated"}

    def test_for_an_operator_of_another_folder_that_folder_alone_is_read(self, tmp_path: Path) -> None:
        assert loading.narrowed((cases_root(), tmp_path), {"abs"}) == (tmp_path,)

    @pytest.mark.parametrize(
        "queries",
        [
            ["tag=hard"],
            ["operator=nms_* tag=hard"],
            ["tag=hard", "nms_*/n*"],
            ["operator=nms_rotated tag=hard", "suite=smoke tag=network"],
        ],
    )
    def test_a_query_of_any_operator_reads_all_folders_at_once(
        self, queries: list[str], loaded: list[tuple[Path, ...]]
    ) -> None:
        loading.load_for((cases_root(),), queries)
        assert loaded == [(cases_root(),)]

    def test_a_tag_that_only_another_operator_has_is_told_as_without_the_shortcut(self) -> None:
        with pytest.raises(QueryError, match=r"none of 3\d\d\d cases matches 'operator=nms_rotated check="):
            loading.select((), ["operator=nms_rotated", "check=box_iou_rotated/3.1/hull"])

    def test_every_case_of_a_folder_is_of_the_operator_of_its_name(self) -> None:
        for case in loading.load_cases((cases_root(),)):
            assert f"/{case.operator}/" in case.origin.file

    def test_no_entry_has_the_name_of_an_operator(self) -> None:
        entries = {case.entry_id.partition("/")[2] for case in loading.load_cases((cases_root(),))}
        assert entries & set(operator_names()) == set()
