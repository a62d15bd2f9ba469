"""Files that are cut off, mixed up or made with malice: commands end in words, and no part passes for all."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import load_run

pytestmark = pytest.mark.slow

QUICK = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))

CASE, TINY = "masked_im2col_forward", "masked_im2col_forward/tiny:dtype=float16"
OF_RUNS = [
    *(f"report @ --format {name} -o out" for name in ("text", "junit", "json", "markdown", "html", "csv")),
    "compare run @ --mixed --format markdown",
    "compare @ run --mixed --format html -o out",
    "coverage --run @ --cases cases.yaml",
    "history add @ --index new.sqlite",
    "merge @ --out merged",
]
# what is damaged, the commands that read it
READERS = {
    "cases.yaml": ["lint @", "list --long --cases @", "coverage --cases @", f"show {TINY} --cases @"],
    "issues.yaml": ["lint cases.yaml --known-issues @", "run --known-issues @ --cases cases.yaml none"],
    "run/results.jsonl": OF_RUNS,
    "run/environment.json": OF_RUNS,
    "data.npz": ["diff @", "diff data.npz @", "replay @ --unpack out-folder"],
    "index.sqlite": [
        "history list --index @",
        f"history show {TINY} --index @",
        "history first-bad --index @",
        "history add run --index @",
        "report run --format html --history @ -o out",
    ],
    "case.prototxt": ["import-gtest @ -o imported"],
    "mlu_op.h": ["check-abi @"],
    "samples.json": ["bench nothing-of-the-kind --against @"],
}
MALICE = [
    *(b"\0", b'"\\0"', b"\xff\xfe", b"\xe2\x80\xae", b"\x1b[2J", b"[" * 2000, b"{a: " * 2000, b"9" * 5000),
    *(b"&a [*a]", b"*a", b"<<: ", b"!!python/object/apply:os.system [exit]", b"---\n", b"\t", b"%YAML 9\n"),
    *(b"-1", b"1e999", b".nan", b"NaN", b"4294967296", b"9223372036854775808", b"null", b"{}", b"[]", b'""'),
    *(b"{fill: file, path: /etc/hostname}", b'{fill: file, path: "\\0"}', b"../", b"</script>", b"]]>"),
]
ODD: list[Any] = [None, True, -1, 10**30, 1e308, "nan", "x", "", "\ud800", "\x1b[2J", [], [1], [[]], {}]
ODD += [{"a": 1}, {"diff1": {"value": 1, "from": 5}}, {"value": "x", "from": "y"}, [{"index": ["x"]}]]


@st.composite
def damaged(draw: st.DrawFn, original: bytes) -> bytes:
    """A file with other things in some places, and perhaps without its end."""
    data = bytearray(original)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = start + draw(st.integers(0, 20))
        data[start:end] = draw(st.one_of(st.sampled_from(MALICE), st.binary(max_size=8)))
    return bytes(data[: draw(st.one_of(st.just(len(data)), st.integers(0, len(data))))])


def placed(world: Path, name: str, content: bytes) -> str:
    """Put a damaged file beside the good ones; what a command is to be given for it."""
    for folder in ("bad", "merged", "imported", "out-folder"):
        shutil.rmtree(world / folder, ignore_errors=True)
    (world / "new.sqlite").unlink(missing_ok=True)
    (world / "bad").mkdir()
    if not name.startswith("run/"):
        (world / "bad" / name).write_bytes(content)
        return f"bad/{name}"
    for file in ("results.jsonl", "environment.json"):
        good = (world / "run" / file).read_bytes()
        (world / "bad" / file).write_bytes(content if name.endswith(file) else good)
    return "bad"


@pytest.mark.parametrize("name", READERS)
@QUICK
@given(data=st.data())
def test_a_damaged_file_ends_no_command_without_words(here, attempt, name, data):
    place = placed(here, name, data.draw(damaged((here / name).read_bytes())))
    for line in READERS[name]:
        attempt(*line.replace("@", place).split())


@pytest.mark.parametrize("name", READERS)
@QUICK
@given(content=st.one_of(st.binary(max_size=60), st.text(max_size=40).map(lambda text: text.encode("utf-8"))))
def test_neither_does_any_other_content(here, attempt, name, content):
    place = placed(here, name, content)
    for line in READERS[name]:
        attempt(*line.replace("@", place).split())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything in a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in inside for place in places(entry, (*path, key)))]


@settings(QUICK, max_examples=100)
@given(data=st.data())
def test_what_a_run_stores_may_be_of_any_type(here, attempt, data):
    events = [json.loads(line) for line in (here / "run/results.jsonl").read_text().splitlines()]
    event = data.draw(st.sampled_from(events))
    *way, last = data.draw(st.sampled_from(places(event)[1:]))
    changed = copy.deepcopy(event)
    parent = changed
    for key in way:
        parent = parent[key]
    parent[last] = data.draw(st.sampled_from(ODD))
    lines = [json.dumps(changed if each is event else each) for each in events]
    place = placed(here, "run/results.jsonl", "\n".join(lines).encode())
    for line in OF_RUNS:
        attempt(*line.replace("@", place).split())


@QUICK
@given(data=st.data())
def test_a_run_that_lost_its_end_is_not_green_nor_whole(here, attempt, data):
    good = (here / "run/results.jsonl").read_bytes().replace(b'"failed"', b'"passed"')
    assert exit_code(load_run(placed(here, "run/results.jsonl", good))) == 0
    cut = data.draw(st.integers(0, len(good) - 2))
    place = placed(here, "run/results.jsonl", good[:cut])
    assert attempt("merge", place, "--out", "merged").code != 0
    report = attempt("report", place)
    signs = ("CRASHED", "cut short", "truncated", "without a record")
    assert report.code == 5 or any(sign in report.out for sign in signs)


VALUES = ", ".join(map(str, range(1, 400)))
MANY = f"operator: nms_rotated\ncases: [{{id: a, matrix: {{N: [{VALUES}], iou_threshold: [{VALUES}]}}}}]\n"
ATTACKS = {
    "laughs": ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "1:4: anchor &a"),
    "python": ("operator: !!python/object/apply:os.mkdir [owned]\n", "1:11: tag tag:yaml.org,2002:python"),
    "depth": ("[" * 60, "1:51: nested deeper than 50 levels"),
    "indents": ("\n".join("  " * depth + "a:" for depth in range(300)), "nested deeper than 50 levels"),
    "twice": ("operator: nms_rotated\noperator: nms_rotated\n", "2:1: duplicate key 'operator'"),
    "second": ("operator: nms_rotated\n---\n{}\n", "a second document"),
    "digits": (f"operator: {'9' * 5000}\n", "1:11: "),
    "product": (MANY, "159201 combinations are too many"),
    "bidi": ("operator: \u202enms\n", "unknown operator"),
    "escape": ('operator: "\\e[2J"\n', "1:11: "),
    "nul": ("operator: \0\n", "1:11: the character '\\x00' is not allowed"),
    "utf-16": ("operator: nms_rotated\n".encode("utf-16"), "1:1: the byte 0xff is not UTF-8"),
    "latin-1": ("# \u00e9\n".encode("latin-1"), "1:3: the byte 0xe9 is not UTF-8"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_case_file_is_refused_with_its_place(here, attempt, name):
    content, complaint = ATTACKS[name]
    place = placed(here, f"{name}.yaml", content if isinstance(content, bytes) else content.encode("utf-8"))
    answer = attempt("lint", place)
    assert answer.code == 4
    assert answer.err.startswith(f"{place}:")
    assert complaint in answer.err
    assert not (here / "owned").exists()
