"""A campaign: which faults are tried, what becomes of each, and what another campaign does again."""

from __future__ import annotations

import ctypes
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Iterator

import pytest
from mluops_conformance.execution.options import RunOptions
from mluops_tools.mutation import campaign
from mluops_tools.mutation.campaign import Setting, Target, attempt, measure, planned, targets
from mluops_tools.mutation.changes import Change, changes_of
from mluops_tools.mutation.store import Result, Store, Suite
from mluops_tools.mutation.trial import Observation

CASE = "masked_im2col_forward/batch"
EXAMPLE = "masked_im2col_forward/special-float32-0-1"
SUITE = Suite("k", "s", "c", {}, {})


def observed(cases: Any, options: RunOptions, *_: Any, **__: Any) -> Iterator[Observation]:
    """A case that expects 8 of 3."""
    result = ctypes.CDLL(options.library).mluOpMaskedIm2colForward(3)
    wrong = () if result == 8 else ("values", f"it is {result}")
    for case in list(cases)[:1]:
        yield Observation(case.id, "failed" if wrong else "passed", *wrong)


@pytest.fixture
def setting(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    monkeypatch.setattr(campaign, "observe", observed)
    return Setting(base, tmp_path / "headers", RunOptions(), (CASE,))


def change_at(target: Target, text: str, kind: str) -> Change:
    return next(change for change in target.changes() if change.kind == kind and text in change.id)


class TestAttempts:
    pytestmark = pytest.mark.slow

    @pytest.mark.parametrize(
        ("text", "kind", "verdict", "reason"),
        [
            ("k_block.mlu", "arithmetic", "caught", "it is 2"),
            ("k.cpp:7:9", "comparison", "equivalent", ""),
            ("k.cpp:8:9", "constant", "equivalent", ""),
        ],
    )
    def test_end_with_a_verdict(
        self, base: Path, setting: Setting, text: str, kind: str, verdict: str, reason: str
    ) -> None:
        (target,) = targets(base, [])
        suite = measure(setting, target, "c")
        result = attempt(setting, target, change_at(target, text, kind), suite)
        assert (result.verdict, result.reason) == (verdict, reason)

    def test_of_what_no_case_shows_survive(self, base: Path, setting: Setting) -> None:
        (target,) = targets(base, [])
        suite = measure(setting, target, "c")
        result = attempt(setting, target, change_at(target, "k.cpp:11:9", "constant"), suite)
        assert (result.verdict, result.tried, result.case) == ("survived", len(suite.seconds), "")

    def test_that_do_not_compile_give_the_error(self, base: Path, setting: Setting) -> None:
        (target,) = targets(base, [])
        at = target.texts["kernels/k/k_block.mlu"].index("a * 2")
        change = Change("kernels/k/k_block.mlu", 1, 1, "statement", at, "a * 2", "b")
        result = attempt(setting, target, change, SUITE)
        assert result.verdict == "not compiled"
        assert "error" in result.reason


@pytest.mark.slow
def test_a_search_tries_examples_and_no_case(setting: Setting, base: Path, monkeypatch: Any) -> None:
    (target,) = targets(base, [])
    (searching,) = campaign.suites(
        Store(base / "out"), replace(setting, search=1, queries=()), [target], 1
    ).values()
    assert (searching.seconds, searching.search) == ({}, 1)
    monkeypatch.setattr(campaign, "searched", found)
    change = change_at(target, "k_block.mlu", "arithmetic")
    result = attempt(replace(setting, queries=()), target, change, searching)
    assert (result.verdict, result.case, result.tried, result.spent) == ("caught", EXAMPLE, 3, 0.75)


def found(pairs: Any, task: Any, unchanged: RunOptions, seconds: float) -> Iterator[Observation]:
    """An example of masked_im2col_forward that shows the fault, after one of its own and one of another."""
    assert {operator.name for operator, _ in pairs} == {"masked_im2col_forward"}
    assert ctypes.CDLL(task.options.library).mluOpMaskedIm2colForward(3) == 2
    assert ctypes.CDLL(unchanged.library).mluOpMaskedIm2colForward(3) == 8
    yield Observation("masked_im2col_forward/float32-0-0", "passed", seconds=0.5)
    yield Observation("other/float32-0-0", "passed", seconds=9)
    yield Observation(EXAMPLE, "failed", "values", "it is 2", seconds=0.25)


def test_the_order_follows_from_the_seed_and_stays_with_more_faults() -> None:
    few, many = changes_of("a.cpp", "x = a + b * c;"), changes_of("a.cpp", "x = a + b * c;\ny = a - 1;")
    order = planned(many, 1)
    assert [change for change in order if change in few] == planned(few, 1)
    assert order != planned(many, 2)


def entry(name: str) -> Result:
    return Result(name, "k", "branch", "caught")


def test_results_are_stored_as_they_come(tmp_path: Path) -> None:
    store = Store(tmp_path)
    found = list(campaign._kept(store, [partial(entry, name) for name in "abcd"], 2))
    assert sorted(result.id for result in found) == list("abcd")
    assert sorted(Store(tmp_path).results) == list("abcd")


def test_what_is_stored_is_not_tried_again(tmp_path: Path) -> None:
    store, change = Store(tmp_path), changes_of("a.cpp", "x = a + b;")[0]
    store.add(Result(change.id, "k", "branch", "caught", sources="s", suite="c"))
    plan: Any = [(None, change, SUITE)]
    assert list(campaign.campaign(store, None, plan, 1)) == []  # type: ignore[arg-type]


class TestTheCommand:
    def test_names_the_remedy_where_nothing_is_built(self, command: Any, tmp_path: Path) -> None:
        status, _, log = command("mutate", tmp_path)
        assert status == 4
        assert "no build of mlu-ops; 'mluops-conformance build-cpu PATH -o" in log

    @pytest.mark.slow
    def test_lists_faults_without_trying_them(self, command: Any, base: Path) -> None:
        status, lines, _ = command("mutate", base, CASE, "--list", "--kind", "arithmetic")
        assert (status, sorted(lines)) == (
            0,
            [
                "2 of 2 faults",
                "kernels/k/k.h:1:35: arithmetic: + -> -",
                "kernels/k/k_block.mlu:1:29: arithmetic: * -> /",
            ],
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("words", [["--queues", "2"], ["--placement", "shuffled"]])
    def test_refuses_options_of_cases_where_examples_are_drawn(
        self, command: Any, base: Path, words: list[str]
    ) -> None:
        status, _, log = command("mutate", base, "--search", "5", *words)
        assert status == 4
        assert f"{words[0]} has no effect with --search" in log

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["--operators", "kk"], "no such operator (did you mean 'k'?)"),
            (["--at", "k.cpp:99"], "no fault is of this --kind, --at and --operators"),
            (["nms_rotated/network*", "--operators", "k"], "none of these cases calls k"),
        ],
    )
    def test_says_what_selects_nothing(self, command: Any, base: Path, words: list[str], said: str) -> None:
        status, _, log = command("mutate", base, *words)
        assert status == 4
        assert said in log

    @pytest.mark.slow
    def test_refuses_sources_that_are_newer_than_the_build(
        self, command: Any, base: Path, tmp_path: Path
    ) -> None:
        path = base / "sources/kernels/k/k_block.mlu.cpp"
        kept = path.read_text()
        path.write_text(kept.replace("* 2", "* 3"))
        try:
            log = command("mutate", base, "--list")[2]
        finally:
            path.write_text(kept)
        assert "k_block.mlu has changed since" in log
